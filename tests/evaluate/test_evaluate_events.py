"""Found events against true ones: right values, and what every score keeps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.evaluate.events import agreement, matches, score, together
from segmenter.records import Span
from segmenter.timeline import merge_close


def test_right_values() -> None:
    """One event found well, one found in two pieces of which the larger counts, one missed."""
    true = [Span(10, 20), Span(30, 40), Span(50, 52)]
    found = [Span(10.5, 19.75), Span(30, 36), Span(37, 40)]
    scores = score(found, true, duration=60)
    assert matches(found, true) == [(0, 0), (1, 1)]
    assert (scores.precision, scores.recall, scores.f1) == (2 / 3, 2 / 3, 2 / 3)
    assert sorted(scores.edge_errors) == [-4.0, -0.25, 0.0, 0.5]
    assert scores.edge_quantile(0.5) == 0.375
    assert scores.edge_quantile(1.0) == 4.0


def test_nothing_to_find_and_nothing_found_is_perfect() -> None:
    scores = score([], [], 60)
    assert (scores.precision, scores.recall, scores.f1) == (1.0, 1.0, 1.0)
    assert scores.edge_quantile(0.5) is None


@pytest.mark.parametrize(("found", "true"), [([Span(1, 2)], []), ([], [Span(1, 2)])])
def test_something_for_nothing_scores_nothing(found: list[Span], true: list[Span]) -> None:
    assert score(found, true, 60).f1 == 0.0


def test_edges_at_the_recordings_own_edges_are_left_out() -> None:
    assert score([Span(1, 59)], [Span(0, 60)], 60).edge_errors == ()
    assert score([Span(1, 59)], [Span(0, 59.95)], 60).edge_errors == ()


def test_an_event_counts_once_from_the_overlap_on() -> None:
    assert matches([Span(0, 5)], [Span(0, 10)]) == [(0, 0)]
    assert matches([Span(0, 4.9)], [Span(0, 10)]) == []
    assert len(matches([Span(0, 10), Span(0, 9)], [Span(0, 10)])) == 1


def test_the_most_pairs_win_over_the_most_overlap() -> None:
    """Taking the better overlap first would leave the second true event alone."""
    found, true = [Span(0, 10), Span(5, 12)], [Span(1, 11), Span(0, 4)]
    assert sorted(matches(found, true, overlap=0.3)) == [(0, 1), (1, 0)]


def test_split_and_glued_events_and_seconds_are_counted() -> None:
    """One true event in three pieces and a hole of 2 s, two in one piece, one missed, one invented."""
    true = [Span(0, 10), Span(20, 25), Span(27, 30), Span(40, 44)]
    found = [Span(0, 3), Span(4, 6), Span(7, 10), Span(20, 30), Span(50, 53)]
    all_of_it = agreement(found, true, 60)
    assert (all_of_it.split, all_of_it.glued) == (2, 1)
    assert (all_of_it.true_s, all_of_it.missed_s, all_of_it.invented_s) == (22, 6, 5)


def test_figures_have_plain_names_and_those_of_all_recordings_are_counted_together() -> None:
    parts = [agreement([Span(1, 2)], [Span(1, 2.5)], 60), agreement([Span(5, 9)], [], 60)]
    figures = together(parts).figures()
    assert (figures["f1_50"], figures["precision_50"], figures["recall_50"], figures["f1_75"]) == (2 / 3, 0.5, 1.0, 0.0)
    assert (figures["edge_median"], figures["edge_worst"], figures["invented_s"]) == (0.25, 0.5, 4)


spans = st.lists(st.tuples(st.integers(0, 90), st.integers(1, 20)).map(lambda p: Span(p[0], p[0] + p[1])), max_size=6)


@given(spans, spans)
def test_matching_is_one_to_one_and_the_same_both_ways(found: list[Span], true: list[Span]) -> None:
    pairs = matches(found, true)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert score(found, true, 200).f1 == score(true, found, 200).f1
    assert 0 <= score(found, true, 200).f1 <= 1


@given(spans)
def test_the_truth_itself_is_perfect(true: list[Span]) -> None:
    scores = score(true, true, 200)
    assert scores.f1 == 1.0
    assert not any(scores.edge_errors)


@given(spans)
def test_the_truth_itself_is_neither_split_nor_glued_where_it_is_disjoint(true: list[Span]) -> None:
    apart = merge_close(true)
    all_of_it = agreement(apart, apart, 200)
    assert (all_of_it.split, all_of_it.glued, all_of_it.missed_s, all_of_it.invented_s) == (0, 0, 0, 0)
