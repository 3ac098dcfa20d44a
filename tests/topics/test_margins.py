"""How close a break came: what the best partition with it costs more than the best of all."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import decide
from segmenter.topics.curve import curve
from segmenter.topics.margins import dearer, dearer_of
from segmenter.topics.partition import Array, cheapest, cheapest_of


def problem(places: int, seed: int) -> tuple[Array, Array]:
    random = np.random.default_rng(seed)
    costs = np.where(np.triu(np.ones((places, places)), 1) > 0, random.uniform(0, 10, (places, places)), np.inf)
    return costs, random.uniform(-2, 3, places)


def total(path: tuple[int, ...], costs: Array, prices: Array) -> float:
    return float(sum(costs[a, b] for a, b in pairwise(path)) + sum(prices[i] for i in path[1:-1]))


def cost_with(place: int, costs: Array, prices: Array, segments: int | None = None) -> float:
    """The least over every partition that cuts at that place."""
    last = len(costs) - 1
    inner = [chosen for count in range(last) for chosen in combinations(range(1, last), count)]
    paths = [(0, *chosen, last) for chosen in inner if place in (0, last, *chosen)]
    return min(total(path, costs, prices) for path in paths if segments is None or len(path) == segments + 1)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 8), st.integers(0, 10_000))
def test_it_is_what_the_best_partition_through_the_place_costs_more(places: int, seed: int) -> None:
    costs, prices = problem(places, seed)
    best = cost_with(0, costs, prices)
    more = dearer(costs, prices)
    np.testing.assert_allclose(more, [cost_with(i, costs, prices) - best for i in range(places)], atol=1e-9)
    assert np.flatnonzero(more < 1e-9).tolist() == cheapest(costs, prices)


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 8), st.integers(0, 10_000), st.integers(2, 5))
def test_with_a_number_of_segments_too(places: int, seed: int, segments: int) -> None:
    costs, prices = problem(places, seed)
    path = cheapest_of(costs, prices, segments)
    made = len(path) - 1
    best = cost_with(0, costs, prices, made)
    expected = [cost_with(i, costs, prices, made) - best for i in range(places)]
    np.testing.assert_allclose(dearer_of(costs, prices, made), expected, atol=1e-9)


def test_where_no_partition_cuts_it_is_infinite() -> None:
    costs, prices = problem(5, 1)
    costs[:2, 3:] = np.inf
    costs[0, 2] = costs[2, 4] = 1.0
    costs[1, 2] = np.inf
    assert dearer(costs, prices)[1] == np.inf


SAID = [Sentence(f"Sentence number {i} of the talk.", i * 2.0, i * 2 + 1.5) for i in range(60)]


def vectors(*topics: int) -> NDArray[np.float32]:
    random = np.random.default_rng(3)
    rows = np.vstack([np.eye(64)[k] + random.normal(size=(n, 64)) / 10 for k, n in enumerate(topics)])
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def test_of_the_gaps_not_cut_those_beside_a_true_edge_come_closest() -> None:
    for rule in ("default", "optimal"):
        decision = decide(SAID, vectors(25, 35), TopicSettings(rule=rule))
        found = curve(decision, SAID)
        assert found is not None
        assert [cut.after for cut in decision.cuts] == [24]
        assert found.missed[24] == 0
        by = {gap: missed for gap, missed in enumerate(found.missed) if missed is not None and gap != 24}
        assert all(missed > 0 for missed in by.values())
        assert min(by, key=lambda gap: by[gap]) != 24


def test_with_a_number_of_topics_the_lowest_that_was_cut_decides() -> None:
    decision = decide(SAID, vectors(20, 20, 20), TopicSettings(rule="percentile", topics_count=3))
    found = curve(decision, SAID)
    assert found is not None
    assert found.threshold is None
    cut = {c.after for c in decision.cuts}
    lowest = min(found.scores[gap] for gap in cut)
    assert found.missed == tuple(lowest - score for score in found.scores)
    assert {gap for gap, missed in enumerate(found.missed) if missed is not None and missed <= 0} == cut


def test_what_is_taken_back_is_said() -> None:
    decision = decide(SAID, vectors(3, 57), TopicSettings(rule="optimal", min_tokens=60))
    found = curve(decision, SAID)
    assert found is not None
    assert decision.cuts == []
    assert found.remarks == {2: "taken back: a topic would be too short"}
