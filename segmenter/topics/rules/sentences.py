"""Sentences packed to a budget of tokens; each pack begins again with the last sentences of the one before."""

from __future__ import annotations

from segmenter.settings import TopicSettings
from segmenter.topics.material import Material, Passage, Ruling, by_size, packed


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    made = packed(material.tokens, settings.budget_tokens)
    firsts, lasts = [0, *(i + 1 for i in made)], [*made, material.gaps]
    back = settings.overlap_sentences
    passages = tuple(
        Passage(max(first - back, before), last) for first, last, before in zip(firsts, lasts, [0, *firsts[:-1]], strict=True)
    )
    return by_size(made, material, f"{settings.budget_tokens} tokens are full", passages)
