"""How well a ranking of chunks agrees with which of them are relevant: the field's measures, equal to trec_eval's.

`relevant` says of each item in ranked order whether it is; `total` is how many there are in all.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2


def recall_at(relevant: Sequence[bool], total: int, k: int) -> float:
    """Share of what is relevant among the first `k`; 0 where nothing is relevant."""
    return sum(relevant[:k]) / total if total else 0.0


def precision_at(relevant: Sequence[bool], k: int) -> float:
    """Share of the first `k` places that hold something relevant."""
    return sum(relevant[:k]) / k


def reciprocal_rank(relevant: Sequence[bool]) -> float:
    """One over the place of the first relevant item; 0 where there is none."""
    return next((1 / place for place, hit in enumerate(relevant, 1) if hit), 0.0)


def ndcg_at(relevant: Sequence[bool], total: int, k: int) -> float:
    """Normalised discounted cumulative gain, with the discount log2(place + 1); 0 where nothing is relevant."""
    ideal = sum(1 / log2(place + 1) for place in range(1, min(total, k) + 1))
    gained = sum(1 / log2(place + 1) for place, hit in enumerate(relevant[:k], 1) if hit)
    return gained / ideal if ideal else 0.0
