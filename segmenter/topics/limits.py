"""Least and greatest sizes of topics, in sentences, tokens and seconds: applied once, whatever the rule.

Where topics are found in levels, each level is limited inside the one above, so that a finer cut keeps every break of a
coarser one, those that a limit made among them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from segmenter.settings import TopicSettings
from segmenter.topics.material import Array, Cut, Material, Ruling

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Sizes:
    """Whether sentences first .. stop - 1 are too few or too many; `first` may be an array of places."""

    before: NDArray[np.int64]  # tokens before each sentence, and in all
    starts: Array
    ends: Array
    settings: TopicSettings

    @staticmethod
    def of(material: Material, settings: TopicSettings) -> Sizes:
        said = material.sentences
        before = np.array([0, *accumulate(material.tokens)], np.int64)
        return Sizes(before, np.array([s.start for s in said]), np.array([s.end for s in said]), settings)

    def short(self, first: int | Places, stop: int) -> NDArray[np.bool_]:
        least, (count, tokens, length) = self.settings, self._of(first, stop)
        return np.asarray((count < least.min_sentences) | (tokens < least.min_tokens) | (length < least.min_s))

    def long(self, first: int, stop: int) -> bool:
        """One sentence is never too long: it cannot be split."""
        pairs = zip(self._of(first, stop), self._limits(), strict=True)
        return stop - first > 1 and any(limit is not None and have > limit for have, limit in pairs)

    def filled(self, first: int | Places, stop: int) -> Array:
        """The share of the limit that is nearest, 0 to 1; 0 where there is none."""
        pairs = zip(self._of(first, stop), self._limits(), strict=True)
        shares = [np.minimum(1.0, have / limit) for have, limit in pairs if limit is not None]
        return np.asarray(np.max([np.zeros(np.shape(first)), *shares], axis=0), np.float64)

    def _limits(self) -> tuple[float | None, float | None, float | None]:
        return self.settings.max_sentences, self.settings.max_tokens, self.settings.max_s

    def _of(self, first: int | Places, stop: int) -> tuple[Array, Array, Array]:
        count = np.asarray(stop - first)
        return count, np.asarray(self.before[stop] - self.before[first]), np.asarray(self.ends[stop - 1] - self.starts[first])


def limited(ruling: Ruling, material: Material, sizes: Sizes) -> list[list[Cut]]:
    """The rule's cuts at each level, coarsest first: without those beside topics too short, and with more where one is
    too long."""
    count = len(material.sentences)
    levels: list[list[Cut]] = []
    kept: dict[int, Cut] = {}
    for cuts in (*ruling.coarser, ruling.cuts):
        proposed, places = {cut.after: cut for cut in cuts}, [cut.after + 1 for cut in cuts]
        walls = [0, *(after + 1 for after in sorted(kept)), count]
        kept = {after: proposed.get(after, cut) for after, cut in kept.items()}
        for first, stop in pairwise(walls):
            inside = cuts[bisect_left(places, first + 1) : bisect_left(places, stop)]
            kept |= {cut.after: cut for cut in _within(first, stop, inside, ruling.scores, sizes)}
        levels.append([kept[after] for after in sorted(kept)])
    return levels


def _within(first: int, stop: int, cuts: Sequence[Cut], scores: Array, sizes: Sizes) -> list[Cut]:
    """The cuts of one topic of the level above."""
    chosen = _without_short(cuts, first, stop, sizes)
    ends = [first, *(cut.after + 1 for cut in chosen), stop]
    if any(sizes.long(a, b) for a, b in pairwise(ends)):
        return _split(first, stop, cuts, scores, sizes)
    return chosen


def _without_short(cuts: Sequence[Cut], first: int, stop: int, sizes: Sizes) -> list[Cut]:
    """Those of the cuts that leave no topic too short and are together the strongest; none where that cannot be.

    What is long enough from one place is so from every place before it, so that one pass over the cuts is enough.
    """
    ends = [first, *(cut.after + 1 for cut in cuts), stop]
    best, back, leaders = [0.0], [0], [0]  # the leader is the best place so far
    near = -1  # the last place from which the topic is long enough
    for j in range(1, len(ends)):
        while near + 1 < j and not sizes.short(ends[near + 1], ends[j]):
            near += 1
        while near >= 0 and sizes.short(ends[near], ends[j]):
            near -= 1
        back.append(leaders[near] if near >= 0 else 0)
        worth = _worth(cuts[j - 1]) if j <= len(cuts) else 0.0
        best.append(best[back[j]] + worth if near >= 0 else -inf)
        leaders.append(j if best[j] >= best[leaders[-1]] else leaders[-1])
    kept = []
    place = back[-1]
    while place:
        kept.append(cuts[place - 1])
        place = back[place]
    return kept[::-1]


def _worth(cut: Cut) -> float:
    return 0.1 + cut.strength


# What a topic too short, and a cut of the rule that is given up, outweigh: any number of those below them.
_SHORT, _LOST = 1e9, 1e4


def _split(first: int, stop: int, cuts: Sequence[Cut], scores: Array, sizes: Sizes) -> list[Cut]:
    """The cuts, and as few more as the limits ask for, at likely gaps and evenly: the best of all partitions into topics
    none of which is too long, with as few too short and as many of the rule's cuts as can be.
    """
    count = stop - first
    proposed = {cut.after + 1 - first: cut for cut in cuts}
    prices, lost = np.zeros(count + 1), np.zeros(count + 2)
    prices[1:count] = 2 - _standing(scores[first : stop - 1])
    for place, cut in proposed.items():
        prices[place], lost[place + 1] = 0, _LOST * _worth(cut)
    lost = np.cumsum(lost)  # by giving up all cuts before each place
    best, back = np.zeros(count + 1), np.zeros(count + 1, np.intp)
    earliest = 0
    for j in range(1, count + 1):
        while sizes.long(first + earliest, first + j):
            earliest += 1
        at = np.arange(earliest, j)
        costs = best[at] + lost[j] - lost[at + 1] + (1 - sizes.filled(first + at, first + j)) ** 2
        costs += _SHORT * sizes.short(first + at, first + j)
        chosen = int(np.argmin(costs))
        back[j], best[j] = earliest + chosen, costs[chosen] + prices[j]
    made = []
    place = int(back[count])
    while place:
        made.append(proposed.get(place) or Cut(first + place - 1, 0.1, "limit: the topic would be too long"))
        place = int(back[place])
    return made[::-1]


def _standing(scores: Array) -> Array:
    """The share of scores below each."""
    return np.searchsorted(np.sort(scores), scores) / len(scores)
