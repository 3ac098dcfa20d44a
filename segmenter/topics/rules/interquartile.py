"""Cut at every distance of neighbours so many interquartile ranges above their mean (LangChain's SemanticChunker)."""

from __future__ import annotations

import numpy as np

from segmenter.settings import TopicSettings
from segmenter.topics.distances import combined_distances
from segmenter.topics.material import Material, Ruling, above


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    distances = combined_distances(material.vectors, settings.buffer)
    low, high = np.percentile(distances, [25, 75])
    return above(distances, float(distances.mean() + settings.interquartile * (high - low)), "distance")
