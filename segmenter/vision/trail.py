"""Where one track was in the last moments, and whether that is a movement or the trembling of its box."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import hypot

from segmenter.records import Box, Span

LOOK_S = 2.0  # a displacement is looked for within this time; a car creeping out of its bay takes most of it
SHARE = 0.12  # of the box's diagonal; boxes of standing cars tremble by up to 0.003 of it from look to look
HIDDEN = 0.5  # of the diagonal: so far, at most, does the middle of a box slip when only a part of the thing is seen


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the middle of a box was."""

    time: float
    x: float
    y: float

    def distance(self, other: _Place) -> float:
        return hypot(other.x - self.x, other.y - self.y)

    def between(self, before: _Place, after: _Place) -> _Place:
        """This place as the median of the three: on its way from one to the other it stays, a slip goes."""
        return _Place(self.time, *(sorted(ways)[1] for ways in ((before.x, self.x, after.x), (before.y, self.y, after.y))))


@dataclass(slots=True)
class Trail:
    """The places of one track within the last LOOK_S."""

    places: deque[_Place] = field(default_factory=deque)

    def follow(self, time: float, box: Box) -> Span | None:
        """The last time in which it moved away from where it was, or None where it has stood for LOOK_S.

        A box that slips for one look, since somebody passes before it, is no movement: it must be elsewhere for two
        looks, or further away than any slip.
        """
        while self.places and self.places[0].time < time - LOOK_S:
            self.places.popleft()
        self.places.append(_Place(time, (box.left + box.right) / 2, (box.top + box.bottom) / 2))
        if len(self.places) > 2:
            self.places[-2] = self.places[-2].between(self.places[-3], self.places[-1])
        diagonal = hypot(box.right - box.left, box.bottom - box.top)
        left = next((i for i in range(len(self.places) - 2, -1, -1) if self._has_left(i, diagonal)), None)
        return None if left is None else Span(self.places[left].time, self.places[left + 1].time)

    def _has_left(self, i: int, diagonal: float) -> bool:
        """Whether it is no longer where it was at its place `i`."""
        there, here, before = self.places[i], self.places[-1], self.places[-2]
        if there.distance(here) > HIDDEN * diagonal:
            return True
        return min(there.distance(here), there.distance(before)) > SHARE * diagonal
