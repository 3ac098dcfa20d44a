"""Passages to sentences: across windows, by language, with true edges and doubts; nothing lost, times shift along."""

from __future__ import annotations

from dataclasses import replace

import pytest

from segmenter.records import Span, Word
from segmenter.settings import SpeechSettings
from segmenter.speech.transcriber import Passage
from segmenter.speech.understanding import understand, understand_ready

SETTINGS = SpeechSettings()


def passage(start: float, text: str, language: str = "en") -> Passage:
    """Half a second a word, spoken without a pause."""
    words = tuple(Word(f" {word}", start + i / 2, start + i / 2 + 0.5, 0.9) for i, word in enumerate(text.split()))
    window = Span(start, words[-1].end if words else start + 1)
    return Passage(words, window, (window,), language, 0.99, -0.2, 1.4, 0.02)


def test_nothing_heard_gives_no_sentences() -> None:
    assert understand([], SETTINGS) == ()
    assert understand([replace(passage(0, "x"), words=())], SETTINGS) == ()


def test_a_sentence_may_begin_in_one_window_and_end_in_the_next() -> None:
    found = understand([passage(0, "Good day. We begin"), passage(2.1, "with the roof.")], SETTINGS)
    assert [(s.text, s.start, s.end) for s in found] == [("Good day.", 0.0, 1.0), ("We begin with the roof.", 1.0, 3.6)]


def test_a_change_of_language_ends_a_sentence() -> None:
    found = understand([passage(0, "We say"), passage(1, "guten Tag.", "de"), passage(2, "Bye.")], SETTINGS)
    assert [(s.text, s.language) for s in found] == [("We say", "en"), ("guten Tag.", "de"), ("Bye.", "en")]


def test_edges_go_to_the_pause_that_was_heard() -> None:
    heard = replace(passage(0, "Good day. We begin."), speech=(Span(0.1, 0.9), Span(1.3, 2.0)))
    first, second = understand([heard], SETTINGS)
    assert first.end == 0.9
    assert second.start == pytest.approx(1.28)
    assert (first.end, second.start) == (first.words[-1].end, second.words[0].start)


def test_a_looping_window_is_doubted_and_its_neighbour_is_not() -> None:
    looped = replace(passage(2, "Thank you. Thank you. Thank you."), compression_ratio=3.0)
    found = understand([passage(0, "We begin now."), looped], SETTINGS)
    assert [s.doubts for s in found] == [(), *[("compression", "repeated")] * 3]


def test_a_sentence_of_two_windows_has_the_doubts_of_both() -> None:
    found = understand([passage(0, "We begin"), replace(passage(1, "now."), avg_logprob=-1.5)], SETTINGS)
    assert [s.doubts for s in found] == [("low probability",)]


def test_all_words_come_out_in_order_and_shifted_input_gives_shifted_output() -> None:
    texts = ["One two. Three", "four five.", "Six! Seven eight"]
    here = understand([passage(4.0 * i, text) for i, text in enumerate(texts)], SETTINGS)
    there = understand([passage(1000 + 4.0 * i, text) for i, text in enumerate(texts)], SETTINGS)
    assert "".join(w.text for s in here for w in s.words).split() == " ".join(texts).split()
    assert [(s.text, s.start + 1000, s.end + 1000) for s in here] == [(s.text, s.start, s.end) for s in there]


def test_captions_are_not_doubted_but_what_a_model_wrote_is() -> None:
    """An emoji for five seconds, three times: people caption so, and a model that does so loops."""
    shown = [Word(" 🎉", 5.0 * i, 5.0 * i + 4.5) for i in range(3)]
    assert [s.doubts for s in understand_ready(shown, SETTINGS)] == [()] * len(understand_ready(shown, SETTINGS))
    heard = [replace(word, probability=0.3) for word in shown]
    assert all(s.doubts for s in understand_ready(heard, SETTINGS))
