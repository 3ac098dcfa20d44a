"""What comes back within a budget."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.retrieval.filling import fill, merged, passages

TOKENS = st.lists(st.integers(1, 40), min_size=1, max_size=40)


@st.composite
def orders(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    """Lengths of sentences, an order of them, and the parent of each."""
    tokens = draw(TOKENS)
    order = draw(st.permutations(range(len(tokens))))
    owner = np.cumsum(draw(st.lists(st.integers(0, 1), min_size=len(tokens), max_size=len(tokens)))).tolist()
    return tokens, list(order), [n - owner[0] for n in owner]


@given(TOKENS, st.integers(0, 200))
def test_the_budget_is_never_passed_and_the_next_would_pass_it(tokens: list[int], budget: int) -> None:
    taken = fill(range(len(tokens)), tokens, budget)
    paid = sum(tokens[i] for i in taken)
    assert paid <= budget
    assert len(taken) == len(tokens) or paid + tokens[len(taken)] > budget


def test_it_stops_at_the_first_that_does_not_fit_even_if_a_later_one_would() -> None:
    assert fill([0, 1, 2], [5, 9, 1], 10) == [0]


def test_what_is_named_twice_is_paid_for_twice() -> None:
    assert fill([0, 0, 1], [4, 4], 10) == [0, 0]


@given(orders(), st.floats(0.05, 1.5))
def test_merging_names_every_sentence_once(case: tuple[list[int], list[int], list[int]], part: float) -> None:
    tokens, order, owner = case
    assert sorted(merged(order, owner, np.array(tokens), part)) == sorted(order)


@given(orders())
def test_merging_from_more_than_the_whole_on_changes_nothing(case: tuple[list[int], list[int], list[int]]) -> None:
    tokens, order, owner = case
    assert list(merged(order, owner, np.array(tokens), 1.5)) == order


def test_half_of_a_parent_brings_the_rest_at_once() -> None:
    owner, tokens = [0, 0, 0, 1, 1], np.array([1, 1, 2, 5, 5])
    assert list(merged([0, 4, 1, 2, 3], owner, tokens, 0.5)) == [0, 4, 3, 1, 2]


def test_a_parent_is_measured_by_length_not_by_number() -> None:
    owner, tokens = [0, 0, 0, 0, 1], np.array([1, 1, 1, 30, 1])
    assert list(merged([0, 1, 2, 4, 3], owner, tokens, 0.5)) == [0, 1, 2, 4, 3]


def test_neighbours_join_and_recordings_do_not() -> None:
    assert passages([4, 1, 2, 2, 3], [0, 0, 0, 1, 1]) == [(1, 2), (3, 4)]


@given(st.sets(st.integers(0, 30)))
def test_passages_cover_what_was_taken_and_nothing_else(taken: set[int]) -> None:
    found = passages(taken, [0] * 31)
    assert [i for first, last in found for i in range(first, last + 1)] == sorted(taken)
    assert all(b[0] > a[1] + 1 for a, b in pairwise(found))


@pytest.mark.parametrize("budget", [0, 3])
def test_nothing_fits_into_too_small_a_budget(budget: int) -> None:
    assert fill([0], [4], budget) == []
