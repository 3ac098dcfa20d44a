"""How well topic breaks agree with true ones: the field's measures, equal to nltk's and segeval's.

A break is the index of the sentence it comes after; the end of the recording is none. `count` is the number of
sentences, so breaks lie in 0 .. count - 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Breaks = Sequence[int]


def window(truth: Breaks, count: int) -> int:
    """Half the mean true segment, at least 2: the window of Pk and WindowDiff (Beeferman et al. 1999)."""
    return max(2, round(count / (2 * (len(truth) + 1))))


def pk(truth: Breaks, made: Breaks, count: int) -> float:
    """Share of windows whose ends are wrongly said to share a topic or not; 0 is perfect."""
    return _disagreement(truth, made, count, lambda inside: inside > 0)


def window_diff(truth: Breaks, made: Breaks, count: int) -> float:
    """Share of windows with a wrong number of breaks (Pevzner and Hearst 2002); 0 is perfect."""
    return _disagreement(truth, made, count, lambda inside: inside)


def _disagreement(truth: Breaks, made: Breaks, count: int, seen: Callable[[NDArray[np.intp]], NDArray[np.generic]]) -> float:
    width = min(window(truth, count), count - 1)
    if width < 1:
        return 0.0
    return float(np.mean(seen(_inside(truth, count, width)) != seen(_inside(made, count, width))))


def _inside(breaks: Breaks, count: int, width: int) -> NDArray[np.intp]:
    """How many breaks lie in each window of `width` gaps."""
    sums = np.zeros(count, np.intp)
    sums[np.asarray(breaks, np.intp) + 1] = 1
    sums = np.cumsum(sums)
    return np.asarray(sums[width:] - sums[:-width])


@dataclass(frozen=True, slots=True)
class Matches:
    """How many breaks were matched one to one, of how many made and true."""

    matched: int
    made: int
    true: int

    @property
    def f1(self) -> float:
        """1 where there is nothing to find and nothing was made."""
        return 2 * self.matched / (self.made + self.true) if self.made + self.true else 1.0


def matches(truth: Sequence[float], made: Sequence[float], within: float) -> Matches:
    """The most breaks that can be paired one to one at most `within` apart; places in sentences, or in seconds."""
    i = matched = 0
    for place in sorted(made):
        while i < len(truth) and truth[i] < place - within:
            i += 1
        if i < len(truth) and truth[i] <= place + within:
            i, matched = i + 1, matched + 1
    return Matches(matched, len(made), len(truth))


def boundary_similarity(truth: Breaks, made: Breaks) -> float:
    """B of Fournier 2013: exact breaks count whole, those one sentence off half; 1 is perfect."""
    only_true, only_made = sorted(set(truth) - set(made)), sorted(set(made) - set(truth))
    shifted = matches(only_true, only_made, 1).matched
    exact = len(set(truth) & set(made))
    pairs = exact + len(only_true) + len(only_made) - shifted
    return (exact + shifted / 2) / pairs if pairs else 1.0


def interval(values: Sequence[float], draws: int = 2000, seed: int = 0) -> tuple[float, float]:
    """95 % bootstrap interval of the mean over recordings; of paired differences, it says whether they are real."""
    drawn = np.random.default_rng(seed).choice(np.asarray(values, float), (draws, len(values)))
    low, high = np.percentile(drawn.mean(axis=1), [2.5, 97.5])
    return float(low), float(high)
