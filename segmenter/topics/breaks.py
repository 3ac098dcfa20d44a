"""Where the topic changes: the table of break rules, and the one way to ask them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from segmenter.records import Sentence, TopicBreak
from segmenter.settings import TopicSettings
from segmenter.table import Row, load


@dataclass(frozen=True, slots=True)
class Cut:
    """A break after the sentence `after`, how strong (0 to 1) and why, in words."""

    after: int
    strength: float
    reason: str


class Rule(Protocol):
    def __call__(self, vectors: NDArray[np.float32], sentences: Sequence[Sentence], settings: TopicSettings) -> list[Cut]:
        """Cuts in rising order. `vectors` are unit vectors, shape (n, d), row i for sentence i; n is at least 2."""


RULES = {
    "default": Row(
        "segmenter.topics.rules.fewest:cuts",
        "the fewest breaks that explain the vectors; may be none",
    ),
    "percentile": Row(
        "segmenter.topics.rules.percentile:cuts",
        "distances of neighbours above the 95th percentile, as LangChain and LlamaIndex",
    ),
}


def find(sentences: Sequence[Sentence], vectors: NDArray[np.float32], settings: TopicSettings) -> tuple[TopicBreak, ...]:
    """The topic breaks of a recording, in order. A break lies at the start of the sentence that opens the new topic.

    Args:
        sentences: all sentences in order; doubtful ones take no part.
        vectors: unit vectors, shape (number of trusted sentences, d), in their order.

    Raises:
        ValueError: a vector is not finite, or there are not as many as trusted sentences.
    """
    index = trusted(sentences)
    if vectors.shape[0] != len(index):
        raise ValueError(f"{len(index)} sentences take part, but there are {vectors.shape[0]} vectors")
    if not np.isfinite(vectors).all():
        raise ValueError("a sentence vector holds values that are not finite")
    if len(index) < 2:
        return ()
    rule: Rule = load("topic rule", RULES, settings.rule)
    cuts = rule(vectors, [sentences[i] for i in index], settings)
    # A doubtful sentence between two topics stays with the one before it.
    return tuple(_break(index[cut.after + 1], cut, sentences) for cut in cuts)


def trusted(sentences: Sequence[Sentence]) -> list[int]:
    """Indices of the sentences that nothing speaks against: only these are embedded and take part in topics."""
    return [i for i, sentence in enumerate(sentences) if not sentence.doubts]


def _break(opening: int, cut: Cut, sentences: Sequence[Sentence]) -> TopicBreak:
    return TopicBreak(opening - 1, sentences[opening].start, cut.strength, (cut.reason,))
