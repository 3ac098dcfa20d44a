"""Timestamp tokens: which parts of a window were heard, and what was passed over."""

from __future__ import annotations

import numpy as np

from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.records import Span
from segmenter.speech.parts import Part, heard_until, kept, parts, passed_over
from segmenter.speech.transcriber import Window

SPECIAL, TIME = 100, 200  # text tokens below 100, timestamps from 200 on, 0.02 s each


def at(seconds: float) -> int:
    return TIME + round(seconds / 0.02)


def window(*speech: tuple[float, float]) -> Window:
    return Window(50.0, np.zeros(20 * SAMPLE_RATE_HZ, np.float32), tuple(Span(50 + a, 50 + b) for a, b in speech))


def test_text_lies_between_timestamps() -> None:
    found = parts([at(0), 1, 2, at(1.4), at(2), 3, at(3.5)], SPECIAL, TIME)
    assert found == [Part(0.0, 1.4, [1, 2]), Part(2.0, 3.5, [3])]


def test_a_last_part_may_lack_its_end() -> None:
    assert parts([at(0), 1, at(1), at(1), 2], SPECIAL, TIME) == [Part(0.0, 1.0, [1]), Part(1.0, None, [2])]
    assert parts([1, 2], SPECIAL, TIME) == [Part(0.0, None, [1, 2])]


def test_other_special_tokens_are_no_text() -> None:
    assert parts([150, at(0), 1, at(1), SPECIAL], SPECIAL, TIME) == [Part(0.0, 1.0, [1])]
    assert parts([], SPECIAL, TIME) == []


def test_an_unfinished_part_is_dropped_where_much_speech_follows() -> None:
    found = [Part(0.0, 5.0, [1]), Part(5.0, None, [2])]
    assert kept(window((0, 12)), found) == found[:1]
    assert kept(window((0, 5.5)), found) == found
    assert kept(window((0, 12)), found[1:]) == found[1:]


def test_the_window_is_heard_until_the_last_timestamp() -> None:
    assert heard_until(window(), [Part(0.0, 5.0, [1])]) == 55.0
    assert heard_until(window(), [Part(0.0, None, [1])]) == 70.0
    assert heard_until(window(), [Part(0.0, 29.5, [1])]) == 70.0
    assert heard_until(window(), []) == 50.0


def test_what_was_passed_over_is_a_window_of_its_own() -> None:
    rest = passed_over(window((0, 6), (7, 12)), 56.5)
    assert rest is not None
    assert (rest.start, rest.span.end, rest.speech) == (56.5, 70.0, (Span(57.0, 62.0),))


def test_a_word_behind_the_last_timestamp_is_not_passed_over() -> None:
    assert passed_over(window((0, 6)), 55.3) is None
    assert passed_over(window((0, 6)), 70.0) is None
