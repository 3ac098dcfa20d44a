"""Chunks of a fixed number of tokens, whole sentences only: what most pipelines begin with."""

from __future__ import annotations

from segmenter.settings import TopicSettings
from segmenter.topics.material import Material, Ruling, by_size, packed


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    return by_size(packed(material.tokens, settings.budget_tokens), material, f"{settings.budget_tokens} tokens are full")
