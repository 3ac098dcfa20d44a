"""Parked vehicles are scenery: sightings of them count only around the times when they move.

A person or a pet may sit still and is there all the same; a parked car would hold an event open for hours.
Everything looks a bounded time ahead, so observations pass through as a stream, `STAND_S + LOOK_S` late.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from math import hypot

from segmenter.records import Box, Observation, Sighting

LOOK_S = 2.0  # a displacement is looked for within this time; a car creeping out of its bay takes most of it
SHARE = 0.12  # of the box's diagonal; boxes of standing cars tremble by up to 0.003 of it from look to look
MARGIN_S = 1.0  # a car that starts or stops creeps for about so long before or after it moves plainly
STAND_S = 6.0  # a shorter stand between two moves is part of the drive


def without_standing(observations: Iterable[Observation], labels: Collection[str]) -> Iterator[Observation]:
    """The observations, less the sightings of things with one of `labels` that stand still: one for one, times unchanged."""
    waiting: deque[_Waiting] = deque()
    trails: dict[int, _Trail] = {}
    for observation in observations:
        while waiting and waiting[0].time < observation.time - STAND_S - LOOK_S:
            yield waiting.popleft().decided()
        waiting.append(_Waiting.of(observation, labels))
        for sighting in observation.sightings:
            if sighting.label in labels:
                _follow(trails.setdefault(sighting.track, _Trail()), sighting, observation.time, waiting)
        trails = {track: trail for track, trail in trails.items() if observation.time - trail.places[-1].time <= STAND_S + LOOK_S}
    yield from (observation.decided() for observation in waiting)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the middle of a box was."""

    time: float
    x: float
    y: float

    @staticmethod
    def of(time: float, box: Box) -> _Place:
        return _Place(time, (box.left + box.right) / 2, (box.top + box.bottom) / 2)

    def is_far_from(self, other: _Place, box: Box) -> bool:
        return hypot(other.x - self.x, other.y - self.y) > SHARE * hypot(box.right - box.left, box.bottom - box.top)


@dataclass(slots=True)
class _Trail:
    """Where one track was within the last LOOK_S, and until when it counts as moving."""

    places: deque[_Place] = field(default_factory=deque)
    moved_until: float | None = None


@dataclass(slots=True)
class _Waiting:
    """An observation whose standing sightings may yet turn out to be part of a drive."""

    observation: Observation
    counted: set[int]  # tracks

    @staticmethod
    def of(observation: Observation, labels: Collection[str]) -> _Waiting:
        return _Waiting(observation, {s.track for s in observation.sightings if s.label not in labels})

    @property
    def time(self) -> float:
        return self.observation.time

    def decided(self) -> Observation:
        return Observation(self.time, tuple(s for s in self.observation.sightings if s.track in self.counted))


def _follow(trail: _Trail, sighting: Sighting, time: float, waiting: deque[_Waiting]) -> None:
    """Add a sighting to its track's trail; where it has moved, count the track while it did."""
    while trail.places and trail.places[0].time < time - LOOK_S:
        trail.places.popleft()
    here = _Place.of(time, sighting.box)
    far = [i for i, place in enumerate(trail.places) if place.is_far_from(here, sighting.box)]
    trail.places.append(here)
    since = time
    if far:
        left, arrived = trail.places[far[-1]].time, trail.places[far[-1] + 1].time
        since = left - MARGIN_S
        if trail.moved_until is not None and left - trail.moved_until <= STAND_S:
            since = trail.moved_until
        trail.moved_until = arrived
    if trail.moved_until is not None:
        _count(sighting.track, waiting, since, trail.moved_until + MARGIN_S)


def _count(track: int, waiting: deque[_Waiting], since: float, until: float) -> None:
    for observation in reversed(waiting):
        if observation.time < since:
            break
        if observation.time <= until:
            observation.counted.add(track)
