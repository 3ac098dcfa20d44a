"""What a break rule is given and what it answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from segmenter.records import Passage, Sentence
from segmenter.settings import TopicSettings

Array = NDArray[np.float64]

# A sub-word tokenizer writes common words whole, takes long ones apart, and most of these scripts sign by sign.
_TOKEN = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_]{1,7}|\d{1,3}|[^\w\s]|_")


def tokens(text: str) -> int:
    """About as many as a language model's tokenizer makes of it; no vocabulary is needed."""
    return max(1, len(_TOKEN.findall(text)))


def token_starts(text: str) -> list[int]:
    """Where in the text each of them begins."""
    return [match.start() for match in _TOKEN.finditer(text)]


@dataclass(frozen=True)
class Material:
    """Sentences in order, their unit vectors, shape (n, d), and where the file's own chapters begin (s)."""

    sentences: Sequence[Sentence]
    vectors: NDArray[np.float32]
    chapters: Sequence[float] = ()

    @cached_property
    def tokens(self) -> list[int]:
        return [tokens(sentence.text) for sentence in self.sentences]

    @property
    def gaps(self) -> int:
        return len(self.sentences) - 1


@dataclass(frozen=True, slots=True)
class Cut:
    """A break after the sentence `after`, how strong (0 to 1) and why, in words."""

    after: int
    strength: float
    reason: str


@dataclass(frozen=True, slots=True)
class Misses:
    """How close the gaps that are not cut came.

    `by`, shape (n - 1,), is by how much each of them fell short, of what `says`; NaN where nothing was reckoned, of which
    `otherwise` says why. `remarks` has better words for some gaps.
    """

    by: Array
    says: str
    otherwise: str = "not weighed: too unlikely, or a topic would be too short"
    remarks: Mapping[int, str] = field(default_factory=dict)


Levels = Sequence[Sequence[range]]  # the sentences of each topic, from the coarsest level on


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a rule decides: its cuts in rising order, and what it saw at each gap.

    `scores`, shape (n - 1,), are higher where a break is likelier; `measure` says what they are. `threshold` is what a
    score must exceed, None where more than one number decides. `coarser` are the cuts of the levels above, coarsest
    first. `passages` makes of the topics, once all sizes hold, chunks that overlap or lie in each other.
    """

    cuts: list[Cut]
    scores: Array
    measure: str
    threshold: float | None = None
    coarser: tuple[list[Cut], ...] = ()
    misses: Misses | None = None
    passages: Callable[[Levels], tuple[Passage, ...]] | None = None

    @property
    def missed(self) -> Misses:
        """By how much each gap fell short: of the threshold where one decides."""
        if self.misses is not None:
            return self.misses
        if self.threshold is None:
            return Misses(np.full(len(self.scores), np.nan), "", NO_LIKELIER)
        return Misses(self.threshold - self.scores, "short of the threshold")


class Rule(Protocol):
    def __call__(self, material: Material, settings: TopicSettings) -> Ruling:
        """The decision on at least two sentences."""


def above(scores: Array, threshold: float, measure: str, strengths: Array | None = None) -> Ruling:
    """Cuts wherever the score exceeds the threshold."""
    share = np.clip(scores if strengths is None else strengths, 0, 1)
    cuts = [
        Cut(int(i), float(share[i]), f"{measure} {scores[i]:.2f} above {threshold:.2f}")
        for i in np.flatnonzero(scores > threshold)
    ]
    return Ruling(cuts, scores, measure, threshold)


def packed(sizes: Sequence[int], budget: int) -> list[int]:
    """Sentences after which a new pack begins, when each takes as many as the budget allows; one alone may exceed it."""
    cuts, filled = [], 0
    for i, size in enumerate(sizes):
        if filled and filled + size > budget:
            cuts.append(i - 1)
            filled = 0
        filled += size
    return cuts


SIZES = "none: sizes alone decide"
NO_LIKELIER = "nothing tells this gap from another"


def by_size(
    cuts: Sequence[int], material: Material, reason: str, passages: Callable[[Levels], tuple[Passage, ...]] | None = None
) -> Ruling:
    """Cuts that sizes alone decide: no gap is likelier than another."""
    return Ruling(sized(cuts, reason), np.zeros(material.gaps), SIZES, passages=passages)


def sized(cuts: Sequence[int], reason: str) -> list[Cut]:
    return [Cut(i, 0.5, reason) for i in cuts]
