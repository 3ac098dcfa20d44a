"""Scores of sentences: the formulas, against plain loops."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.retrieval.scoring import Evidence, Line, Scope, Smoother, named, shared, standing_out, with_recordings
from segmenter.settings import RetrievalSettings

SETTINGS = RetrievalSettings(sigma_tokens=20.0)


def line(tokens: list[int], recordings: list[int]) -> Line:
    return Line(np.array(tokens, np.intp), np.array(recordings, np.intp))


@st.composite
def lines(draw: st.DrawFn) -> tuple[list[int], list[int], list[float]]:
    tokens = draw(st.lists(st.integers(1, 30), min_size=1, max_size=25))
    steps = draw(st.lists(st.integers(0, 1), min_size=len(tokens), max_size=len(tokens)))
    levels = draw(st.lists(st.floats(-1, 2), min_size=len(tokens), max_size=len(tokens)))
    return tokens, (np.cumsum(steps) - steps[0]).tolist(), levels


def by_loops(tokens: list[int], recordings: list[int], levels: list[float], sigma: float, tau: float) -> list[float]:
    middles = [sum(tokens[:i]) + tokens[i] / 2 for i in range(len(tokens))]
    found = []
    for i in range(len(tokens)):
        near = [j for j in range(len(tokens)) if recordings[j] == recordings[i] and abs(middles[j] - middles[i]) <= 4 * sigma]
        weights = [tokens[j] * exp(-((middles[j] - middles[i]) ** 2) / (2 * sigma**2)) for j in near]
        mean = sum(w * exp(levels[j] / tau) for w, j in zip(weights, near, strict=True)) / sum(weights)
        found.append(tau * log(mean))
    return found


@given(lines())
def test_smoothing_is_the_soft_maximum_of_the_formula(case: tuple[list[int], list[int], list[float]]) -> None:
    tokens, recordings, levels = case
    smooth = Smoother(line(tokens, recordings), SETTINGS).smooth(np.array(levels))
    assert smooth == pytest.approx(by_loops(tokens, recordings, levels, 20.0, SETTINGS.softness), abs=1e-9)


@given(lines(), st.floats(-1, 1))
def test_smoothing_keeps_an_even_level_and_stays_between_the_extremes(
    case: tuple[list[int], list[int], list[float]], level: float
) -> None:
    tokens, recordings, levels = case
    smoother = Smoother(line(tokens, recordings), SETTINGS)
    assert smoother.smooth(np.full(len(tokens), level)) == pytest.approx(level)
    smooth = smoother.smooth(np.array(levels))
    assert smooth.min() >= min(levels) - 1e-9
    assert smooth.max() <= max(levels) + 1e-9


def test_a_recording_does_not_smooth_into_the_next() -> None:
    smooth = Smoother(line([10, 10], [0, 1]), SETTINGS).smooth(np.array([1.0, 0.0]))
    assert smooth == pytest.approx([1.0, 0.0])


def test_each_sentence_gets_a_share_of_its_recordings_best() -> None:
    found = with_recordings(np.array([0.2, 0.4, 0.1]), np.array([0, 0, 1]), 0.5)
    assert found == pytest.approx([0.4, 0.6, 0.15])


def test_at_most_so_many_sentences_stand_out() -> None:
    narrow = np.zeros(400)
    narrow[:10] = np.arange(10, 0, -1)
    assert np.flatnonzero(standing_out(narrow, RetrievalSettings(seats=6))).tolist() == [0, 1, 2, 3, 4, 5]


def test_nothing_stands_out_where_all_are_alike() -> None:
    assert standing_out(np.full(3, 0.7), RetrievalSettings()) == pytest.approx(np.zeros(3))


def test_one_of_few_sentences_can_stand_out_too() -> None:
    assert standing_out(np.array([0.1, 0.9, 0.1]), RetrievalSettings()).argmax() == 1


def test_a_seat_is_shared_with_what_is_said_beside_it_in_the_same_recording() -> None:
    seats = np.array([0.0, 0.0, 2.0, 0.0, 0.0, 0.0])
    found = shared(seats, line([20] * 6, [0, 0, 0, 0, 1, 1]), 50.0)
    assert found == pytest.approx([0.4, 1.2, 2.0, 1.2, 0.0, 0.0])
    assert shared(seats, line([20] * 6, [0] * 6), 0.0) == pytest.approx(seats)
    assert seats[1] == 0.0


@given(lines())
def test_sharing_takes_nothing_from_anybody_and_lifts_none_above_the_best(case: tuple[list[int], list[int], list[float]]) -> None:
    tokens, recordings, levels = case
    seats = np.maximum(0.0, np.array(levels))
    found = shared(seats, line(tokens, recordings), 25.0)
    assert (found >= seats).all()
    assert found.max() == seats.max()


@pytest.mark.parametrize(
    ("question", "speaker", "expected"),
    [
        ("What did the project manager think?", "Project Manager", 1.0),
        ("What did Huw Irranca-Davies say?", "Hon. Huw Irranca-Davies", 1.0),
        ("What did Bob say?", "Bob", 0.0),  # so short a name stands in many words
        ("Managers and projects", "Project Manager", 0.0),
        ("What about marketings?", "Marketing", 0.0),
        ("anything", None, 0.0),
    ],
)
def test_a_speaker_is_named_by_the_whole_name_without_its_title(question: str, speaker: str | None, expected: float) -> None:
    assert named(question, [speaker]).tolist() == [expected]


def scope(known: bool) -> Scope:
    return Scope(line([10, 10], [0, 0]), np.array([0, 0]), np.array([known, known]), RetrievalSettings())


def test_words_count_for_more_where_the_embedder_does_not_know_the_language() -> None:
    found = Evidence(np.array([0.5]), np.array([1.0]), np.array([0.5, 0.5]), np.array([0.0, 1.0]), np.zeros(2))
    lifts = [scope(known).narrow(found)[1] - scope(known).narrow(found)[0] for known in (True, False)]
    assert lifts == pytest.approx([RetrievalSettings().narrow_words, RetrievalSettings().foreign_narrow_words])
    assert lifts[1] > lifts[0]


def test_a_script_that_cannot_be_read_is_searched_by_words_alone() -> None:
    lines_, known = line([10, 10], [0, 0]), np.array([False, False])
    own = Scope(lines_, np.array([0, 0]), known, RetrievalSettings(), np.array([1.0, 0.0]))
    found = Evidence(np.array([0.5]), np.array([0.0]), np.array([0.4, 0.9]), np.zeros(2), np.zeros(2))
    assert own.narrow(found) == pytest.approx([0.4, 0.0])


def test_the_speaker_asked_for_is_preferred() -> None:
    settings = RetrievalSettings(sigma_tokens=1.0)
    own = Scope(line([10, 10], [0, 0]), np.array([0, 0]), np.array([True, True]), settings)
    found = Evidence(np.array([0.5]), np.array([0.0]), np.zeros(2), np.zeros(2), np.array([0.0, 1.0]))
    assert own.wide(found) == pytest.approx([0.5, 0.6])


def test_no_lines_no_scores() -> None:
    empty = Scope(line([], []), np.zeros(0, np.intp), np.zeros(0, np.bool_), SETTINGS)
    nothing = np.zeros(0)
    assert empty.scores(Evidence(nothing, nothing, nothing, nothing, nothing)).shape == (0,)
