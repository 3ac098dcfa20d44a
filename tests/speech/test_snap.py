"""Snapping: word edges go to the pauses that were heard, and nothing is moved out of order or out of its window."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segmenter.records import Span, Word
from segmenter.speech.snap import snap

WINDOW = Span(10.0, 20.0)
WORDS = (
    Word(" Good", 10.1, 10.5),
    Word(" day.", 10.5, 11.4),
    Word(" Who", 11.4, 11.7),
    Word(" is", 11.7, 12.0),
    Word(" it?", 12.0, 13.3),
)


def times(words: tuple[Word, ...]) -> list[tuple[float, float]]:
    return [(round(word.start, 3), round(word.end, 3)) for word in words]


def test_a_sentence_ends_and_begins_with_the_pause() -> None:
    snapped = snap(WORDS, [2, 5], [Span(10.2, 11.0), Span(11.6, 13.0)], WINDOW)
    assert times(snapped) == [(10.18, 10.5), (10.5, 11.0), (11.58, 11.7), (11.7, 12.0), (12.0, 13.0)]


def test_a_pause_out_of_reach_moves_nothing() -> None:
    assert times(snap(WORDS, [2, 5], [Span(10.0, 16.0), Span(17.0, 20.0)], WINDOW)) == times(WORDS)


def test_an_end_of_a_sentence_draws_a_pause_from_a_nearer_word() -> None:
    """The pause lies 0.1 s from the boundary before ` is` and 0.2 s from the one before ` Who`."""
    plain = snap(WORDS, [5], [Span(10.0, 11.6), Span(11.65, 20.0)], WINDOW)
    ending = snap(WORDS, [2, 5], [Span(10.0, 11.6), Span(11.65, 20.0)], WINDOW)
    assert plain[3].start == pytest.approx(11.63)
    assert ending[2].start == pytest.approx(11.63)


def test_a_pause_goes_to_one_boundary_only() -> None:
    words = (Word(" Yes.", 10.0, 10.6), Word(" No.", 10.6, 11.0), Word(" Well.", 11.0, 12.0))
    snapped = snap(words, [1, 2, 3], [Span(10.0, 10.7), Span(11.0, 12.0)], WINDOW)
    assert times(snapped) == [(10.0, 10.6), (10.6, 10.7), (10.98, 12.0)]


def test_no_word_is_squeezed_to_nothing() -> None:
    """Both pauses are near both ends of `No.`, which keeps the time of a word."""
    words = (Word(" Yes", 10.0, 10.5), Word(" No.", 10.5, 10.9), Word(" Well.", 10.9, 12.0))
    snapped = snap(words, [1, 2, 3], [Span(10.0, 10.5), Span(10.7, 10.75), Span(10.95, 12.0)], WINDOW)
    assert all(word.end - word.start >= 0.1 for word in snapped)


def test_punctuation_that_was_timed_apart_leaves_no_gap() -> None:
    words = (Word(" one,", 10.0, 10.2), Word(" two", 10.8, 11.0))
    assert times(snap(words, [2], [Span(10.0, 11.0)], WINDOW)) == [(10.0, 10.5), (10.5, 11.0)]


def test_no_words_and_no_speech_are_left_as_they_are() -> None:
    assert snap((), [0], [Span(10.0, 11.0)], WINDOW) == ()
    assert snap(WORDS, [2, 5], [], WINDOW) == WORDS


eighths = st.integers(0, 80).map(lambda i: 10.0 + i / 8)


@st.composite
def heard(draw: st.DrawFn) -> tuple[tuple[Word, ...], list[int], list[Span]]:
    edges = sorted(draw(st.lists(eighths, min_size=2, max_size=20)))
    edges = edges[: len(edges) // 2 * 2]
    words = tuple(Word(f" w{i}", a, b) for i, (a, b) in enumerate(zip(edges[::2], edges[1::2], strict=True)))
    ends = draw(st.lists(st.integers(1, len(words)), max_size=5))
    speech = sorted(draw(st.sets(eighths, max_size=12)))
    speech = speech[: len(speech) // 2 * 2]
    return words, [*ends, len(words)], [Span(a, b) for a, b in zip(speech[::2], speech[1::2], strict=True)]


@settings(deadline=None, max_examples=50)
@given(heard())
def test_laws_of_snapping(given_: tuple[tuple[Word, ...], list[int], list[Span]]) -> None:
    words, ends, speech = given_
    snapped = snap(words, ends, speech, WINDOW)
    assert [w.text for w in snapped] == [w.text for w in words]
    assert all(WINDOW.start <= w.start <= w.end <= WINDOW.end for w in snapped)
    assert all(a.end <= b.start for a, b in pairwise(snapped))


@settings(deadline=None, max_examples=50)
@given(heard(), st.integers(0, 100_000))
def test_shifting_in_time_shifts_the_words(given_: tuple[tuple[Word, ...], list[int], list[Span]], shift: int) -> None:
    words, ends, speech = given_
    later = tuple(Word(w.text, w.start + shift, w.end + shift) for w in words)
    moved = snap(later, ends, [Span(s.start + shift, s.end + shift) for s in speech], Span(10.0 + shift, 20.0 + shift))
    here = snap(words, ends, speech, WINDOW)
    assert [w.start + shift for w in here] == pytest.approx([w.start for w in moved], abs=1e-6)
    assert [w.end + shift for w in here] == pytest.approx([w.end for w in moved], abs=1e-6)
