"""Detections to tracks, in seconds: the same at 2 looks a second as at 30, and across uneven times.

Trackers that count frames lose who walks at a few looks a second: two boxes of one walker, a look apart, often do not
overlap at all. So what may join depends on the time between, and on the distance in the thing's own size. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import exp, hypot

import numpy as np
from numpy.typing import NDArray

from segmenter.records import Box, Sighting
from segmenter.vision.detector import Detection

GAP_S = 2.0  # a track not seen for so long is given up
GROUPS = (  # labels that one thing may change between from look to look
    ("person",),
    ("bicycle", "motorcycle"),
    ("car", "bus", "truck", "train"),
    ("cat", "dog"),
)
SAME_THING = 0.6  # two labels whose boxes overlap by so much are two names for one thing ...
RIDES = ({"person", "bicycle"}, {"person", "motorcycle"})  # ... but for these
# Two boxes may be one thing if they overlap by so much (all overlaps are intersection over union),
LEAST_OVERLAP = 0.1
# or if their centres are so near, in diagonals of the box: more with each second between them, up to a limit.
REACH, REACH_PER_S, MOST_REACH = 0.4, 0.75, 1.0
# But what has kept its place for so long is looked for in that place: who passes before it is another.
STANDS_S, KEPT_OVERLAP = 1.0, 0.5
FORBIDDEN = 2.0  # costs more than every pair that may be (at most 1 + 0.5 of MOST_REACH)
FORESEEN_S = 1.0  # after a longer time, speed says nothing of where it is
SPEED_S = 0.3  # time constant of the smoothed speed: one or two looks at 5 Hz


@dataclass(frozen=True, slots=True)
class _Place:
    """A box by its centre and sides, in heights of the picture."""

    x: float
    y: float
    width: float
    height: float

    @property
    def diagonal(self) -> float:
        return hypot(self.width, self.height)

    def overlap(self, other: _Place) -> float:
        """Intersection over union."""
        shared = _shared(self.x, self.width, other.x, other.width) * _shared(self.y, self.height, other.y, other.height)
        union = self.width * self.height + other.width * other.height - shared
        return shared / union if union else 0.0


@dataclass(slots=True)
class _Track:
    """One thing: where it was last, when, and how fast it goes."""

    id: int
    group: tuple[str, ...]
    time: float
    place: _Place
    kept: _Place  # the place that it has kept,
    kept_since: float  # since when
    came: bool = False  # to that place, from another
    speed: tuple[float, float] | None = None  # of the centre, picture heights a second

    @property
    def stands(self) -> bool:
        return _since(self.kept_since, self.time) >= STANDS_S

    def foreseen(self, dt: float) -> _Place:
        if self.speed is None or dt >= FORESEEN_S:
            return self.place
        return replace(self.place, x=self.place.x + self.speed[0] * dt, y=self.place.y + self.speed[1] * dt)

    def move(self, time: float, place: _Place) -> None:
        dt = _since(self.time, time)
        if dt > 0:
            now = ((place.x - self.place.x) / dt, (place.y - self.place.y) / dt)
            before, weight = self.speed or now, exp(-dt / SPEED_S)
            self.speed = (weight * before[0] + (1 - weight) * now[0], weight * before[1] + (1 - weight) * now[1])
        self.time, self.place = time, place
        if self.kept.overlap(place) < KEPT_OVERLAP:
            self.kept, self.kept_since, self.came = place, time, True


class Association:
    """The tracks of one recording. Ids begin at 1.

    `confidence` starts a track; weaker detections only prolong one. `aspect` is the picture's width over its height:
    boxes are fractions of it, and distances must count the same in both directions.
    """

    def __init__(self, confidence: float = 0.25, aspect: float = 1.0) -> None:
        self._confidence, self._aspect = confidence, aspect
        self._numbers = count(1)
        self._tracks: list[_Track] = []

    def update(self, time: float, detections: Sequence[Detection]) -> tuple[Sighting, ...]:
        """The sightings at `time`, the surest first; times must rise from call to call."""
        self._tracks = [track for track in self._tracks if _since(track.time, time) <= GAP_S]
        seen = _once_each(detections, self._aspect)
        known = _joined(self._tracks, dict(enumerate(seen)), time)
        # who came and stood, and is no longer in that place, may have gone where something is that no other track is;
        # a thing that has always stood there has not
        lost = [track for track in self._tracks if track.came and all(track is not one for one in known.values())]
        left = {number: one for number, one in enumerate(seen) if number not in known}
        known |= _joined(lost, left, time, leaves=True)
        sightings = []
        for number, (detection, place) in enumerate(seen):
            track = known.get(number)
            if track is not None:
                track.move(time, place)
            elif detection.confidence >= self._confidence:
                track = _Track(next(self._numbers), _group(detection.label), time, place, place, time)
                self._tracks.append(track)
            if track is not None:
                sightings.append(Sighting(track.id, detection.label, detection.confidence, detection.box))
        return tuple(sightings)


def _shared(a: float, a_length: float, b: float, b_length: float) -> float:
    """How much two stretches, by middle and length, overlap."""
    return max(0.0, min(a_length, b_length, (a_length + b_length) / 2 - abs(a - b)))


def _since(before: float, now: float) -> float:
    """Whole milliseconds, in seconds: limits must not depend on where on the clock two times lie."""
    return round(now - before, 3)


def _group(label: str) -> tuple[str, ...]:
    return next((group for group in GROUPS if label in group), (label,))


def _place(box: Box, aspect: float) -> _Place:
    width, height = (box.right - box.left) * aspect, box.bottom - box.top
    return _Place((box.left + box.right) / 2 * aspect, (box.top + box.bottom) / 2, width, height)


def _once_each(detections: Sequence[Detection], aspect: float) -> list[tuple[Detection, _Place]]:
    """The detections, less those that are another name for a surer one."""
    placed = [(detection, _place(detection.box, aspect)) for detection in detections]
    kept: list[tuple[Detection, _Place]] = []
    for one in sorted(placed, key=lambda pair: -pair[0].confidence):
        if not any(_same_thing(one, other) for other in kept):
            kept.append(one)
    return kept


def _same_thing(one: tuple[Detection, _Place], other: tuple[Detection, _Place]) -> bool:
    labels = {one[0].label, other[0].label}
    return len(labels) == 2 and labels not in RIDES and one[1].overlap(other[1]) >= SAME_THING


def _joined(
    tracks: Sequence[_Track], seen: Mapping[int, tuple[Detection, _Place]], time: float, leaves: bool = False
) -> dict[int, _Track]:
    """The tracks of what is `seen`, by its numbers."""
    costs = [[_cost(track, one.label, place, time, leaves) for one, place in seen.values()] for track in tracks]
    numbers = list(seen)
    pairs = _assigned(np.array(costs).reshape(len(tracks), len(seen)))
    return {numbers[column]: tracks[row] for row, column in pairs}


def _cost(track: _Track, label: str, place: _Place, time: float, leaves: bool) -> float:
    """What it costs to take a detection for the track's thing; FORBIDDEN: it cannot be.

    `leaves`: what stood is looked for beyond its place, too.
    """
    if label not in track.group:
        return FORBIDDEN
    dt = _since(track.time, time)
    expected = track.foreseen(dt)
    overlap = expected.overlap(place)
    size = max(expected.diagonal, place.diagonal)
    distance = hypot(expected.x - place.x, expected.y - place.y) / size if size else 0.0
    near = distance < min(REACH + REACH_PER_S * dt, MOST_REACH)
    possible = overlap >= KEPT_OVERLAP if track.stands and not leaves else near or overlap > LEAST_OVERLAP
    return 1 - overlap + 0.5 * distance if possible else FORBIDDEN


def _assigned(costs: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Rows and columns joined one to one at the least cost. A pair that cannot be costs only little more than one that
    barely can: two good pairs are not given up for three poor ones."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(costs)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if costs[i, j] < FORBIDDEN]
