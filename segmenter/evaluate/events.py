"""How well found events agree with true ones: matched one to one, scored as a detector, edges measured in seconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from segmenter.timeline import HasSpan, gaps, intersection_over_union, length, merge_close, overlap

OVERLAP = 0.5  # intersection over union from which on two events are the same
OVERLAPS = (0.3, 0.5, 0.75)  # found at all, found, found well
_AT_THE_EDGE_S = 0.11  # an event that lasts to the end may end with the last picture's time: a tenth of a second early
_MOSTLY = 0.5  # of an event lies in another: it is a piece of that one


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


@dataclass(frozen=True, slots=True)
class Agreement:
    """Everything that is said of found events.

    `at` gives the scores by the overlap that a match needs; `split` counts the found events that are one piece too many
    of a true one, `glued` the true ones that are one too many in a found one; seconds are of events, not of objects.
    """

    at: Mapping[float, EventScores]
    split: int
    glued: int
    true_s: float
    missed_s: float
    invented_s: float

    def figures(self) -> dict[str, float | int | None]:
        """Plain names: `f1_50` is the F1 at an overlap of 0.5; edges are those of the events matched at the overlap of `OVERLAP`.

        Where that overlap was not asked for, edges are those at the least one.
        """
        scores = {
            f"{name}_{round(100 * at)}": getattr(s, name) for at, s in self.at.items() for name in ("f1", "precision", "recall")
        }
        edges = self.at.get(OVERLAP, self.at[min(self.at)])
        quantiles = (("edge_median", 0.5), ("edge_90", 0.9), ("edge_worst", 1.0))
        counted = {"found": edges.found, "true": edges.true, "split": self.split, "glued": self.glued}
        seconds = {"true_s": self.true_s, "missed_s": self.missed_s, "invented_s": self.invented_s}
        return {**scores, **{name: edges.edge_quantile(share) for name, share in quantiles}, **counted, **seconds}


def agreement(
    found: Sequence[HasSpan], true: Sequence[HasSpan], duration: float, overlaps: Sequence[float] = OVERLAPS
) -> Agreement:
    """All figures of one recording of `duration` seconds."""
    return Agreement(
        at={least: score(found, true, duration, least) for least in overlaps},
        split=_pieces(found, true),
        glued=_pieces(true, found),
        true_s=sum(map(length, merge_close(true))),
        missed_s=_outside(true, found),
        invented_s=_outside(found, true),
    )


def together(parts: Sequence[Agreement]) -> Agreement:
    """Several recordings as if they were one: every event counts alike, whichever recording it is in."""
    return Agreement(
        at={least: _pooled([part.at[least] for part in parts]) for least in parts[0].at},
        split=sum(part.split for part in parts),
        glued=sum(part.glued for part in parts),
        true_s=sum(part.true_s for part in parts),
        missed_s=sum(part.missed_s for part in parts),
        invented_s=sum(part.invented_s for part in parts),
    )


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


def _pieces(parts: Sequence[HasSpan], wholes: Sequence[HasSpan]) -> int:
    """How many of `parts` are one too many: each lies mostly in a whole that another one lies mostly in as well."""
    inside = [sum(overlap(part, whole) >= _MOSTLY * length(part) for part in parts if length(part)) for whole in wholes]
    return sum(max(0, count - 1) for count in inside)


def _outside(spans: Iterable[HasSpan], others: Sequence[HasSpan]) -> float:
    """Seconds of `spans` that no one of `others` covers."""
    return sum(length(gap) for span in merge_close(spans) for gap in gaps(others, span))


def _pooled(parts: Sequence[EventScores]) -> EventScores:
    return EventScores(
        found=sum(part.found for part in parts),
        true=sum(part.true for part in parts),
        matched=sum(part.matched for part in parts),
        edge_errors=tuple(error for part in parts for error in part.edge_errors),
    )
