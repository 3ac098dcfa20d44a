"""Split in two where the squared error falls most, again and again (TreeSeg; Gklezakos, Misiak and Bishop 2024).

With a number of topics given, so many; else until no split explains so much of the recording's own noise as a break costs.
"""

from __future__ import annotations

import heapq

import numpy as np

from segmenter.settings import TopicSettings
from segmenter.topics.counts import below_the_last
from segmenter.topics.material import Array, Cut, Material, Ruling
from segmenter.topics.partition import noise, prefix


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    unit, sums = noise(material.vectors), prefix(material.vectors)
    scores = np.zeros(material.gaps)
    if unit < 1e-9:
        return Ruling([], scores, "noise explained")
    n, least = len(material.sentences), max(2, settings.min_sentences)
    threshold = settings.penalty
    wanted = settings.topics_count
    heap = [_split(sums, 0, n, least, unit, scores)]
    made: list[Cut] = []
    while heap and len(made) + 1 < (wanted or n):
        loss, at, first, stop = heapq.heappop(heap)
        if not at or (wanted is None and -loss < threshold):
            break
        made.append(Cut(at - 1, float(1 - np.exp(loss / 5)), f"{-loss:.1f} times the noise explained"))
        heapq.heappush(heap, _split(sums, first, at, least, unit, scores))
        heapq.heappush(heap, _split(sums, at, stop, least, unit, scores))
    made.sort(key=lambda cut: cut.after)
    if wanted:
        return Ruling(made, scores, "noise explained", misses=below_the_last(scores, [cut.after for cut in made]))
    return Ruling(made, scores, "noise explained", threshold)


def _split(sums: Array, first: int, stop: int, least: int, unit: float, scores: Array) -> tuple[float, int, int, int]:
    """The best split of first .. stop: minus its gain, where (0: nowhere); notes what every gap would have gained."""
    at = np.arange(first + least, stop - least + 1)
    if not len(at):
        return 0.0, 0, first, stop
    left, right = at - first, stop - at
    step = (sums[at] - sums[first]) / left[:, None] - (sums[stop] - sums[at]) / right[:, None]
    gains = left * right / (left + right) * np.einsum("gd,gd->g", step, step) / unit
    scores[at - 1] = gains
    best = int(np.argmax(gains))
    return -float(gains[best]), int(at[best]), first, stop
