"""Cut where neighbours are less alike than a fixed threshold, and before a chunk would exceed its tokens."""

from __future__ import annotations

from segmenter.settings import TopicSettings
from segmenter.topics.distances import combined_distances
from segmenter.topics.material import Cut, Material, Ruling


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    distances = combined_distances(material.vectors, settings.buffer)
    made: list[Cut] = []
    filled = material.tokens[0]
    for i, distance in enumerate(distances):
        following = material.tokens[i + 1]
        full = filled + following > settings.budget_tokens
        unlike = distance > 1 - settings.similarity
        filled = following if full or unlike else filled + following
        if unlike:
            made.append(Cut(i, float(min(distance, 1)), f"similarity {1 - distance:.2f} below {settings.similarity:.2f}"))
        elif full:
            made.append(Cut(i, 0.1, f"limit: {settings.budget_tokens} tokens"))
    return Ruling(made, distances, "distance", 1 - settings.similarity)
