"""What every transcriber does alike: words on the recording's clock, the language, loops."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.errors import SettingsError
from segmenter.records import Span
from segmenter.speech.hearing import (
    LOOP_RATIO,
    Language,
    LanguageVote,
    Timed,
    check_language,
    compression_ratio,
    placed,
)
from segmenter.speech.transcriber import Window


def window(seconds_of_speech: float) -> Window:
    return Window(0.0, np.zeros(16, np.float32), (Span(0.0, seconds_of_speech),))


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


def test_a_window_that_is_sure_has_its_own_language() -> None:
    vote = LanguageVote()
    for _ in range(3):
        vote.hear(window(10), {"en": 0.95, "de": 0.05})
    vote.hear(window(10), {"en": 0.02, "de": 0.98})
    assert vote.choose(window(10), {"en": 0.02, "de": 0.98}) == Language("de", 0.98)


def test_a_window_that_is_unsure_or_short_follows_the_vote() -> None:
    vote = LanguageVote()
    vote.hear(window(10), {"en": 0.9, "de": 0.1})
    vote.hear(window(10), {"en": 0.3, "de": 0.7})
    chosen = vote.choose(window(10), {"en": 0.3, "de": 0.7})
    assert chosen.code == "en"
    assert chosen.probability == pytest.approx(0.6)
    assert vote.choose(window(1), {"de": 0.99, "en": 0.01}).code == "en"


def test_long_windows_weigh_more() -> None:
    vote = LanguageVote()
    vote.hear(window(20), {"fr": 0.8, "it": 0.2})
    for _ in range(3):
        vote.hear(window(2), {"fr": 0.2, "it": 0.8})
    assert vote.choose(window(2), {"fr": 0.2, "it": 0.8}).code == "fr"


def test_an_unknown_language_lists_the_known_ones() -> None:
    check_language(None, ["en"])
    check_language("en", ["en"])
    with pytest.raises(SettingsError, match="en, ja"):
        check_language("xx", ["ja", "en"])
