"""What a break rule is given and what it answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from segmenter.records import Sentence
from segmenter.settings import TopicSettings

Array = NDArray[np.float64]

# A sub-word tokenizer writes common words whole, takes long ones apart, and most of these scripts sign by sign.
_TOKEN = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_]{1,7}|\d{1,3}|[^\w\s]|_")


def tokens(text: str) -> int:
    """About as many as a language model's tokenizer makes of it; no vocabulary is needed."""
    return max(1, len(_TOKEN.findall(text)))


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
class Passage:
    """Sentences first to last, both inclusive, of one chunk where a rule's chunks overlap or lie in each other.

    `level` 0 is the largest; `parent` is the index of the passage that holds this one.
    """

    first: int
    last: int
    level: int = 0
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a rule decides: its cuts in rising order, and what it saw at each gap.

    `scores`, shape (n - 1,), are higher where a break is likelier; `measure` says what they are. `threshold` is what a
    score must exceed, None where more than one number decides.
    """

    cuts: list[Cut]
    scores: Array
    measure: str
    threshold: float | None = None
    passages: tuple[Passage, ...] = field(default=())


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


def by_size(cuts: Sequence[int], material: Material, reason: str, passages: tuple[Passage, ...] = ()) -> Ruling:
    """Cuts that sizes alone decide: no gap is likelier than another."""
    made = [Cut(i, 0.5, reason) for i in cuts]
    return Ruling(made, np.zeros(material.gaps), "none: sizes alone decide", passages=passages)
