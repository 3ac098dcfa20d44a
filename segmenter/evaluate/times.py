"""How well found times agree with true ones: matched one to one within a tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeScores:
    found: int
    true: int
    matched: int

    @property
    def f1(self) -> float:
        """2 matched / (found + true); 1 where nothing was to be found and nothing was."""
        return 2 * self.matched / (self.found + self.true) if self.found or self.true else 1.0


def score(found: Sequence[float], true: Sequence[float], within: float) -> TimeScores:
    """Scores of times in seconds; no assignment has more pairs at most `within` seconds apart than the one from the left."""
    waiting, matched = sorted(found), 0
    for time in sorted(true):
        while waiting and waiting[0] < time - within:
            waiting.pop(0)
        if waiting and waiting[0] <= time + within:
            waiting.pop(0)
            matched += 1
    return TimeScores(len(found), len(true), matched)
