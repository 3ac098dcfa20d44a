"""The fewest breaks that explain the vectors: one dynamic programme, then neighbours that are alike are merged.

Squared error about the segments' means, in units of the recording's own noise, plus a price for each break that
grows slowly with the number of sentences, plus a weak preference for some eight topics a recording. A penalty alone
cannot tell a new article from a new paragraph; similarity freed of noise can: neighbours more alike than distant
parts of the same recording are one topic. A text about one thing comes out whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import Cut

Array = NDArray[np.float64]

# Set on meetings, lectures, encyclopedia articles and composed texts with known topics.
_PRICE = 2.4  # of a break, in units of noise; up to 150 sentences
_GROWTH = 0.4  # the price grows with (sentences / 150) to this power: more gaps, more chances to be wrong
_TOPICS = 8  # a recording has 4 to 10 topics on average, whatever its length in words
_ALIKE = 0.3  # neighbours this alike are one topic; 0: as unlike as distant parts, 1: the same
_LEAST_GAIN = 1.6  # a break must explain this much noise
_CANDIDATES = 1500  # the programme is quadratic: of longer recordings only the most likely gaps take part


def cuts(vectors: NDArray[np.float32], sentences: Sequence[Sentence], settings: TopicSettings) -> list[Cut]:
    wide = vectors.astype(np.float64)
    noise = _noise(wide)
    if noise < 1e-9:  # every sentence the same
        return []
    sums = np.vstack([np.zeros(wide.shape[1]), np.cumsum(wide, axis=0)])
    words = np.concatenate([[0.0], np.cumsum([max(1, len(s.text.split())) for s in sentences])])
    places = _candidates(sums, settings.min_sentences)
    chosen = _partition(sums[places], words[places], places, noise, settings.min_sentences)
    return _merge(sums, chosen, noise)


def _noise(vectors: Array) -> float:
    """Half the mean squared distance of neighbours: how much sentences on one topic differ anyway."""
    return float(np.mean(np.sum(np.diff(vectors, axis=0) ** 2, axis=1)) / 2)


def _candidates(sums: Array, width: int) -> NDArray[np.intp]:
    """Where a segment may begin or end: every gap, or of a long recording those with the greatest change around them."""
    n = len(sums) - 1
    if n <= _CANDIDATES:
        return np.arange(n + 1)
    reach = max(8, width)
    at = np.arange(1, n)
    left = _unit(sums[at] - sums[np.maximum(at - reach, 0)])
    right = _unit(sums[np.minimum(at + reach, n)] - sums[at])
    change = 1 - np.einsum("id,id->i", left, right)
    likely = at[np.argsort(-change, kind="stable")[:_CANDIDATES]]
    return np.sort(np.concatenate([[0], likely, [n]]))


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12))


def _partition(sums: Array, words: Array, places: NDArray[np.intp], noise: float, least: int) -> list[int]:
    """The cheapest partition, as the places of its cuts, the ends included.

    `sums` are the sums of the vectors before each place, shape (m, d); `words` and `places` count words and sentences
    before it. Exact over all partitions into segments of at least `least` sentences.
    """
    n, m = int(places[-1]), len(places)
    price = _PRICE * max(1.0, (n / 150) ** _GROWTH)
    squared = np.einsum("id,id->i", sums, sums)
    typical = words[-1] / _TOPICS
    best, back = np.full(m, np.inf), np.zeros(m, np.intp)
    best[0] = -price  # the first segment needs no break
    for j in range(1, m):
        size = places[j] - places[:j]
        error = (size - (squared[j] + squared[:j] - 2 * sums[:j] @ sums[j]) / size) / noise
        length = np.log((words[j] - words[:j]) / typical) ** 2 / 2
        cost = best[:j] + error + length + price
        if n >= 2 * least:
            cost[size < least] = np.inf
        back[j] = np.argmin(cost)
        best[j] = cost[back[j]]
    path = [m - 1]
    while path[-1] > 0:
        path.append(int(back[path[-1]]))
    return [int(places[i]) for i in reversed(path)]


@dataclass(slots=True)
class _Segments:
    """Sums and sizes of the segments between the cuts; `ends` are the cuts, the first and last place included."""

    ends: list[int]
    sums: list[Array]


def _merge(sums: Array, ends: list[int], noise: float) -> list[Cut]:
    """Merges neighbours, most alike first, until every cut left stands for a change of topic."""
    segments = _Segments(ends, [sums[b] - sums[a] for a, b in pairwise(ends)])
    base = _distant_likeness(segments, noise)
    while len(segments.sums) > 1:
        alike = [(_likeness(segments, k, k + 1, noise) - base) / (1 - base) for k in range(len(segments.sums) - 1)]
        gains = [_gain(segments, k, noise) for k in range(len(segments.sums) - 1)]
        poor = [k for k, gain in enumerate(gains) if gain < _LEAST_GAIN]
        k = min(poor, key=lambda i: gains[i]) if poor else max(range(len(alike)), key=lambda i: alike[i])
        if not poor and alike[k] <= _ALIKE:
            return [
                Cut(end - 1, float(np.clip(1 - a, 0, 1)), f"likeness of the sides {a:.2f}, {g:.1f} times the noise explained")
                for end, a, g in zip(segments.ends[1:-1], alike, gains, strict=True)
            ]
        segments.sums[k : k + 2] = [segments.sums[k] + segments.sums[k + 1]]
        del segments.ends[k + 1]
    return []


def _size(segments: _Segments, k: int) -> int:
    return segments.ends[k + 1] - segments.ends[k]


def _likeness(segments: _Segments, a: int, b: int, noise: float) -> float:
    """Cosine of two segments' means, with the share of the sentences' noise taken out of their lengths."""
    mean_a, mean_b = segments.sums[a] / _size(segments, a), segments.sums[b] / _size(segments, b)
    return float(mean_a @ mean_b / np.sqrt(_freed(mean_a, _size(segments, a), noise) * _freed(mean_b, _size(segments, b), noise)))


def _freed(mean: Array, size: int, noise: float) -> float:
    squared = float(mean @ mean)
    return max(squared - noise / size, 0.1 * squared, 1e-12)


def _gain(segments: _Segments, k: int, noise: float) -> float:
    """How much squared error the cut after segment k explains, in units of noise."""
    a, b = _size(segments, k), _size(segments, k + 1)
    step = segments.sums[k] / a - segments.sums[k + 1] / b
    return a * b / (a + b) * float(step @ step) / noise


def _distant_likeness(segments: _Segments, noise: float) -> float:
    """How alike segments that are no neighbours are on average: what all of this recording has in common."""
    pairs = [(a, b) for a in range(len(segments.sums)) for b in range(a + 2, len(segments.sums))]
    if not pairs:
        return 0.0
    weights = [min(_size(segments, a), _size(segments, b)) for a, b in pairs]
    return float(np.clip(np.average([_likeness(segments, a, b, noise) for a, b in pairs], weights=weights), 0, 0.9))
