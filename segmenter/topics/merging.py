"""Neighbouring segments that are alike become one: what tells a new article from a new paragraph, where no penalty does.

Likeness is the cosine of two segments' means with the sentences' noise taken out of their lengths, as it is, or between
that of distant parts of the same recording (0) and the same (1).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from segmenter.topics.partition import Array

_LEAST_GAIN = 1.6  # a break must explain this much noise


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a cut: how alike its sides are, and how much noise it explains."""

    alike: float
    gain: float


class Segments:
    """The segments between cuts: their ends, the first and last place included, and the sums of their vectors.

    `compared`: likeness is measured against that of distant parts.
    """

    def __init__(self, sums: Array, ends: Sequence[int], noise: float, compared: bool = True) -> None:
        self.ends, self._noise = list(ends), noise
        self._sums = [sums[b] - sums[a] for a, b in pairwise(ends)]
        self._base, self._spread = self._distant() if compared else (0.0, 0.0)

    def merge(self, alike: float, forgiven: Array, kept: Collection[int] = (), beyond: float = 0.0) -> None:
        """Merges neighbours, most alike first, while they are more alike than `alike` or explain too little; not over `kept`.

        `forgiven`, shape (n - 1,), is taken off the likeness at each gap. Where distant parts differ much in likeness,
        neighbours must be more alike than those are by so many deviations, `beyond`.
        """
        alike = max(alike, beyond * self._spread)
        found = [self.evidence(k) for k in range(len(self._sums) - 1)]
        while free := [k for k in range(len(found)) if self.ends[k + 1] not in kept]:
            poor = [k for k in free if found[k].gain < _LEAST_GAIN]
            k = min(poor, key=lambda i: found[i].gain) if poor else max(free, key=lambda i: self._held(found[i], i, forgiven))
            if not poor and self._held(found[k], k, forgiven) <= alike:
                return
            self._sums[k : k + 2] = [self._sums[k] + self._sums[k + 1]]
            del self.ends[k + 1], found[k]
            for beside in (k - 1, k):
                if 0 <= beside < len(found):
                    found[beside] = self.evidence(beside)

    def evidence(self, k: int) -> Evidence:
        """For the cut after segment k."""
        return Evidence((self._likeness(k, k + 1) - self._base) / (1 - self._base), self._gain(k))

    def _held(self, found: Evidence, k: int, forgiven: Array) -> float:
        return found.alike - float(forgiven[self.ends[k + 1] - 1])

    def _size(self, k: int) -> int:
        return self.ends[k + 1] - self.ends[k]

    def _likeness(self, a: int, b: int) -> float:
        mean_a, mean_b = self._sums[a] / self._size(a), self._sums[b] / self._size(b)
        return float(mean_a @ mean_b / np.sqrt(self._freed(mean_a, self._size(a)) * self._freed(mean_b, self._size(b))))

    def _freed(self, mean: Array, size: int) -> float:
        squared = float(mean @ mean)
        return max(squared - self._noise / size, 0.1 * squared, 1e-12)

    def _gain(self, k: int) -> float:
        a, b = self._size(k), self._size(k + 1)
        step = self._sums[k] / a - self._sums[k + 1] / b
        return a * b / (a + b) * float(step @ step) / self._noise

    def _distant(self) -> tuple[float, float]:
        """How alike segments that are no neighbours are on average: what all of this recording has in common; and by how
        much they differ in that, in units of `evidence`. Only those less alike say it: among the others may be some on one
        topic that is taken up again.
        """
        count = len(self._sums)
        if count < 3:
            return 0.0, 0.0
        size = np.diff(self.ends).astype(float)
        means = np.stack(self._sums) / size[:, None]
        freed = np.array([self._freed(mean, int(n)) for mean, n in zip(means, size, strict=True)])
        a, b = np.triu_indices(count, 2)
        alike = (means @ means.T / np.sqrt(np.outer(freed, freed)))[a, b]
        weights = np.minimum(size[a], size[b])
        base = float(np.clip(np.average(alike, weights=weights), 0, 0.9))
        less = alike < base
        spread = np.sqrt(np.average((alike[less] - base) ** 2, weights=weights[less])) if less.any() else 0.0
        return base, float(spread) / (1 - base)
