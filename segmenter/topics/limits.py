"""Least and greatest sizes of topics, in sentences, tokens and seconds: applied once, whatever the rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from segmenter.settings import TopicSettings
from segmenter.topics.material import Array, Cut, Material, Ruling


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Whether sentences first .. stop - 1 are too few or too many."""

    tokens: Sequence[int]
    starts: Sequence[float]
    ends: Sequence[float]
    settings: TopicSettings

    def short(self, first: int, stop: int) -> bool:
        least, size = self.settings, self._of(first, stop)
        return any(have < need for have, need in zip(size, (least.min_sentences, least.min_tokens, least.min_s), strict=True))

    def long(self, first: int, stop: int) -> bool:
        most, size = self.settings, self._of(first, stop)
        limits = (most.max_sentences, most.max_tokens, most.max_s)
        return any(limit is not None and have > limit for have, limit in zip(size, limits, strict=True))

    def _of(self, first: int, stop: int) -> tuple[float, float, float]:
        return stop - first, self.tokens[stop] - self.tokens[first], self.ends[stop - 1] - self.starts[first]


def limited(ruling: Ruling, material: Material, settings: TopicSettings) -> list[Cut]:
    """The rule's cuts without the weakest beside topics too short, and with more where a topic is too long."""
    said = material.sentences
    sizes = _Sizes([0, *accumulate(material.tokens)], [s.start for s in said], [s.end for s in said], settings)
    kept = _without_short(ruling.cuts, len(said), sizes)
    return list(_with_limits(kept, ruling.scores, len(said), sizes))


def _without_short(cuts: Sequence[Cut], count: int, sizes: _Sizes) -> list[Cut]:
    """Weakest first, each cut is dropped if a side is too short. Sides only grow, so one pass is enough."""
    ends = [0, *(cut.after + 1 for cut in cuts), count]
    before = list(range(-1, len(ends) - 1))
    after = list(range(1, len(ends) + 1))
    dropped = set()
    for i in sorted(range(1, len(ends) - 1), key=lambda i: cuts[i - 1].strength):
        a, b = before[i], after[i]
        if sizes.short(ends[a], ends[i]) or sizes.short(ends[i], ends[b]):
            after[a], before[b] = b, a
            dropped.add(i - 1)
    return [cut for k, cut in enumerate(cuts) if k not in dropped]


def _with_limits(cuts: Sequence[Cut], scores: Array, count: int, sizes: _Sizes) -> Iterator[Cut]:
    ends = [0, *(cut.after + 1 for cut in cuts), count]
    for k, (first, stop) in enumerate(pairwise(ends)):
        for place in _splits(first, stop, scores, sizes):
            yield Cut(place - 1, 0.1, "limit: the topic would be too long")
        if k < len(cuts):
            yield cuts[k]


def _splits(first: int, stop: int, scores: Array, sizes: _Sizes) -> Iterator[int]:
    """Where a topic that is too long is split: from the left, the likeliest gap in the second half of what fits.

    A sentence is never split, however long it is.
    """
    while stop - first > 1 and sizes.long(first, stop):
        last = first + 1
        while last + 1 < stop and not sizes.long(first, last + 1):
            last += 1
        at = [p for p in range(max(first + 1, (first + last) // 2), last + 1) if not sizes.short(first, p)] or [last]
        leaving = [p for p in at if not sizes.short(p, stop)] or at
        first = max(leaving, key=lambda p: (scores[p - 1], p))
        yield first
