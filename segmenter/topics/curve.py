"""How the subject drifts: what the break rules look at, kept for pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from segmenter.records import Sentence, TopicCurve
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import trusted

_REACH = 4  # sentences on each side: single neighbours of one topic differ as much as topics do


def curve(sentences: Sequence[Sentence], vectors: NDArray[np.float32], settings: TopicSettings) -> TopicCurve | None:
    """The distance of the two sides of each gap between trusted sentences; None where there is no gap.

    The percentile rule compares single neighbours, and has a threshold; the others weigh what lies around.

    Args:
        vectors: unit vectors, shape (number of trusted sentences, d), in their order.
    """
    index = trusted(sentences)
    if len(index) < 2:
        return None
    quota = settings.rule == "percentile"
    distances = _distances(vectors.astype(np.float64), 1 if quota else _REACH)
    return TopicCurve(
        times=tuple(sentences[i].start for i in index[1:]),
        distances=tuple(float(d) for d in distances),
        threshold=float(np.percentile(distances, settings.percentile)) if quota else None,
    )


def _distances(vectors: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    """Cosine distances of the means of up to `reach` vectors on both sides of each gap, shape (n - 1,)."""
    sums = np.vstack([np.zeros(vectors.shape[1]), np.cumsum(vectors, axis=0)])
    gap = np.arange(1, len(vectors))
    left = sums[gap] - sums[np.maximum(gap - reach, 0)]
    right = sums[np.minimum(gap + reach, len(vectors))] - sums[gap]
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    cosines = np.einsum("id,id->i", left, right) / np.maximum(lengths, 1e-12)
    return np.asarray(np.clip(1 - cosines, 0, 2), np.float64)
