"""Chunks in chunks, as LlamaIndex's HierarchicalNodeParser makes them for its AutoMergingRetriever.

The smallest are searched; where most children of one parent are found, the retriever returns the parent. Each level is
packed inside the one above, so that every passage has exactly one parent.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

import numpy as np

from segmenter.records import Passage
from segmenter.settings import TopicSettings
from segmenter.topics.material import SIZES, Levels, Material, Ruling, packed, sized


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    levels, ends = [], [0, len(material.sentences)]
    for budget in settings.hierarchy_tokens:
        within = (first + last + 1 for first, stop in pairwise(ends) for last in packed(material.tokens[first:stop], budget))
        ends = sorted({*ends, *within})
        levels.append(sized([end - 1 for end in ends[1:-1]], f"{budget} tokens are full"))
    return Ruling(levels[-1], np.zeros(material.gaps), SIZES, coarser=tuple(levels[:-1]), passages=_nested)


def _nested(levels: Levels) -> tuple[Passage, ...]:
    """A passage for each topic of each level, the largest first, in the one that holds it."""
    made: list[Passage] = []
    above: list[int] = []
    for depth, pieces in enumerate(levels):
        begun, starts = len(made), [made[i].first for i in above]
        for piece in pieces:
            parent = above[bisect_right(starts, piece.start) - 1] if above else None
            made.append(Passage(piece.start, piece.stop - 1, depth, parent))
        above = list(range(begun, len(made)))
    return tuple(made)
