"""Doubts: each kind of evidence marks what it should and leaves clear speech alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from segmenter.records import Sentence, Span, Word
from segmenter.speech.doubts import EVIDENCE, doubtful, doubts, repeated
from segmenter.speech.transcriber import Passage

WORDS = (Word(" We", 1.0, 1.2, 0.9), Word(" meet", 1.2, 1.5, 0.9), Word(" today.", 1.5, 2.0, 0.9))
CLEAR = Sentence("We meet today.", 1.0, 2.0, words=WORDS)
PASSAGE = Passage(WORDS, Span(0.0, 10.0), (Span(0.9, 2.1),), "en", 0.99, -0.2, 1.4, 0.02)


def test_clear_speech_is_not_doubted() -> None:
    assert doubts(CLEAR, [PASSAGE]) == ()


def test_a_ready_transcript_is_judged_by_its_words_alone() -> None:
    assert doubts(Sentence("We meet.", 1.0, 2.0, words=(Word(" We", 1, 1.5), Word(" meet.", 1.5, 2)))) == ()
    assert doubts(Sentence("♪♪", 1.0, 2.0, words=(Word(" ♪♪", 1, 2),))) == ("no letters",)


@pytest.mark.parametrize(
    ("reason", "sentence", "passage"),
    [
        ("compression", CLEAR, replace(PASSAGE, compression_ratio=2.5)),
        ("no speech", CLEAR, replace(PASSAGE, no_speech_probability=0.7, avg_logprob=-0.7)),
        ("low probability", CLEAR, replace(PASSAGE, avg_logprob=-1.1)),
        ("low probability", replace(CLEAR, words=tuple(replace(w, probability=0.3) for w in WORDS)), PASSAGE),
        ("long word", replace(CLEAR, end=5.0, words=(Word(" We", 1.0, 4.5, 0.9),)), replace(PASSAGE, speech=(Span(0.9, 5.0),))),
        ("no letters", replace(CLEAR, text=". . ."), PASSAGE),
        ("too fast", replace(CLEAR, text="We meet today and tomorrow and the day after it."), PASSAGE),
        ("too slow", replace(CLEAR, end=9.0), replace(PASSAGE, speech=(Span(0.9, 9.1),))),
        ("phantom phrase", replace(CLEAR, text="Thanks for watching!"), replace(PASSAGE, no_speech_probability=0.4)),
        ("phantom phrase", replace(CLEAR, text="Untertitel von A. B."), replace(PASSAGE, avg_logprob=-0.7)),
        ("phantom phrase", replace(CLEAR, text="ご視聴ありがとうございました"), replace(PASSAGE, speech=(Span(0.9, 1.6),))),
        ("little voice", CLEAR, replace(PASSAGE, speech=(Span(1.9, 4.0),))),
    ],
)
def test_each_kind_of_evidence(reason: str, sentence: Sentence, passage: Passage) -> None:
    assert doubts(sentence, [passage]) == (reason,)
    assert reason in EVIDENCE


def test_people_do_say_what_models_invent() -> None:
    assert doubts(replace(CLEAR, text="Thanks for watching!"), [PASSAGE]) == ()
    assert doubts(replace(CLEAR, text="Thank you."), [replace(PASSAGE, no_speech_probability=0.5)]) == ()


def test_a_phrase_under_a_thirty_second_mark_is_doubted_in_ready_transcripts_too() -> None:
    assert doubts(Sentence("Thank you.", 30.0, 60.0, words=(Word(" Thank", 30, 45), Word(" you.", 45, 60)))) == ("too slow",)


def test_words_that_share_their_cue_s_time_are_not_long() -> None:
    assert doubts(Sentence("Well.", 1.0, 5.0, words=(Word(" Well.", 1, 5),))) == ()


def test_a_loop_that_was_cut_casts_doubt_on_what_is_left_of_it_alone() -> None:
    looped = replace(PASSAGE, loops=(Span(1.0, 1.9),))
    assert doubts(CLEAR, [looped]) == ("compression",)
    later = replace(CLEAR, start=2.5, end=3.5, words=(Word(" Then", 2.5, 2.9, 0.9), Word(" on.", 2.9, 3.5, 0.9)))
    assert doubts(later, [replace(looped, speech=(Span(0.9, 3.6),))]) == ()
    crushed = replace(PASSAGE, loops=(Span(1.4, 1.4),))
    assert doubts(CLEAR, [crushed]) == ("compression",)


def test_quiet_speech_that_the_model_is_sure_of_is_not_doubted() -> None:
    assert doubts(CLEAR, [replace(PASSAGE, no_speech_probability=0.7)]) == ()


def test_figures_that_are_not_known_raise_no_doubt() -> None:
    unknown = replace(PASSAGE, avg_logprob=None, compression_ratio=None, no_speech_probability=None)
    assert doubts(CLEAR, [unknown]) == ()


def test_the_voice_of_all_passages_under_a_sentence_counts() -> None:
    halves = [replace(PASSAGE, speech=(Span(1.0, 1.2),)), replace(PASSAGE, speech=(Span(1.8, 2.0),))]
    assert doubts(CLEAR, halves) == ()
    assert doubts(CLEAR, halves[:1]) == ("little voice",)


def said(*texts: str) -> list[Sentence]:
    return [Sentence(text, i, i + 0.9) for i, text in enumerate(texts)]


def test_three_times_the_same_in_a_row_is_a_repetition() -> None:
    assert repeated(said("No.", "Thank you.", "thank you", "Thank  you!", "No.")) == (False, True, True, True, False)
    assert repeated(said("No.", "Yes.", "No.", "Yes.", "No.", "No.")) == (False,) * 6
    assert repeated([]) == ()


def test_the_user_hears_how_many_and_why() -> None:
    first, second, third = said("One.", "Two.", "Three.")
    (finding,) = doubtful([first, replace(second, doubts=("repeated", "compression")), replace(third, doubts=("repeated",))])
    assert (finding.start, finding.end, finding.level) == (1, 2.9, "warning")
    assert finding.message.startswith("2 of 3 sentences")
    assert "repeated (2), compression (1)" in finding.message
    assert doubtful([first]) == []
