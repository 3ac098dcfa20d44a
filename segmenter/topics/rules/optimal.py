"""The best of all partitions: squared error about the segments' means, a penalty for each break, a prior on lengths."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from segmenter.settings import TopicSettings
from segmenter.topics.gap_features import distance
from segmenter.topics.margins import DEARER, by_gap, dearer, dearer_of
from segmenter.topics.material import Array, Cut, Material, Misses, Ruling
from segmenter.topics.partition import cheapest, cheapest_of, likely, noise, prefix, squared_errors

_MOST = 1500  # candidate gaps


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    unit, sums = noise(material.vectors), prefix(material.vectors)
    apart = distance(material.vectors.astype(np.float64), 8)
    if unit < 1e-9:
        return Ruling([], apart, "distance of eight sentences on both sides")
    places, least = likely(apart, _MOST), max(2, settings.min_sentences)
    costs = squared_errors(sums, places) / unit
    size = places[None, :] - places[:, None]
    if len(apart) + 1 >= 2 * least:
        costs[size < least] = np.inf
    prices = np.full(len(places), settings.penalty)
    if settings.topics_count:
        costs += np.log(np.maximum(size, 1) * settings.topics_count / (len(apart) + 1)) ** 2 / 2
        path = cheapest_of(costs, prices, settings.topics_count)
        more = dearer_of(costs, prices, len(path) - 1)
    else:
        path = cheapest(costs, prices)
        more = dearer(costs, prices)
    made = _cuts(sums, [int(places[i]) for i in path], unit)
    return Ruling(
        made, apart, "distance of eight sentences on both sides", misses=Misses(by_gap(len(apart), places, more), DEARER)
    )


def _cuts(sums: Array, ends: list[int], unit: float) -> list[Cut]:
    made = []
    for (a, b), (_, c) in pairwise(pairwise(ends)):
        step = (sums[b] - sums[a]) / (b - a) - (sums[c] - sums[b]) / (c - b)
        gain = (b - a) * (c - b) / (c - a) * float(step @ step) / unit
        made.append(Cut(b - 1, float(1 - np.exp(-gain / 5)), f"{gain:.1f} times the noise explained"))
    return made
