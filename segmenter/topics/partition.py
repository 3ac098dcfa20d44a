"""Dynamic programming over all partitions of a recording: the cheapest, or the cheapest with so many segments.

Places are where a segment may begin or end, the ends included: sentence numbers 0 .. n in rising order, shape (m,).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Places = NDArray[np.intp]


def noise(vectors: NDArray[np.floating]) -> float:
    """Half the mean squared distance of neighbours: how much sentences on one topic differ anyway."""
    return float(np.mean(np.sum(np.diff(vectors.astype(np.float64), axis=0) ** 2, axis=1)) / 2)


def prefix(vectors: NDArray[np.floating]) -> Array:
    """Sums of the vectors before each place 0 .. n, shape (n + 1, d)."""
    return np.vstack([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0, dtype=np.float64)])


def likely(scores: Array, most: int) -> Places:
    """All places, or the ends and the `most` gaps of best score: the programme is quadratic in them."""
    n = len(scores) + 1
    if n - 1 <= most:
        return np.arange(n + 1)
    best = np.argsort(-scores, kind="stable")[:most] + 1
    return np.sort(np.concatenate([[0], best, [n]]))


def squared_errors(sums: Array, places: Places) -> Array:
    """Squared error of unit vectors about the mean of each segment, from place i (row) to place j; infinite for j <= i."""
    at = sums[places]
    gram = at @ at.T
    squared = np.diag(gram)
    size = (places[None, :] - places[:, None]).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = size - (squared[None, :] + squared[:, None] - 2 * gram) / size
    return np.where(size > 0, error, np.inf)


def cheapest(costs: Array, prices: Array) -> list[int]:
    """Indices of the places where the cheapest partition cuts, both ends included.

    Args:
        costs: of the segment from place i to place j, shape (m, m), infinite where there must be none.
        prices: of a cut at each place, shape (m,); those of the ends are not paid.
    """
    m = len(costs)
    best, back = np.full(m, np.inf), np.zeros(m, np.intp)
    best[0] = 0.0
    for j in range(1, m):
        total = best[:j] + costs[:j, j]
        back[j] = np.argmin(total)
        best[j] = total[back[j]] + prices[j]
    return _path(back, m - 1) if np.isfinite(best[-1]) else [0, m - 1]


def cheapest_of(costs: Array, prices: Array, segments: int) -> list[int]:
    """The same with exactly so many segments, or with as many as can be had."""
    m = len(costs)
    best = costs[0] + prices
    backs: list[Places] = []
    for _ in range(min(segments, m - 1) - 1):
        total = best[:, None] + costs
        back = np.argmin(total, axis=0)
        following = total[back, np.arange(m)] + prices
        if not np.isfinite(following[-1]):
            break
        backs.append(back)
        best = following
    path = [m - 1]
    for back in reversed(backs):
        path.append(int(back[path[-1]]))
    return [0, *reversed(path)]


def _path(back: Places, last: int) -> list[int]:
    path = [last]
    while path[-1] > 0:
        path.append(int(back[path[-1]]))
    return path[::-1]
