"""Cut where the distance of neighbours rises fastest: its gradient above a percentile (LangChain's SemanticChunker)."""

from __future__ import annotations

import numpy as np

from segmenter.settings import TopicSettings
from segmenter.topics.distances import combined_distances
from segmenter.topics.material import Material, Ruling, above


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    distances = combined_distances(material.vectors, settings.buffer)
    if len(distances) < 2:  # one distance has no gradient
        return Ruling([], np.zeros(len(distances)), "gradient of the distance")
    gradient = np.gradient(distances)
    return above(gradient, float(np.percentile(gradient, settings.percentile)), "gradient of the distance", distances)
