"""How well each sentence answers a question: a wide score that is smooth in time, and a narrow one for single sentences.

A broad question ("what did they decide about the budget?") is answered by minutes of talk, a pointed one by a
sentence. Nobody says which kind a question is: the smooth score of passages ranks everything, and a few sentences that
stand out on their own get seats in front.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from segmenter.settings import RetrievalSettings

Array = NDArray[np.float64]
Index = NDArray[np.intp]

_REACH = 4.0  # deviations from the middle beyond which a sentence counts nothing
_TITLE = re.compile(r"^(?:\w{1,4}\.\s*)+")  # "Hon.", "Rt. Hon.", "Dr."
_NAME = 3  # letters; a speaker called "A" or "Bob" would be named by accident


@dataclass(frozen=True)
class Line:
    """Sentences on a line: their length in word-pieces and the recording each is of, both shape (n,).

    Recordings lie one after the other, `recordings` are numbers that never fall.
    """

    tokens: Index
    recordings: Index

    @cached_property
    def middles(self) -> Array:
        """The middle of each sentence, in word-pieces from the start of the line."""
        return np.cumsum(self.tokens) - self.tokens / 2

    def neighbours(self, sigma: float) -> tuple[Index, Index, Array]:
        """For each sentence those near it in its recording, one sentence after the other.

        Returns:
            where each sentence's neighbours begin, shape (n,); the neighbours, and their weights, both shape (all,).
        """
        firsts = np.maximum(
            np.searchsorted(self.middles, self.middles - _REACH * sigma), np.searchsorted(self.recordings, self.recordings)
        )
        stops = np.minimum(
            np.searchsorted(self.middles, self.middles + _REACH * sigma, "right"),
            np.searchsorted(self.recordings, self.recordings, "right"),
        )
        counts = stops - firsts
        begins = np.cumsum(counts) - counts
        near = np.arange(counts.sum()) + np.repeat(firsts - begins, counts)
        apart = self.middles[near] - np.repeat(self.middles, counts)
        return begins, near, self.tokens[near] * np.exp(-(apart**2) / (2 * sigma**2))


class Smoother:
    """A soft maximum over time: tau log of the mean of exp(level / tau), weighed by length and nearness.

    Smoother than a maximum, and unlike a mean it keeps a short answer in a long silence about it.
    """

    def __init__(self, line: Line, settings: RetrievalSettings) -> None:
        self._recordings, self._tau = line.recordings, settings.softness
        self._begins, self._near, weights = line.neighbours(settings.sigma_tokens)
        counts = np.diff([*self._begins, len(self._near)])
        totals = np.add.reduceat(weights, self._begins) if len(weights) else weights
        self._weights = weights / np.repeat(totals, counts)

    def smooth(self, levels: Array) -> Array:
        """Shape (n,): of each sentence the soft maximum of the levels around it."""
        if not len(levels):
            return levels
        top = float(levels.max())
        means = np.add.reduceat(self._weights * np.exp((levels - top) / self._tau)[self._near], self._begins)
        return top + self._tau * np.log(means)


def with_recordings(wide: Array, recordings: Index, weight: float) -> Array:
    """Each sentence's score and a share of the best one of its recording: where it is spoken of once, it is again."""
    if not len(wide):
        return wide
    firsts = np.searchsorted(recordings, np.unique(recordings))
    best = np.maximum.reduceat(wide, firsts)
    return wide + weight * best[np.searchsorted(recordings[firsts], recordings)]


def standard(scores: Array) -> Array:
    """Minus the mean, over the standard deviation; zeros where all are equal."""
    deviation = float(scores.std()) if len(scores) else 0.0
    return (scores - scores.mean()) / deviation if deviation > 1e-12 else np.zeros_like(scores)


def standing_out(narrow: Array, settings: RetrievalSettings) -> Array:
    """What a few sentences exceed the others by, in deviations: of at most `seats`; 0 for all others.

    Of n values none lies more than (n - 1) / sqrt(n) deviations above the mean (Samuelson), so that among fewer than
    twenty sentences half of that is enough to stand out.
    """
    count = max(1, len(narrow))
    narrow = standard(narrow)
    threshold = min(settings.seat_least, (count - 1) / sqrt(count) / 2)
    if len(narrow) > settings.seats:
        threshold = max(threshold, float(-np.partition(-narrow, settings.seats)[settings.seats]))
    return np.maximum(0.0, narrow - threshold)


def shared(seats: Array, line: Line, reach: float) -> Array:
    """The same with a share for the sentences around each seat, less and less up to `reach` word-pieces from its middle.

    What answers is seldom one sentence alone: the words that were asked for are in one, the rest is said beside it.
    """
    found = seats.copy()
    for i in np.flatnonzero(seats):
        near = slice(*np.searchsorted(line.middles, [line.middles[i] - reach, line.middles[i] + reach]))
        nearness = np.maximum(0.0, 1 - np.abs(line.middles[near] - line.middles[i]) / max(reach, 1e-9))
        found[near] = np.maximum(found[near], seats[i] * nearness * (line.recordings[near] == line.recordings[i]))
    return found


def named(question: str, speakers: Sequence[str | None]) -> Array:
    """1 for each sentence whose speaker the question names, else 0, shape (n,). Titles in front of a name are left out."""
    asked = question.casefold()
    known = {speaker: _is_named(speaker, asked) for speaker in set(speakers) if speaker}
    return np.array([1.0 if speaker and known[speaker] else 0.0 for speaker in speakers])


def _is_named(speaker: str, asked: str) -> bool:
    name = _TITLE.sub("", speaker.casefold()).strip()
    return len(name) > _NAME and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", asked) is not None


@dataclass(frozen=True)
class Evidence:
    """What speaks for each parent, shape (p,), and each line, shape (n,): cosine, and BM25 as a share of the best."""

    wide_cosines: Array
    wide_words: Array
    narrow_cosines: Array
    narrow_words: Array
    named: Array  # 1 for lines of a speaker whom the question names


@dataclass(frozen=True)
class Scope:
    """What is searched: lines in order, the parent of each, shape (n,), and whether the embedder knows their language.

    `legible` is 0 for lines in a script that its tokenizer cannot read: their vectors say nothing, words alone count.
    """

    line: Line
    parents: Index
    known: NDArray[np.bool_]
    settings: RetrievalSettings
    legible: Array | float = 1.0

    @cached_property
    def smoother(self) -> Smoother:
        return Smoother(self.line, self.settings)

    @cached_property
    def several(self) -> bool:
        return len(np.unique(self.line.recordings)) > 1

    def wide(self, found: Evidence) -> Array:
        """The passage around each line, smoothed over time."""
        own = self.settings
        words = np.where(self.known, own.wide_words, own.foreign_wide_words) * found.wide_words[self.parents]
        levels = self.legible * found.wide_cosines[self.parents] + words + own.speaker_bonus * found.named
        smooth = self.smoother.smooth(levels)
        return with_recordings(smooth, self.line.recordings, own.recording_share) if self.several else smooth

    def narrow(self, found: Evidence) -> Array:
        """Each line alone."""
        own = self.settings
        words = np.where(self.known, own.narrow_words, own.foreign_narrow_words) * found.narrow_words
        return self.legible * found.narrow_cosines + words

    def scores(self, found: Evidence) -> Array:
        """The wide score, and on top of it the seats."""
        seats = standing_out(self.narrow(found), self.settings)
        return standard(self.wide(found)) + shared(seats, self.line, self.settings.seat_tokens)
