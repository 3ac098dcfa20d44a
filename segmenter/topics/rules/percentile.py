"""Cut at every distance of neighbours above a percentile of all of them.

The rule of LangChain's SemanticChunker and LlamaIndex's SemanticSplitterNodeParser, on single sentences: a quota,
so that a text of 2 to 20 sentences is cut exactly once, whatever it says.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import Cut


def neighbour_distances(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Cosine distances of unit vectors to their next, shape (n - 1,)."""
    wide = vectors.astype(np.float64)
    return np.asarray(1.0 - np.einsum("id,id->i", wide[:-1], wide[1:]), np.float64)


def cuts(vectors: NDArray[np.float32], sentences: Sequence[Sentence], settings: TopicSettings) -> list[Cut]:  # noqa: ARG001 - one signature for all rules
    distances = neighbour_distances(vectors)
    threshold = float(np.percentile(distances, settings.percentile))
    reason = f"distance {{:.2f}} above {threshold:.2f}, percentile {settings.percentile:g}"
    above = np.flatnonzero(distances > threshold)
    return [Cut(int(i), float(np.clip(distances[i], 0, 1)), reason.format(distances[i])) for i in above]
