"""What every transcriber does alike: words on the recording's clock, the language, loops."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.errors import SettingsError
from segmenter.records import Span
from segmenter.speech.hearing import (
    LOOP_RATIO,
    Timed,
    check_language,
    compression_ratio,
    placed,
    spread,
)


def test_words_are_placed_from_the_window_on() -> None:
    words = placed([Timed(" a", 0.0, 0.5, 0.9), Timed(" b", 0.5, 9.0, 1.2)], Span(10.0, 12.0))
    assert [(w.text, w.start, w.end, w.probability) for w in words] == [(" a", 10.0, 10.5, 0.9), (" b", 10.5, 12.0, 1.0)]


seconds = st.floats(-5, 40)


@given(st.lists(st.tuples(st.sampled_from(["", " a", "."]), seconds, seconds), max_size=20))
def test_placed_words_stay_in_order_and_inside(timed: list[tuple[str, float, float]]) -> None:
    words = placed([Timed(text, a, b, 0.5) for text, a, b in timed], Span(10.0, 38.0))
    assert [w.text for w in words] == [text for text, _, _ in timed if text]
    assert all(10.0 <= w.start <= w.end <= 38.0 for w in words)
    assert all(a.end <= b.start for a, b in pairwise(words))


def test_loops_pack_better_than_speech() -> None:
    assert compression_ratio(" It is a large beginner." * 20) > LOOP_RATIO
    assert compression_ratio("And so, my fellow Americans, ask not what your country can do for you.") < 1.5
    assert compression_ratio("") == 0.0


def test_a_text_without_word_times_shares_its_own() -> None:
    timed = spread(" Good morning.", 1.0, 2.4)
    assert [(word.text, word.probability) for word in timed] == [(" Good", None), (" morning.", None)]
    assert [timed[0].start, timed[0].end, timed[1].end] == pytest.approx([1.0, 1.5, 2.4])


def test_an_unknown_language_lists_the_known_ones() -> None:
    check_language(None, ["en"])
    check_language("en", ["en"])
    with pytest.raises(SettingsError, match="en, ja"):
        check_language("xx", ["ja", "en"])
