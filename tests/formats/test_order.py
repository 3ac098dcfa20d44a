"""Cues of any file, in order, inside the recording and one after the other."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.errors import BadInput, TooLarge
from segmenter.formats.cues import Cue, Piece, Tally
from segmenter.formats.order import in_order


def cue(start: float, end: float, text: str = " word") -> Cue:
    return Cue(start, end, (Piece(text),))


def spans(cues: list[Cue]) -> list[tuple[float, float]]:
    return [(c.start, c.end) for c in cues]


def test_cues_are_sorted_by_start() -> None:
    tally = Tally()
    assert spans(in_order([cue(5, 6), cue(1, 2), cue(3, 4)], None, tally)) == [(1, 2), (3, 4), (5, 6)]
    assert tally["transcript_order"] == 1


def test_an_overlapping_cue_ends_where_the_next_begins() -> None:
    tally = Tally()
    assert spans(in_order([cue(1, 5), cue(2, 4)], None, tally)) == [(1, 2), (2, 4)]
    assert tally["transcript_overlap"] == 1


def test_an_overlap_by_rounding_is_not_worth_a_word() -> None:
    tally = Tally()
    assert spans(in_order([cue(1, 2.04), cue(2, 3)], None, tally)) == [(1, 2), (2, 3)]
    assert tally["transcript_overlap"] == 0


def test_cues_that_begin_together_take_turns_by_their_characters() -> None:
    tally = Tally()
    ordered = in_order([cue(1, 2, " abc"), cue(1, 2, " d"), cue(1, 1.5, " e")], None, tally)
    assert spans(ordered) == [(1, 1.5), (1.5, 1.75), (1.75, 2)]
    assert tally["transcript_overlap"] == 2


def test_cues_past_the_end_are_left_out_and_those_across_it_are_cut() -> None:
    tally = Tally()
    assert spans(in_order([cue(1, 2), cue(9, 11), cue(10, 12), cue(20, 21)], 10.0, tally)) == [(1, 2), (9, 10)]
    assert (tally["transcript_past_end"], tally["transcript_clipped"]) == (2, 1)


def test_the_transcript_of_another_recording_is_refused() -> None:
    with pytest.raises(BadInput, match="after the end"):
        in_order([cue(60, 62)], 10.0, Tally())


def test_more_text_than_can_be_said_is_refused() -> None:
    long = " " + "a" * 104_000
    assert spans(in_order([cue(0, 10, long)], 10.0, Tally())) == [(0, 10)]
    with pytest.raises(TooLarge, match="limit"):
        in_order([cue(0, 10, long), cue(0, 10, " " + "b" * 2_000)], 10.0, Tally())


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(0, 20), st.text("ab", min_size=1, max_size=5))),
    st.none() | st.floats(50, 130),
)
def test_whatever_comes_in_time_never_runs_backwards_and_no_text_inside_is_lost(
    raw: list[tuple[float, float, str]], duration: float | None
) -> None:
    cues = [cue(start, start + length, text) for start, length, text in raw]
    inside = [c for c in cues if duration is None or c.start < duration]
    if cues and not inside:
        return
    ordered = in_order(cues, duration, Tally())
    assert sorted(c.text for c in ordered) == sorted(c.text for c in inside)
    assert all(c.start <= c.end for c in ordered)
    assert all(a.end <= b.start for a, b in pairwise(ordered))
    assert all(duration is None or c.end <= duration for c in ordered)
