"""Sentences packed to a budget of tokens; each pack begins again with the last sentences of the one before."""

from __future__ import annotations

from itertools import pairwise

from segmenter.records import Passage
from segmenter.settings import TopicSettings
from segmenter.topics.limits import Sizes
from segmenter.topics.material import Levels, Material, Ruling, by_size, packed


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    sizes = Sizes.of(material, settings)

    def overlapping(levels: Levels) -> tuple[Passage, ...]:
        """Each with the sentences before it, as far as they lie in the pack before and no limit is passed."""
        packs = levels[-1]
        made = [Passage(packs[0].start, packs[0].stop - 1)]
        for before, pack in pairwise(packs):
            first = max(pack.start - settings.overlap_sentences, before.start)
            while first < pack.start and sizes.long(first, pack.stop):
                first += 1
            made.append(Passage(first, pack.stop - 1))
        return tuple(made)

    return by_size(
        packed(material.tokens, settings.budget_tokens), material, f"{settings.budget_tokens} tokens are full", overlapping
    )
