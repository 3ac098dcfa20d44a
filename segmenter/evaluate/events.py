"""How well found events agree with true ones: matched one to one, scored as a detector, edges measured in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from segmenter.timeline import HasSpan, intersection_over_union

OVERLAP = 0.5  # intersection over union from which on two events are the same
_AT_THE_EDGE_S = 0.11  # an event that lasts to the end may end with the last picture's time: a tenth of a second early


@dataclass(frozen=True, slots=True)
class EventScores:
    """`edge_errors` are seconds, found minus true, of the matched events' starts and ends that lie inside the recording."""

    found: int
    true: int
    matched: int
    edge_errors: tuple[float, ...]

    @property
    def precision(self) -> float:
        """Share of the found events that are true; 1 where nothing was found."""
        return self.matched / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of the true events that were found; 1 where there are none."""
        return self.matched / self.true if self.true else 1.0

    @property
    def f1(self) -> float:
        """2 matched / (found + true); 1 where nothing was to be found and nothing was."""
        return 2 * self.matched / (self.found + self.true) if self.found or self.true else 1.0

    def edge_quantile(self, share: float) -> float | None:
        """The edge error, in seconds without sign, that `share` of the edges do not exceed; None where there are none.

        0.5 gives the median, 1.0 the worst.
        """
        return float(np.quantile(np.abs(self.edge_errors), share)) if self.edge_errors else None


def score(found: Sequence[HasSpan], true: Sequence[HasSpan], duration: float, overlap: float = OVERLAP) -> EventScores:
    """Scores of one recording of `duration` seconds; see `matches` for `overlap`.

    Edges at the recording's own start and end are left out of the edge errors: everybody gets those right.
    """
    pairs = matches(found, true, overlap)
    starts = [found[i].start - true[j].start for i, j in pairs if true[j].start > 0]
    ends = [found[i].end - true[j].end for i, j in pairs if true[j].end < duration - _AT_THE_EDGE_S]
    return EventScores(len(found), len(true), len(pairs), (*starts, *ends))


def matches(found: Sequence[HasSpan], true: Sequence[HasSpan], overlap: float = OVERLAP) -> list[tuple[int, int]]:
    """Indices (found, true) of events whose intersection over union is at least `overlap`, one to one.

    Of all assignments it is the one with most pairs, among those the one with most overlap.
    """
    from scipy.optimize import linear_sum_assignment

    shared = np.array([[intersection_over_union(f, t) for t in true] for f in found]).reshape(len(found), len(true))
    worth = np.where(shared >= overlap, shared + len(found) + len(true), 0.0)  # a pair more outweighs any overlap
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if worth[i, j] > 0]
