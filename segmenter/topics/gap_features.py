"""What can be seen at each gap between two sentences: a table of small functions, one column or more each.

Gap g lies between sentences g and g + 1. Windows of K sentences to its left and right are compared by the cosine
of their vectors' weighted sums; prefix sums make that linear in the length of the recording.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from segmenter.records import Sentence

Array = NDArray[np.float64]
Columns = Iterator[tuple[str, Array]]

WIDTHS = (1, 2, 4, 8, 16, 32, 64)  # sentences; topics are found at scales from a remark to a chapter
LEXICAL_WIDTHS = (8, 24, 64)  # words repeat too rarely for narrower windows
_LEXICAL_SIZE = 192
QUESTION_MARKS = ("?", "？", "؟")
_NEAR, _FAR = 10, 40  # sentences around a gap in which it is counted who speaks
CUES = (
    *("okay", "now", "right", "so", "well", "thank", "thanks", "next", "first", "finally", "let's", "alright", "great", "then"),
    *("but", "um", "uh", "yes", "no", "mm-hmm", "the", "move", "move on", "agenda", "presentation", "questions", "discuss"),
    *("talk about", "begin", "meeting", "topic", "everybody", "today", "another", "last", "welcome"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Talk:
    """Sentences with what all columns start from: their unit vectors (n, d), words and weights."""

    vectors: NDArray[np.float32]
    sentences: Sequence[Sentence]
    words: Sequence[Sequence[str]]
    weights: Array

    @staticmethod
    def of(vectors: NDArray[np.float32], sentences: Sequence[Sentence]) -> Talk:
        words = [re.findall(r"[\w'-]+", sentence.text.lower()) for sentence in sentences]
        # "Mm-hmm." says little about the topic: seven words and more count in full.
        weights = np.array([min(1.0, 0.13 * len(own)) + 0.05 for own in words])
        return Talk(vectors, sentences, words, weights)

    @property
    def gaps(self) -> int:
        return len(self.sentences) - 1


def sizes(texts: Sequence[str]) -> Array:
    """Words of each text; in scripts without blanks, about as many (1.7 characters a word, 5 in Thai)."""
    return np.array([_words(text) for text in texts])


def _words(text: str) -> float:
    dense = len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff]", text)) / 1.7 + len(re.findall(r"[\u0e00-\u0e7f]", text)) / 5
    return max(1.0, dense or float(len(text.split())))


def _sides(rows: Array, width: int) -> tuple[Array, Array]:
    """Sums of the rows up to `width` to the left and to the right of each gap, shapes (n - 1, d)."""
    n = len(rows)
    sums = np.vstack([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0)])
    at = np.arange(1, n)
    return sums[at] - sums[np.maximum(at - width, 0)], sums[np.minimum(at + width, n)] - sums[at]


def distance(rows: Array, width: int) -> Array:
    """Cosine distance of the two windows at each gap, shape (n - 1,)."""
    left, right = _sides(rows, width)
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    return np.asarray(1 - np.einsum("gd,gd->g", left, right) / np.maximum(lengths, 1e-12))


def _around(values: Array, reach: int, of: Callable[..., Array]) -> Array:
    """`of` the values at most `reach` gaps away, the ends cut off."""
    padded = np.pad(values, reach, constant_values=np.nan)
    return np.asarray(of(sliding_window_view(padded, 2 * reach + 1), axis=1))


def embedding_columns(talk: Talk) -> Columns:
    """cosK; from K = 4 on also how far below the highest near it (peakK), and how far above the mean around it (relK)."""
    rows = talk.vectors * talk.weights[:, None]
    for width in WIDTHS:
        apart = distance(rows, width)
        yield f"cos{width}", apart
        if width >= 4:
            yield f"peak{width}", apart - _around(apart, max(2, width // 2), np.nanmax)
            yield f"rel{width}", apart - _around(apart, 2 * width, np.nanmean)


def lexical_columns(talk: Talk) -> Columns:
    """The same on the words themselves, rare ones weighing more, each hashed to random signs (no vocabulary to keep)."""
    seen: dict[str, int] = {}
    for own in talk.words:
        for word in set(own):
            seen[word] = seen.get(word, 0) + 1
    n = len(talk.words)
    rows = np.zeros((n, _LEXICAL_SIZE))
    for row, own in zip(rows, talk.words, strict=True):
        for word in own:
            if len(word) > 3:
                row += np.log(n / seen[word]) * _signs(word)
    for width in LEXICAL_WIDTHS:
        apart = distance(rows, width)
        yield f"lex{width}", apart
        yield f"lexrel{width}", apart - _around(apart, 2 * width, np.nanmean)


_SIGNS: dict[str, Array] = {}


def _signs(word: str) -> Array:
    if word not in _SIGNS:
        _SIGNS[word] = np.random.default_rng(crc32(word.encode())).choice([-1.0, 1.0], _LEXICAL_SIZE)
    return _SIGNS[word]


def length_columns(talk: Talk) -> Columns:
    """Logarithms of the words before and after, alone and over five sentences; questions."""
    long = np.log1p(1.3 * sizes([s.text for s in talk.sentences]))
    yield "len0", long[:-1]
    yield "len1", long[1:]
    left, right = _sides(long[:, None], 5)
    at = np.arange(1, len(long))
    yield "lenL", left[:, 0] / np.minimum(at, 5)
    yield "lenR", right[:, 0] / np.minimum(len(long) - at, 5)
    asks = np.array([s.text.rstrip().endswith(QUESTION_MARKS) for s in talk.sentences], float)
    yield "q0", asks[:-1]
    yield "q1", asks[1:]


def place_columns(talk: Talk) -> Columns:
    """Meetings open and close with stretches that are no topics."""
    to_end = np.minimum(np.arange(talk.gaps), np.arange(talk.gaps)[::-1])
    yield "edge10", (to_end < 10).astype(float)
    yield "edge30", (to_end < 30).astype(float)


def cue_columns(talk: Talk) -> Columns:
    """Words that open or close a topic: first in a sentence (n), in the one before (p), in it (i), in the next four (i4)."""
    first = [f" {' '.join(own[:2])} " for own in talk.words]
    whole = [f" {' '.join(own)} " for own in talk.words]
    for cue in CUES:
        opens = np.array([f" {cue} " in text for text in first], float)
        holds = np.array([f" {cue} " in text for text in whole], float)
        yield f"n:{cue}", opens[1:]
        yield f"p:{cue}", opens[:-1]
        yield f"i:{cue}", holds[1:]
        yield f"i4:{cue}", _sides(holds[:, None], 4)[1][:, 0]


def speaker_columns(talk: Talk) -> Columns:
    """Whether the speaker changes, how long the turns beside it are, how much the company changes, who leads."""
    names = [s.speaker or "" for s in talk.sentences]
    people = sorted(set(names))
    who = np.array([people.index(name) for name in names])
    words = np.array([len(own) for own in talk.words], float)
    change = (who[1:] != who[:-1]).astype(float)
    turn = np.concatenate([[0], np.cumsum(change)]).astype(int)
    spoken = np.log1p(np.bincount(turn, weights=words))[turn]
    lead = (np.bincount(who[np.flatnonzero(np.diff(turn, prepend=-1))], minlength=len(people)) / (turn[-1] + 1))[who]
    yield "chg", change
    yield "turnL", spoken[:-1] * change
    yield "turnR", spoken[1:] * change
    yield "leadL", lead[:-1] * change
    yield "leadR", lead[1:] * change
    share = np.zeros((len(names), len(people)))
    share[np.arange(len(names)), who] = words
    for reach in (_NEAR, _FAR):
        left, right = (side / np.maximum(side.sum(axis=1, keepdims=True), 1) for side in _sides(share, reach))
        yield f"company{reach}", np.abs(left - right).sum(axis=1)


TEXT = (embedding_columns, lexical_columns, length_columns)
SPOKEN = (*TEXT, place_columns, cue_columns)
MEETING = (*SPOKEN, speaker_columns)


def columns(talk: Talk, groups: Sequence[Callable[[Talk], Columns]]) -> dict[str, Array]:
    """Named columns, each of shape (n - 1,)."""
    return {name: values for group in groups for name, values in group(talk)}
