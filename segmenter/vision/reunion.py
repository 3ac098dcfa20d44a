"""Ids lost and found: a track that begins where another one was lost a moment ago is that one.

Detectors lose who passes behind a post or turns round, and trackers then give a new id. Who was last seen at the
picture's edge has left: another one who comes in there is somebody else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot

from segmenter.records import Box, Observation, Sighting
from segmenter.vision.stages import Recent, exceeds

EDGE = 0.02  # of the picture: boxes of what is cut off by its edge end this near to it
REACH, REACH_PER_S, MOST_REACH = 0.4, 0.75, 1.0  # diagonals of the box: how far a walker gets, at once, a second, and at most
LIKE_SIZE = 2.0  # a box of more than so many times the diagonal, or less, is another thing


@dataclass(frozen=True, slots=True)
class _Seen:
    """A track's last sighting, under its own id."""

    time: float
    sighting: Sighting

    def may_be(self, other: Sighting, time: float) -> bool:
        own, theirs = _diagonal(self.sighting.box), _diagonal(other.box)
        alike = self.sighting.label == other.label and own <= LIKE_SIZE * theirs and theirs <= LIKE_SIZE * own
        reach = min(MOST_REACH, REACH + REACH_PER_S * (time - self.time)) * max(own, theirs)
        return alike and _distance(self.sighting.box, other.box) <= reach


class Reunion:
    """The stage that gives a track found again, up to `bridge_s` after it was lost, its id back; nothing waits in it."""

    def __init__(self, bridge_s: float) -> None:
        self._bridge_s = bridge_s
        self._own: Recent[int] = Recent()  # id as given -> id as kept
        self._lost: dict[int, _Seen] = {}  # those in view, too

    def see(self, observation: Observation) -> list[Observation]:
        time = observation.time
        self._lost = {track: seen for track, seen in self._lost.items() if not exceeds(time - seen.time, self._bridge_s)}
        taken = {self._own[s.track] for s in observation.sightings if s.track in self._own}
        sightings = []
        for sighting in observation.sightings:
            track = self._own[sighting.track] if sighting.track in self._own else self._found(sighting, time, taken)
            self._own[sighting.track] = track
            taken.add(track)
            sightings.append(replace(sighting, track=track))
            self._lost[track] = _Seen(time, sighting)
        return [replace(observation, sightings=tuple(sightings))]

    def finish(self) -> list[Observation]:
        return []

    def _found(self, sighting: Sighting, time: float, taken: set[int]) -> int:
        """The id of the lost track that is nearest to a new one, or the new one's own."""
        lost = {
            track: _distance(seen.sighting.box, sighting.box)
            for track, seen in self._lost.items()
            if track not in taken and not at_edge(seen.sighting.box) and seen.may_be(sighting, time)
        }
        return min(lost, key=lambda track: (lost[track], track), default=sighting.track)


def at_edge(box: Box) -> bool:
    """Whether something is cut off by the picture's edge."""
    return min(box.left, box.top, 1 - box.right, 1 - box.bottom) <= EDGE


def _diagonal(box: Box) -> float:
    return hypot(box.right - box.left, box.bottom - box.top)


def _distance(a: Box, b: Box) -> float:
    """Between the middles."""
    return hypot(a.left + a.right - b.left - b.right, a.top + a.bottom - b.top - b.bottom) / 2
