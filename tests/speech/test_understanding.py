"""Passages to sentences: across windows, by language, with true edges and doubts; nothing lost, times shift along."""

from __future__ import annotations

from dataclasses import replace

import pytest

from segmenter.formats.cues import Figures
from segmenter.records import Sentence, Span, Word
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


def ready(*segments: tuple[str, float, float, Figures | None]) -> tuple[Sentence, ...]:
    """Each word of a segment for an equal share of its time."""
    said, figures = list[Word](), list[Figures | None]()
    for text, start, end, told in segments:
        each = (end - start) / len(text.split())
        said += [Word(f" {word}", start + i * each, start + (i + 1) * each) for i, word in enumerate(text.split())]
        figures += [told] * len(text.split())
    return understand_ready(said, SETTINGS, "en", figures=figures)


GOOD = Figures(-0.2, 1.1, 0.01)


def test_the_figures_of_a_ready_transcript_tell_what_was_invented() -> None:
    found = ready(
        ("Hello everyone.", 0, 3, Figures(-0.2, 1.1, 0.01)),
        ("Thank you for watching!", 3, 5, Figures(-1.3, 1.0, 0.95)),
        ("so " * 40, 5, 35, Figures(-0.1, 9.0, 0.1)),
        ("We go on.", 35, 38, Figures(-0.2, 1.1, 0.01)),
    )
    assert [(s.text[:12], s.doubts[:1]) for s in found if not s.text.startswith("so so")] == [
        ("Hello everyo", ()),
        ("Thank you fo", ("no speech",)),
        ("We go on.", ()),
    ]
    assert all("compression" in s.doubts for s in found if s.text.startswith("so so"))


def test_sentences_still_reach_over_segments_that_were_spoken() -> None:
    found = ready(("We begin", 0, 1, GOOD), ("with the roof. And", 1, 3, Figures(-0.3, 1.2, 0.02)), ("go.", 3, 3.5, None))
    assert [(s.text, s.doubts) for s in found] == [("We begin with the roof.", ()), ("And go.", ())]


@pytest.mark.parametrize(("times", "doubted"), [(3, 0), (7, 0), (8, 8), (30, 30)])
def test_captions_that_say_the_same_over_and_over_are_doubted(times: int, doubted: int) -> None:
    texts = ["Hello.", *["Thank you for watching!"] * times, "We go on."]
    words = [Word(f" {text}", 3.0 * i, 3.0 * i + 3) for i, text in enumerate(texts)]
    found = understand_ready(words, SETTINGS, "en")
    assert sum(s.doubts == ("repeated",) for s in found) == doubted
    assert found[0].doubts == found[-1].doubts == ()
