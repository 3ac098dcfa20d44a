"""Parked vehicles are scenery: sightings of them count only around the times when they move.

A person or a pet may sit still and is there all the same; a parked car would hold an event open for hours. What stood
there from the start never counts, what has parked no longer, until it moves again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field

from segmenter.records import Box, Observation
from segmenter.vision.trail import LOOK_S, Trail

MARGIN_S = 1.0  # a car that starts or stops creeps for about so long before or after it moves plainly


class Standing:
    """The stage that takes out sightings of things with one of `labels` that stand still.

    A stand shorter than `stationary_s` between two moves is part of the drive. So observations wait, up to
    `stationary_s + LOOK_S`, while there is something in them that may yet turn out to have driven.
    """

    def __init__(self, labels: Collection[str], stationary_s: float) -> None:
        self._labels, self._stationary_s = labels, stationary_s
        self._waiting: deque[_Waiting] = deque()
        self._drives: dict[int, _Drive] = {}

    def see(self, observation: Observation) -> list[Observation]:
        oldest = observation.time - self._stationary_s - LOOK_S
        out = []
        while self._waiting and self._waiting[0].time < oldest:
            out.append(self._waiting.popleft().decided())
        self._drives = {track: drive for track, drive in self._drives.items() if drive.seen >= oldest}
        self._waiting.append(_Waiting.of(observation, self._labels))
        for sighting in observation.sightings:
            if sighting.label in self._labels:
                drive = self._drives.setdefault(sighting.track, _Drive())
                moved = drive.follow(observation.time, sighting.box, self._stationary_s)
                if moved is not None:
                    self._count(sighting.track, *moved)
        while self._waiting and self._waiting[0].is_decided():
            out.append(self._waiting.popleft().decided())
        return out

    def finish(self) -> list[Observation]:
        left = [waiting.decided() for waiting in self._waiting]
        self._waiting.clear()
        return left

    def _count(self, track: int, since: float, until: float) -> None:
        for waiting in reversed(self._waiting):
            if waiting.time < since:
                break
            if waiting.time <= until:
                waiting.counted.add(track)


@dataclass(slots=True)
class _Drive:
    """One track: when it was last seen, and until when it has moved."""

    trail: Trail = field(default_factory=Trail)
    seen: float = 0.0
    moved_until: float | None = None

    def follow(self, time: float, box: Box, stationary_s: float) -> tuple[float, float] | None:
        """From when to when it counts, by what is known now."""
        self.seen = time
        moved = self.trail.follow(time, box)
        since = time
        if moved is not None:
            since = moved.start - MARGIN_S
            if self.moved_until is not None and moved.start - self.moved_until <= stationary_s:
                since = self.moved_until
            self.moved_until = moved.end
        return None if self.moved_until is None else (since, self.moved_until + MARGIN_S)


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

    def is_decided(self) -> bool:
        return all(s.track in self.counted for s in self.observation.sightings)

    def decided(self) -> Observation:
        return Observation(self.time, tuple(s for s in self.observation.sightings if s.track in self.counted))
