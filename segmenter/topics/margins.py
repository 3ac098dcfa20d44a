"""How close the next partitions came: what the cheapest through each place costs more than the cheapest of all.

A pass from the front knows the cheapest way to each place, a pass from the back the cheapest way on (as the forward and
backward passes of Viterbi's programme); their sum is the cheapest partition that cuts there. For the arguments, see
`partition`.
"""

from __future__ import annotations

import numpy as np

from segmenter.topics.partition import Array, Places

_EQUAL = 1e-9  # sums of the same costs in another order differ by less
DEARER = "noise dearer than the breaks made"  # what the numbers are by which gaps are missed


def dearer(costs: Array, prices: Array) -> Array:
    """For `cheapest`: shape (m,), 0 where its partition cuts, infinite where none can."""
    m = len(costs)
    to, on = np.full(m, np.inf), np.full(m, np.inf)
    to[0] = on[-1] = 0.0
    for j in range(1, m):
        to[j] = np.min(to[:j] + costs[:j, j]) + prices[j]
    for i in range(m - 2, -1, -1):
        on[i] = np.min(costs[i, i + 1 :] + prices[i + 1 :] + on[i + 1 :])
    return _beyond(to + on, to[-1])


def dearer_of(costs: Array, prices: Array, segments: int) -> Array:
    """For `cheapest_of`, which made so many segments."""
    m = len(costs)
    to, on = np.full((segments + 1, m), np.inf), np.full((segments + 1, m), np.inf)
    to[0, 0] = on[0, -1] = 0.0
    for k in range(segments):
        to[k + 1] = np.min(to[k][:, None] + costs, axis=0) + prices
        on[k + 1] = np.min(costs + (prices + on[k])[None, :], axis=1)
    return _beyond(np.min(to + on[::-1], axis=0), to[segments, -1])


def _beyond(through: Array, least: float) -> Array:
    with np.errstate(invalid="ignore"):
        more = np.nan_to_num(through - least, nan=np.inf, posinf=np.inf)
    return np.where(more < _EQUAL, 0.0, more)


def by_gap(gaps: int, places: Places, more: Array) -> Array:
    """The same of each gap, shape (gaps,); NaN where no partition can cut, or where the programme had no place."""
    by = np.full(gaps, np.nan)
    by[places[1:-1] - 1] = np.where(np.isfinite(more[1:-1]), more[1:-1], np.nan)
    return by
