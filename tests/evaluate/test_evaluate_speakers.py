"""The diarization error rate, on cases small enough to do by hand, and its laws."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.evaluate.speakers import diarization_error
from segmenter.records import Turn


def turns(*rows: tuple[str, float, float]) -> list[Turn]:
    return [Turn(*row) for row in rows]


@st.composite
def many_turns(draw: st.DrawFn) -> list[Turn]:
    rows = draw(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 40), st.integers(1, 10)), max_size=8))
    return [Turn(name, start / 4, (start + length) / 4) for name, start, length in rows]


def test_the_same_turns_under_other_names_are_no_error() -> None:
    truth = turns(("Ada", 0, 2), ("Bob", 2, 5), ("Ada", 5, 6))
    found = turns(("2", 0, 2), ("1", 2, 5), ("2", 5, 6))
    assert diarization_error(truth, found).rate == 0


def test_each_kind_of_error_is_counted_in_seconds() -> None:
    truth = turns(("Ada", 0, 4), ("Bob", 4, 10))
    found = turns(("x", 1, 5), ("y", 5, 9), ("y", 10, 12))  # 1 s missed, 1 s of Bob is Ada's, 1 s missed, 2 s invented
    error = diarization_error(truth, found)
    assert (error.missed, error.invented, error.confused, error.total) == (2, 2, 1, 10)
    assert error.rate == 0.5


def test_two_at_once_count_as_two() -> None:
    truth = turns(("Ada", 0, 4), ("Bob", 2, 4))
    error = diarization_error(truth, turns(("x", 0, 4)))
    assert (error.missed, error.total) == (2, 6)


def test_the_best_mapping_is_taken_not_the_first_that_fits() -> None:
    truth = turns(("Ada", 0, 5), ("Bob", 5, 9))
    found = turns(("x", 0, 3), ("x", 5, 9), ("y", 3, 5))  # x shares 3 s with Ada and 4 s with Bob: 4 + 2 s are right
    assert diarization_error(truth, found).confused == 3


@pytest.mark.parametrize(("truth", "found", "rate"), [([], [], 0.0), ([], [Turn("x", 0, 1)], 1.0), ([Turn("a", 0, 1)], [], 1.0)])
def test_nothing_is_no_special_case(truth: list[Turn], found: list[Turn], rate: float) -> None:
    assert diarization_error(truth, found).rate == rate


@given(many_turns(), many_turns())
def test_no_mapping_of_names_does_better(truth: list[Turn], found: list[Turn]) -> None:
    """Seconds of agreement under every mapping, counted quarter by quarter, never beat the one that is taken."""
    error = diarization_error(truth, found)

    def speaking(rows: list[Turn], at: float) -> set[str]:
        return {turn.speaker for turn in rows if turn.start <= at < turn.end}

    moments = [(i + 0.5) / 4 for i in range(52)]
    wrong = min(
        sum(
            0.25 * (max(len(true), len(made)) - len(true & {mapping[name] for name in made}))
            for at in moments
            for true, made in [(speaking(truth, at), speaking(found, at))]
        )
        for order in permutations("abc")
        for mapping in [dict(zip("abc", order, strict=True))]
    )
    assert error.missed + error.invented + error.confused == pytest.approx(wrong)
