"""What every transcriber does alike: placing words on the recording's clock, choosing the language, judging a window."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from segmenter import timeline
from segmenter.errors import SettingsError
from segmenter.records import Span, Word
from segmenter.speech.transcriber import Window

LOOP_RATIO = 2.4  # text that packs better repeats itself (Radford et al. 2022, section 4.5); real speech stays under 2.3

_SURE = 0.9  # a window's own language counts from here on; surer than code switching inside the window lets it be
_SURE_SPEECH_S = 3.0  # and with so much speech in it


class Language(NamedTuple):
    """A language code such as `en`, and how sure the model is (None: it was given)."""

    code: str
    probability: float | None = None


class Timed(NamedTuple):
    """A word as a model times it, in seconds from the start of its window."""

    text: str
    start: float
    end: float
    probability: float


def check_language(language: str | None, known: Collection[str]) -> None:
    """Raises SettingsError where a model does not know the language asked for."""
    if language is not None and language not in known:
        raise SettingsError(f"the model does not know the language {language!r}", hint=f"it knows: {', '.join(sorted(known))}")


def placed(words: Iterable[Timed], window: Span) -> tuple[Word, ...]:
    """Words on the recording's clock: inside the window, no word before the one in front of it."""
    result: list[Word] = []
    at = window.start
    for word in words:
        if word.text:
            start = float(min(max(at, window.start + word.start), window.end))
            at = float(min(max(start, window.start + word.end), window.end))
            result.append(Word(word.text, start, at, float(min(max(word.probability, 0.0), 1.0))))
    return tuple(result)


def compression_ratio(text: str) -> float:
    """Bytes of the text over its bytes when packed: high for text that repeats itself."""
    data = text.strip().encode()
    return len(data) / len(zlib.compress(data))


class LanguageVote:
    """The language of each window, from the model's probabilities for it and for the windows before.

    A window that is sure of itself has its own language; the others follow the vote of all windows so far, each
    weighted with its seconds of speech.
    """

    def __init__(self) -> None:
        self._votes: Counter[str] = Counter()
        self._weight = 0.0

    def hear(self, window: Window, probabilities: Mapping[str, float]) -> None:
        """Let a window vote."""
        weight = sum(map(timeline.length, window.speech))
        self._weight += weight
        self._votes.update({language: share * weight for language, share in probabilities.items()})

    def choose(self, window: Window, probabilities: Mapping[str, float]) -> Language:
        """The window's language with its own probability or the vote's share."""
        own = max(probabilities, key=lambda language: probabilities[language])
        if probabilities[own] >= _SURE and sum(map(timeline.length, window.speech)) >= _SURE_SPEECH_S:
            return Language(own, probabilities[own])
        winner, votes = self._votes.most_common(1)[0]
        return Language(winner, votes / self._weight)
