"""A cue is a stretch of time with its text; here its words get their times.

Every transcript reader makes cues; what follows (order, limits, words) is the same for all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf, isfinite

from segmenter.errors import TooLarge
from segmenter.formats.text import clean
from segmenter.records import Word

Tally = Counter[str]  # problems by code, counted while reading: one finding each, however many cues

_LIMIT_CUES = 500_000  # fifty hours captioned word by word
USUAL_HZ, SLOWEST_HZ = 15.0, 4.0  # characters a second that people say, whatever their script
_LONGEST_WORD_S = 2.0  # in real speech: 1.5 at most
_LATEST_S = 1e7  # 115 days; no recording is longer, and finite figures beyond are damage

# Scripts written without blanks whose single characters can stand as words. Thai, Lao, Khmer and Burmese have no
# blanks either, but where their words end only a dictionary knows: a run of them stays one word.
_IDEOGRAPH = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_OPENING = "「『（《〈【〔〖［｛“‘(\\[{«"
_TOKEN = re.compile(" *[^ ]+")
_FINE = re.compile(  # an ideograph with the marks around it, or what stands between two of them: 「好。 is one word
    f" *[{_OPENING}]*+(?:[{_IDEOGRAPH}][^\\w {_OPENING}]*|[^{_IDEOGRAPH} {_OPENING}]+)|[ {_OPENING}]+"
)
_HAS_IDEOGRAPH = re.compile(f"[{_IDEOGRAPH}]")
_STARTS_UNSPACED = re.compile(f"[{_OPENING}]*[{_IDEOGRAPH}]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a cue's text, with what the file says about it.

    `start` alone: the piece lasts until the next one that has a time; None: the times follow from the neighbours.
    """

    text: str
    start: float | None = None
    end: float | None = None
    probability: float | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """What the model that wrote a segment says about it (None: not known)."""

    avg_logprob: float | None = None
    compression_ratio: float | None = None
    no_speech_probability: float | None = None


@dataclass(frozen=True, slots=True)
class Cue:
    """Text between two times; `pieces` joined are the text, with a leading blank where words are separated by blanks."""

    start: float
    end: float
    pieces: tuple[Piece, ...]
    figures: Figures | None = None

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def check_number(count: int) -> None:
    """Raises `TooLarge` for more cues than a transcript can have."""
    if count > _LIMIT_CUES:
        raise TooLarge(f"{count} cues or segments: more than the limit of {_LIMIT_CUES}")


def usable_times(start: float, end: float, tally: Tally) -> tuple[float, float] | None:
    """The times of a cue with small faults mended, or None where there is no time to put its text."""
    if not (isfinite(start) and isfinite(end) and max(abs(start), abs(end)) <= _LATEST_S):
        tally["transcript_bad_time"] += 1
        return None
    if start < 0:
        tally["transcript_negative_time"] += 1
        if end <= 0:
            return None
    if end < start:
        tally["transcript_reversed"] += 1
    start = max(0.0, start)
    return start, max(start, end)


def tidy(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """The pieces of one cue cleaned: single blanks, each before the word it separates; empty pieces are left out."""
    kept: list[Piece] = []
    blank = True  # the text before this piece ended with a blank, which now begins this piece
    for piece in pieces:
        text = clean(piece.text)
        blank = blank or text.startswith(" ")
        word = text.strip(" ")
        if word:
            lead = "" if not blank or (not kept and _STARTS_UNSPACED.match(word)) else " "
            kept.append(Piece(lead + word, piece.start, piece.end, piece.probability, piece.speaker))
            blank = text.endswith(" ")
    return tuple(kept)


def unspaced(before: str, after: str) -> bool:
    """Whether two lines join without a blank: both sides of the joint are ideographs, kana or their punctuation."""
    return bool(_HAS_IDEOGRAPH.search(before[-2:]) and _STARTS_UNSPACED.match(after))


def split_words(text: str) -> Iterator[str]:
    """The words of `text` with the blanks before them; joined they are `text`. Ideographs and kana are words of one."""
    for token in _TOKEN.findall(text):
        if _HAS_IDEOGRAPH.search(token):
            yield from _FINE.findall(token)
        else:
            yield token


def words(cue: Cue) -> Iterator[Word]:
    """The words of a cue, in order, inside it; those without times of their own share their stretch by characters.

    Automatic captions tell when each word starts, and show the last one through the pause behind it: nobody speaks so slowly.
    """
    starts_alone = any(piece.start is not None and piece.end is None for piece in cue.pieces)
    stretches = list(_stretches(cue))
    nexts = [start for start, _, _ in stretches[1:]] + [cue.end]
    at = cue.start
    for (start, end, pieces), following in zip(stretches, nexts, strict=True):
        begin = min(max(at, start), cue.end)
        latest = begin + _longest(pieces) if starts_alone else inf
        at = min(max(begin, min(following, latest) if end is None else end), cue.end)
        yield from _spread(pieces, begin, at)


def _longest(pieces: Sequence[Piece]) -> float:
    """How long what begins at a known time, or is a single word, is spoken at most."""
    text = "".join(piece.text for piece in pieces)
    if pieces[0].start is None and len(text.split()) > 1:
        return inf
    return max(_LONGEST_WORD_S, len(text) / SLOWEST_HZ)


def _stretches(cue: Cue) -> Iterator[tuple[float, float | None, Sequence[Piece]]]:
    """Start, end (None: where the next one starts) and pieces of the parts of a cue between the times it knows."""
    start, end, group = cue.start, None, list[Piece]()
    for piece in cue.pieces:
        known = end if piece.start is None else piece.start
        if known is not None:
            if group:
                yield start, end, group
            start, end, group = known, piece.end, []
        group.append(piece)
    yield start, end, group


def _spread(pieces: Sequence[Piece], start: float, end: float) -> Iterator[Word]:
    """Each word gets the share of the stretch that its characters have of the text."""
    parts = [(word, piece) for piece in pieces for word in split_words(piece.text)]
    ends = list(accumulate(len(word) for word, _ in parts))
    at = start
    for (word, piece), characters in zip(parts, ends, strict=True):
        until = end if characters == ends[-1] else min(end, start + (end - start) * characters / ends[-1])
        yield Word(word, at, until, piece.probability, piece.speaker)
        at = until
