"""Chunks in chunks, as LlamaIndex's HierarchicalNodeParser makes them for its AutoMergingRetriever.

The smallest are searched; where most children of one parent are found, the retriever returns the parent. Each level is
packed inside the one above, so that every passage has exactly one parent.
"""

from __future__ import annotations

from segmenter.settings import TopicSettings
from segmenter.topics.material import Material, Passage, Ruling, by_size, packed


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    passages: list[Passage] = []
    level: list[tuple[Passage, int | None]] = [(Passage(0, material.gaps, -1), None)]
    for depth, budget in enumerate(settings.hierarchy_tokens):
        below: list[tuple[Passage, int | None]] = []
        for parent, index in level:
            for first, last in _packs(material, parent, budget):
                child = Passage(first, last, depth, index)
                below.append((child, len(passages)))
                passages.append(child)
        level = below
    leaves = [passage.last for passage, _ in level[:-1]]
    return by_size(leaves, material, f"{settings.hierarchy_tokens[-1]} tokens are full", tuple(passages))


def _packs(material: Material, parent: Passage, budget: int) -> list[tuple[int, int]]:
    made = packed(material.tokens[parent.first : parent.last + 1], budget)
    firsts = [parent.first, *(parent.first + i + 1 for i in made)]
    return list(zip(firsts, [*(first - 1 for first in firsts[1:]), parent.last], strict=True))
