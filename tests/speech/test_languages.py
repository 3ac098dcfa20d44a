"""Languages: each window has its own, a change inside one cuts it there, noise does not; never translated."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sounds import blocks_of, samples_of

from segmenter import weights
from segmenter.errors import ModelMissing
from segmenter.evaluate.speech import error_rate
from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.records import Sentence, Span, Word
from segmenter.settings import SpeechSettings
from segmenter.speech.languages import LanguageVote, Probabilities, report, stretches
from segmenter.speech.transcriber import TRANSCRIBERS, Passage, Window
from segmenter.speech.understanding import understand
from segmenter.speech.vad import VoiceActivity
from segmenter.speech.windows import windows
from segmenter.table import load

ENGLISH, GERMAN, UNSURE = {"en": 0.99, "de": 0.01}, {"en": 0.01, "de": 0.99}, {"en": 0.4, "de": 0.6}


def window(*speech: tuple[float, float], start: float = 0.0) -> Window:
    end = max(b for _, b in speech)
    return Window(start, np.zeros(round((end - start) * SAMPLE_RATE_HZ), np.float32), tuple(Span(a, b) for a, b in speech))


def german_from(border: float) -> LanguageVote:
    """A voter over a recording in English before `border` and in German after it."""

    def detect(parts: Sequence[Window]) -> list[Probabilities]:
        return [GERMAN if part.speech[0].start >= border else ENGLISH for part in parts]

    return LanguageVote(detect)


def test_a_sure_window_is_not_looked_into() -> None:
    def never(_: Sequence[Window]) -> list[Probabilities]:
        raise AssertionError

    whole = window((0, 10), (11, 20))
    assert LanguageVote(never).languages(whole, ENGLISH) == [(whole, ("en", 0.99))]


def test_a_change_inside_a_window_cuts_it_in_the_pause() -> None:
    (a, first), (b, second) = german_from(10).languages(window((0.2, 4), (4.5, 9), (10, 14), (15, 20)), UNSURE)
    assert (first.code, second.code) == ("en", "de")
    assert (a.start, a.span.end, b.start, b.span.end) == (0, 9.5, 9.5, 20)
    assert a.speech + b.speech == (Span(0.2, 4), Span(4.5, 9), Span(10, 14), Span(15, 20))


def test_a_window_sure_of_another_language_than_the_one_before_is_looked_into() -> None:
    vote = german_from(24)
    vote.languages(window((0, 10)), ENGLISH)
    found = vote.languages(window((20, 23), (24, 40), start=20), GERMAN)
    assert [language.code for _, language in found] == ["en", "de"]


def test_a_window_that_stays_unsure_follows_the_vote() -> None:
    vote = LanguageVote(lambda parts: [UNSURE] * len(parts))
    vote.languages(window((0, 20)), ENGLISH)
    ((_, language),) = vote.languages(window((20, 24), (25, 29), start=20), UNSURE)
    assert language.code == "en"
    assert language.probability == pytest.approx((0.99 * 20 + 0.4 * 8) / 28)


def test_stretches_tile_the_window_and_hold_two_seconds_of_speech() -> None:
    whole = window((0.5, 1), (2, 4.5), (5, 6), (6.5, 8), (9, 9.5), start=0.5)
    parts = stretches(whole)
    assert [part.start for part in parts] == [0.5, 4.75]
    assert sum(len(part.samples) for part in parts) == len(whole.samples)
    assert stretches(window((0, 1)))[0].span == Span(0, 1)


def test_the_report_says_how_much_of_which_language_and_how_sure() -> None:
    def passage(code: str, start: float, end: float, probability: float | None) -> Passage:
        return Passage((Word(" x", start, end),), Span(start, end), (Span(start, end),), code, probability)

    (finding,) = report([passage("en", 0, 30, 0.9), passage("de", 30, 40, 0.8), passage("en", 40, 50, 1.0)])
    assert finding.level == "note"
    assert "en in 80% of the speech (probability 0.93), de in 20% of the speech (probability 0.80)" in finding.message
    assert report([passage("en", 0, 30, None)]) == []
    assert report([]) == []


def heard(path: Path) -> tuple[Sentence, ...]:
    settings = SpeechSettings(model="base")
    try:
        model = weights.locate("faster-whisper/base")
    except ModelMissing as error:
        pytest.skip(str(error))
    transcriber = load("transcriber", TRANSCRIBERS, "faster-whisper")(model.path, settings, 1)
    spoken = windows(VoiceActivity().listen(blocks_of(samples_of(path), 160_000)), settings)
    return understand(transcriber.transcribe(spoken, None), settings)


def test_single_lines_in_another_language_are_transcribed_in_it(shared: Path) -> None:
    """Spanish, two English sentences, Spanish, and without a pause an English one."""
    found = heard(shared / "speech" / "mixed_es_en.opus")
    by_language = {code: " ".join(s.text for s in found if s.language == code) for code in ("es", "en")}
    lines = (shared / "speech" / "mixed_es_en.txt").read_text(encoding="utf-8").splitlines()
    assert error_rate(" ".join(lines[0::2]), by_language["es"], "es") < 0.15
    assert error_rate(" ".join(lines[1::2]), by_language["en"], "en") < 0.15


def test_a_change_of_language_in_a_talk_is_found(shared: Path) -> None:
    found = heard(shared / "speech" / "mixed_en_de.opus")
    english = [s for s in found if s.language == "en"]
    german = [s for s in found if s.language == "de"]
    assert len(english) + len(german) == len(found)
    assert english[-1].end == pytest.approx(29.1, abs=0.2)
    assert german[0].start == pytest.approx(30.0, abs=0.2)
