"""Cut at every distance of neighbours above a percentile of all of them.

The rule of LangChain's SemanticChunker and LlamaIndex's SemanticSplitterNodeParser: a quota, so that a text of 2 to 20
sentences is cut exactly once, whatever it says.
"""

from __future__ import annotations

import numpy as np

from segmenter.settings import TopicSettings
from segmenter.topics.distances import combined_distances
from segmenter.topics.material import Material, Ruling, above


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    distances = combined_distances(material.vectors, settings.buffer)
    return above(distances, float(np.percentile(distances, settings.percentile)), "distance")
