"""Sound to words: the protocol that every back end keeps, and the table of back ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.records import Span, Word
from segmenter.table import Row


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Up to 30 s of sound that somebody speaks in.

    `samples` are mono 16 kHz float32, shape (n,), the first one at `start` on the recording's clock; `speech` is
    where the voice-activity detector heard a voice, on the same clock.
    """

    start: float
    samples: NDArray[np.float32]
    speech: tuple[Span, ...]

    @property
    def span(self) -> Span:
        return Span(self.start, on_clock(self.start, len(self.samples)))


def on_clock(start: float, samples: int) -> float:
    """The time of a sample, counted from `start`. Rounded far below a sample's length, so that equal times are equal."""
    return round(start + samples / SAMPLE_RATE_HZ, 7)


@dataclass(frozen=True, slots=True)
class Passage:
    """What was heard in one window, and the model's own figures about it (None: not known).

    `speech` is the window's: where the voice-activity detector heard a voice; `loops` is where words are said
    over and over, or were until the loop was cut to its first turn.
    """

    words: tuple[Word, ...]
    window: Span
    speech: tuple[Span, ...]
    language: str
    language_probability: float | None = None
    avg_logprob: float | None = None
    compression_ratio: float | None = None
    no_speech_probability: float | None = None
    loops: tuple[Span, ...] = ()


class Transcriber(Protocol):
    def transcribe(self, windows: Iterable[Window], language: str | None) -> Iterator[Passage]:
        """One passage a window, or several where its language changes, in order; never translated.

        Word times are on the recording's clock, inside the window, and never fall. With the setting `word_times` off
        the words share the times of what was said in one go, and their probability is None.
        `language` is a code such as `en`; None: heard from the sound.
        """


TRANSCRIBERS = {
    "faster-whisper": Row(
        "segmenter.speech.fast_whisper:FastWhisper", "Whisper on CTranslate2, int8 on a CPU", ("faster_whisper",), "speech"
    ),
    "openai-whisper": Row(
        "segmenter.speech.openai_whisper:OpenAIWhisper", "the reference implementation, on torch", ("whisper",), "openai"
    ),
}
