"""Cut at every distance of neighbours so many standard deviations above their mean (LangChain's SemanticChunker)."""

from __future__ import annotations

from segmenter.settings import TopicSettings
from segmenter.topics.distances import combined_distances
from segmenter.topics.material import Material, Ruling, above


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    distances = combined_distances(material.vectors, settings.buffer)
    return above(distances, float(distances.mean() + settings.deviations * distances.std()), "distance")
