"""Max-Min semantic chunking (Kiss, Nagy and Szilagyi 2025): a sentence joins while its best match in the chunk is no
worse than the chunk's worst pair.

Incremental: only the new sentence is compared with those of its chunk, of a long chunk with the last ones.
"""

from __future__ import annotations

import numpy as np

from segmenter.settings import TopicSettings
from segmenter.topics.material import Cut, Material, Ruling

_LOOSE = 0.9  # share of the worst pair that is enough
_FLOOR = 0.6  # similarity that is never enough below
_FIRST = 1.5  # the first pair joins if so many times its similarity exceeds ...
_FIRST_FLOOR = 0.0
_MEMORY = 256  # sentences of a chunk that a new one is compared with


def cuts(material: Material, settings: TopicSettings) -> Ruling:  # noqa: ARG001 - one signature for all rules
    vectors = material.vectors.astype(np.float64)
    made: list[Cut] = []
    scores = np.zeros(material.gaps)
    start, worst = 0, 1.0
    for i in range(1, len(vectors)):
        alike = vectors[max(start, i - _MEMORY) : i] @ vectors[i]
        best, size = float(alike.max()), i - start
        if size == 1:
            needed, got = _FIRST_FLOOR, _FIRST * best
        else:
            needed, got = max(_LOOSE * worst / (1 + np.exp(1.0 - size)), _FLOOR), best
        scores[i - 1] = needed - got
        if got > needed:
            worst = min(worst, float(alike.min()))
        else:
            made.append(Cut(i - 1, float(np.clip(1 - best, 0, 1)), f"best similarity {best:.2f}, needed {needed:.2f}"))
            start, worst = i, 1.0
    return Ruling(made, scores, "similarity needed less similarity found", 0.0)
