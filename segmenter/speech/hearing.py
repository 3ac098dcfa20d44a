"""What every transcriber does alike: placing words on the recording's clock, judging a window."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable
from typing import NamedTuple

from segmenter.errors import SettingsError
from segmenter.formats.cues import Cue, Piece, words
from segmenter.records import Span, Word

LOOP_RATIO = 2.4  # text that packs better repeats itself (Radford et al. 2022, section 4.5); real speech stays under 2.3


class Language(NamedTuple):
    """A language code such as `en`, and how sure the model is (None: it was given)."""

    code: str
    probability: float | None = None


class Timed(NamedTuple):
    """A word as a model times it, in seconds from the start of its window."""

    text: str
    start: float
    end: float
    probability: float | None


def spread(text: str, start: float, end: float) -> list[Timed]:
    """The words of a text of which only the times as a whole are known, each with its share of them by characters."""
    return [Timed(word.text, word.start, word.end, None) for word in words(Cue(start, max(start, end), (Piece(text),)))]


def check_language(language: str | None, known: Collection[str]) -> None:
    """Raises SettingsError where a model does not know the language asked for."""
    if language is not None and language not in known:
        raise SettingsError(f"the model does not know the language {language!r}", hint=f"it knows: {', '.join(sorted(known))}")


def placed(timed: Iterable[Timed], window: Span) -> tuple[Word, ...]:
    """Words on the recording's clock: inside the window, no word before the one in front of it."""
    result: list[Word] = []
    at = window.start
    for word in timed:
        if word.text:
            start = float(min(max(at, window.start + word.start), window.end))
            at = float(min(max(start, window.start + word.end), window.end))
            sure = None if word.probability is None else float(min(max(word.probability, 0.0), 1.0))
            result.append(Word(word.text, start, at, sure))
    return tuple(result)


def compression_ratio(text: str) -> float:
    """Bytes of the text over its bytes when packed: high for text that repeats itself."""
    data = text.strip().encode()
    return len(data) / len(zlib.compress(data))
