"""Speech without words: found, heard again where that can be believed, told where it stays silent; both back ends alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sounds import blocks_of, samples_of

from segmenter import weights
from segmenter.errors import ModelMissing
from segmenter.evaluate.speech import error_rate
from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.records import Span, Word
from segmenter.settings import SpeechSettings
from segmenter.speech.transcriber import TRANSCRIBERS, Passage, Transcriber, Window
from segmenter.speech.understanding import understand
from segmenter.speech.unheard import filled, report, unheard
from segmenter.speech.vad import VoiceActivity
from segmenter.speech.windows import windows
from segmenter.table import load

# openai-whisper leaves its vocabulary file open.
pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

WINDOW = Window(50.0, np.zeros(20 * SAMPLE_RATE_HZ, np.float32), (Span(50, 58), Span(59, 64), Span(65, 70)))


def said(*times: tuple[float, float], sure: float | None = 0.9) -> tuple[Word, ...]:
    return tuple(Word(f" w{i}", start, end, sure) for i, (start, end) in enumerate(times))


def steady(start: float, end: float) -> tuple[Word, ...]:
    """A word every half second."""
    return said(*((t / 2, t / 2 + 0.4) for t in range(round(start * 2), round(end * 2))))


def passage(words: tuple[Word, ...], window: Window = WINDOW) -> Passage:
    return Passage(words, window.span, window.speech, "en", None, -0.2, 1.2, 0.05)


def test_speech_under_words_is_heard() -> None:
    assert unheard(steady(50, 70), WINDOW.speech, WINDOW.span) == []


def test_speech_behind_the_last_word_and_between_words_is_found() -> None:
    assert unheard(steady(50, 60), WINDOW.speech, WINDOW.span) == [Span(59.9, 70)]
    assert unheard(steady(50, 60) + steady(67, 70), WINDOW.speech, WINDOW.span) == [Span(59.9, 67)]
    assert unheard((), WINDOW.speech, WINDOW.span) == [WINDOW.span]


def test_a_pause_needs_no_words() -> None:
    assert unheard(steady(50, 54) + steady(64, 70), (Span(50, 54), Span(64, 70)), WINDOW.span) == []


def test_a_word_over_seconds_and_words_of_no_length_are_no_evidence() -> None:
    few = said((50, 57), (57, 62), (62, 62.3), (62.3, 66))
    assert unheard(few + steady(66, 70), WINDOW.speech, WINDOW.span) == [Span(50, 66)]
    crushed = said(*[(61.0, 61.0)] * 9)
    assert unheard(steady(50, 59) + crushed + steady(65, 70), WINDOW.speech, WINDOW.span) == [Span(58.9, 65)]


def test_interpolated_words_cover_their_phrase() -> None:
    assert unheard(said((50, 60), (60, 70), sure=None), WINDOW.speech, WINDOW.span) == []


def test_what_is_heard_there_stands_between_the_other_words() -> None:
    before, behind = steady(50, 58), steady(65, 70)
    again = replace(passage(steady(59, 64)), avg_logprob=-0.4, loops=(Span(60, 61),))
    whole = filled(WINDOW, passage(before + behind), lambda _: again)
    assert whole.words == before + steady(59, 64) + behind
    assert (whole.avg_logprob, whole.loops) == (-0.4, (Span(60, 61),))


@pytest.mark.parametrize(
    "change",
    [
        {"avg_logprob": -1.1},
        {"no_speech_probability": 0.7},
        {"words": said((60, 60.4))},
        {"words": ()},
    ],
)
def test_what_the_model_doubts_itself_and_a_phantom_are_not_taken(change: dict[str, object]) -> None:
    """So noise that is taken for a voice gets no more text than before."""
    first = passage(steady(50, 58) + steady(65, 70))
    parts: list[Window] = []

    def hear(part: Window) -> Passage:
        parts.append(part)
        return replace(passage(steady(59, 64), part), **change)  # type: ignore[arg-type]

    assert filled(WINDOW, first, hear) == first
    assert [part.speech for part in parts] == [(Span(59, 64),)]


def test_a_stretch_that_fails_is_cut_in_its_longest_pause() -> None:
    def hear(part: Window) -> Passage:
        good = len(part.speech) == 1
        return replace(passage(steady(*(part.speech[0].start, part.speech[0].end)), part), avg_logprob=-0.3 if good else -2.0)

    whole = filled(WINDOW, passage(steady(50, 58)), hear)
    assert whole.words == steady(50, 58) + steady(59, 64) + steady(65, 70)


def test_speech_that_stays_without_words_is_told() -> None:
    (finding,) = report([passage(steady(50, 70)), passage(steady(50, 60)), passage(())])
    assert (finding.code, finding.level, finding.start, finding.end) == ("speech_without_words", "warning", 59.9, 70)
    assert finding.message == "27 s of speech stayed without words, the first from 1:00 on"
    assert report([passage(steady(50, 70))]) == []


@pytest.fixture(scope="module", params=TRANSCRIBERS)
def backend(request: pytest.FixtureRequest) -> Transcriber:
    return made(request.param, "tiny.en")


def made(name: str, model: str) -> Transcriber:
    try:
        found = weights.locate(f"{name}/{model}")
    except ModelMissing as error:
        pytest.skip(str(error))
    transcriber: Transcriber = load("transcriber", TRANSCRIBERS, name)(found.path, SpeechSettings(), 1)
    return transcriber


Talk = Callable[[float, float], np.ndarray]


@pytest.fixture(scope="module")
def talk(shared: Path) -> Talk:
    sound = samples_of(shared / "speech" / "tts_meeting_a.opus")
    return lambda start, end: sound[round(start * SAMPLE_RATE_HZ) : round(end * SAMPLE_RATE_HZ)]


def windows_of(sound: np.ndarray) -> list[Window]:
    return list(windows(VoiceActivity().listen(blocks_of(sound, 160_000)), SpeechSettings()))


def test_a_sentence_that_is_really_said_again_and_again_stays(backend: Transcriber, talk: Talk) -> None:
    """Six times, a pause between, then other talk: each turn is heard where it is said."""
    turn = np.concatenate([talk(7.75, 11.45), np.zeros(SAMPLE_RATE_HZ // 2, np.float32)])
    found = understand(backend.transcribe(windows_of(np.concatenate([*[turn] * 6, talk(13.0, 18.9)])), "en"), SpeechSettings())
    again = [s for s in found if "tractor" in s.text]
    length = len(turn) / SAMPLE_RATE_HZ
    assert [s.start for s in again] == pytest.approx([0.1 + i * length for i in range(6)], abs=0.2)
    rest = [s for s in found if s.start > 6 * length - 0.1]
    assert not any(s.doubts for s in rest)
    expected = "Alright, we have an hour, so let us begin. The first item is the roof of the reading room."
    assert error_rate(expected, " ".join(s.text for s in rest), "en") < 0.15
    assert all(a.end <= b.start for a, b in pairwise(found))
