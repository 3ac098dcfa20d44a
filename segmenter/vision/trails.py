"""Blobs linked over time to trails, and which trails are those of visitors."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import hypot

import numpy as np

from segmenter.records import Box, Sighting
from segmenter.vision.blobs import Blob

LINK_S = 0.6  # a blob may be lost for so long
LINK_MARGIN = 0.03  # of the picture: boxes of one thing at two times overlap when widened by it
LEAST_HITS = 4  # active ones; fewer are a flash
# A visitor travels; what swings on the spot (a branch, a balloon, a curtain) moves by a part of its own size.
LEAST_TRAVEL = 0.06  # of the picture
LEAST_OWN = 0.3  # of its own diagonal
# It was not there before, so along its outline the picture is steeper than the scene; what was there all the time,
# a leaf in the wind or a reflection in a door, has its outline in both. One that drives off is in between.
LEAST_OUTLINE = 1.05
MEMORY_S = 20.0
# Flakes and drops come by the dozen: a motorway begins up to 6 trails a second, a palm in a storm 7, heavy snow 15 to 50
SWARM, SWARM_S = 10.0, 2.0  # of more a second, over so long, none is known for a visitor


@dataclass(frozen=True, slots=True)
class Place:
    """Where an active blob was: centre and diagonal as fractions of the picture."""

    time: float
    x: float
    y: float
    size: float
    outline: float

    @staticmethod
    def of(time: float, blob: Blob) -> Place:
        left, top, right, bottom = blob.box
        return Place(time, (left + right) / 2, (top + bottom) / 2, hypot(right - left, bottom - top), blob.outline)


@dataclass(slots=True, eq=False)
class Trail:
    """One thing as it is followed. Until it is known for a `visitor`, its `places` of the last MEMORY_S are kept."""

    box: Box
    seen: float  # when last
    first_active: float
    last_active: float
    visitor: bool = False
    name: Sighting | None = None  # what a detector has seen in its place
    places: deque[Place] = field(default_factory=deque)

    def add(self, time: float, blob: Blob) -> None:
        self.box, self.seen = blob.box, time
        if not blob.active:
            return
        self.last_active = time
        if not self.visitor:
            self.places.append(Place.of(time, blob))
            while time - self.places[0].time > MEMORY_S:
                self.places.popleft()

    def weigh(self, least_s: float, least_own: float) -> None:
        """Whether it is known for a visitor by now."""
        if not self.visitor and is_visitor(self.places, least_s, least_own):
            self.visitor = True
            self.places.clear()

    def counts(self, time: float) -> bool:
        """Whether it is a visitor in view at `time`: a stand counts when a move follows, or else it has parked."""
        return self.visitor and self.lasts(time)

    def lasts(self, time: float) -> bool:
        """Whether `time` lies between its first and last movement."""
        return self.first_active <= time <= self.last_active


class Trails:
    """All things followed at the moment. `least_s`: what moves for a shorter time is flicker; `least_own`: see is_visitor."""

    def __init__(self, least_s: float, least_own: float = LEAST_OWN) -> None:
        self._least = least_s, least_own
        self.live: list[Trail] = []
        self._begun: deque[float] = deque()  # when trails began, within the last SWARM_S

    def follow(self, time: float, blobs: Iterable[Blob]) -> list[tuple[Trail, Blob]]:
        """The trail of each blob that is a thing; only what moves begins a new one."""
        self.live = [trail for trail in self.live if time - trail.seen <= LINK_S]
        things = [blob for blob in blobs if blob.valid]
        followed = _paired(self.live, things)
        begun = [blob for blob in things if blob.active and all(blob is not known for _, known in followed)]
        hits = followed + [(Trail(blob.box, time, time, time), blob) for blob in begun]
        self.live += [trail for trail, _ in hits[len(followed) :]]
        for trail, blob in hits:
            trail.add(time, blob)
        if not self._swarms(time, len(begun)):
            for trail, _ in hits:
                trail.weigh(*self._least)
        return hits

    def _swarms(self, time: float, begun: int) -> bool:
        self._begun.extend([time] * begun)
        while self._begun and time - self._begun[0] > SWARM_S:
            self._begun.popleft()
        return len(self._begun) > SWARM * SWARM_S

    def finish(self) -> None:
        """The recording has ended: who stands there may have been about to move."""
        for trail in self.live:
            trail.last_active = trail.seen


def is_visitor(places: Iterable[Place], least_s: float, least_own: float = LEAST_OWN) -> bool:
    """Whether something came from elsewhere and travelled, by `least_own` of its own diagonal at least.

    The outermost places do not count: a box may slip once.
    """
    rows = np.array([(p.time, p.x, p.y, p.size, p.outline) for p in places])
    if len(rows) < LEAST_HITS or rows[-1, 0] - rows[0, 0] < least_s - 1e-6:
        return False
    ordered = np.sort(rows[:, 1:3], axis=0)
    size, outline = np.median(rows[:, 3:], axis=0)
    return bool(max(ordered[-2] - ordered[1]) >= max(LEAST_TRAVEL, least_own * size) and outline >= LEAST_OUTLINE)


def _paired(trails: list[Trail], blobs: list[Blob]) -> list[tuple[Trail, Blob]]:
    """Trails and the blobs that overlap them, one to one, the largest overlap first."""
    overlaps = [(_overlap(t.box, b.box), i, j) for i, t in enumerate(trails) for j, b in enumerate(blobs)]
    pairs: dict[int, int] = {}
    for overlap, i, j in sorted(overlaps, reverse=True):
        if overlap > 0 and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return [(trails[i], blobs[j]) for i, j in pairs.items()]


def _overlap(a: Box, b: Box) -> float:
    """Shared area of two boxes, one of them widened by LINK_MARGIN."""
    across = min(a.right, b.right) - max(a.left, b.left) + LINK_MARGIN
    down = min(a.bottom, b.bottom) - max(a.top, b.top) + LINK_MARGIN
    return max(0.0, across) * max(0.0, down)
