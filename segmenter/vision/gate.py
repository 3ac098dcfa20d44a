"""When a look of the detector is worth its cost: most of what a fixed camera records is an empty scene.

Looks fall on a grid of times, the same with and without the gate wherever something goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, floor, inf

import numpy as np

from segmenter.records import Box, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.association import GAP_S
from segmenter.vision.blobs import Blob
from segmenter.vision.boxes import likeness, touches
from segmenter.vision.stages import exceeds
from segmenter.vision.trails import LINK_S, Trail

LINGER_S = 1.0  # motion flickers, and the last foot of who leaves is seen by the detector alone
KNOWN_S = 1.0  # who has been seen for so long is known, and is only followed
LIKE = 0.1  # intersection over union of a moving blob and the box where it was seen a moment ago
FOLLOW_S = 0.4  # more looks at who is known find nothing more
VIEW_S = 1.0  # somebody sits still; a branch sways
REST_S = 10.0  # nothing is there, as far as anybody knows: who stood still from the start is found by such a look
EARLY_S = 0.02  # a picture this little before its turn is taken: times are rounded


class Gate:
    """Decides picture by picture; told of each look what it saw. It is open all the time where `settings.gate` is off."""

    def __init__(self, settings: VisionSettings) -> None:
        self._settings, self._step_s = settings, 1 / settings.rate_hz
        self._looked = self._moved = self._stirred = -inf  # the last look, motion that is worth one, any motion
        self._first: dict[int, float] = {}  # track -> when first and last seen
        self._last: dict[int, float] = {}
        self._alive: set[int] = set()  # tracks of people and pets
        self._seen: tuple[Sighting, ...] = ()
        self._blobs: list[Blob] = []  # what moves and is worth a look
        self._unproven: list[Box] = []  # what moves and has not gone anywhere yet
        self._dull = DullPlaces()
        self._before: float | None = None

    def wants(self, time: float, moving: Iterable[tuple[Trail, Blob]]) -> bool:
        """Whether to look at the picture at `time`, in which things move along their trails."""
        active = [(trail, blob) for trail, blob in moving if blob.active]
        self._blobs = [blob for trail, blob in active if trail.visitor or not self._dull.holds(blob.box)]
        self._stirred = time if active else self._stirred
        self._moved = time if self._blobs else self._moved
        self._unproven = [blob.box for trail, blob in active if not trail.visitor]
        sparse = self._before is None or exceeds(time - self._before, LINK_S)  # in pictures so far apart motion says nothing
        self._before = time
        return due(self._looked, time, self._step_s if sparse else self._interval(time))

    def saw(self, time: float, sightings: tuple[Sighting, ...]) -> None:
        """What the look at `time` saw."""
        named = [sighting.box for sighting in sightings]
        self._dull.note(time, [box for box in self._unproven if not touches(box, named)])
        self._looked, self._seen = time, sightings
        for sighting in sightings:
            self._first.setdefault(sighting.track, time)
            self._last[sighting.track] = time
            if sighting.label not in self._settings.only_moving:
                self._alive.add(sighting.track)
        for track in [track for track, last in self._last.items() if time - last > GAP_S]:
            del self._last[track], self._first[track]
            self._alive.discard(track)

    def _interval(self, time: float) -> float:
        if not self._settings.gate:
            return self._step_s
        if time - self._moved <= LINGER_S:
            return max(self._step_s, FOLLOW_S) if self._all_known(time) else self._step_s
        if self._alive:
            settled = all(self._last[track] == self._looked and time - self._first[track] > KNOWN_S for track in self._alive)
            return max(self._step_s, VIEW_S) if settled else self._step_s
        return max(self._step_s, VIEW_S if time - self._stirred <= self._settings.stationary_s else REST_S)

    def _all_known(self, time: float) -> bool:
        """Whether everything that moves has been seen for a while."""
        known = [s.box for s in self._seen if time - self._first[s.track] > KNOWN_S]
        return bool(self._blobs and known) and all(any(likeness(blob.box, box) >= LIKE for box in known) for blob in self._blobs)


class DullPlaces:
    """Where something has moved again and again, and never was anything: branches, flags, water."""

    GRID = (9, 16)  # cells down and across
    DULL_S = 3.0  # so many seconds of looks in vain
    FORGET_S = 60.0  # the wind drops

    def __init__(self) -> None:
        self._vain_s = np.zeros(self.GRID)
        self._before = -inf

    def note(self, time: float, boxes: Iterable[Box]) -> None:
        """A look at `time` has seen nothing in `boxes`, where something moved."""
        since = time - self._before
        self._vain_s *= exp(-since / self.FORGET_S)
        covered = np.zeros(self.GRID, bool)
        for box in boxes:
            covered[self._cells(box)] = True
        self._vain_s += min(VIEW_S, since) * covered
        self._before = time

    def holds(self, box: Box) -> bool:
        return float(self._vain_s[self._cells(box)].mean()) >= self.DULL_S

    def _cells(self, box: Box) -> tuple[slice, slice]:
        down, across = self.GRID
        return _cells(box.top, box.bottom, down), _cells(box.left, box.right, across)


def _cells(start: float, end: float, count: int) -> slice:
    first = min(int(start * count), count - 1)
    return slice(first, max(first + 1, round(end * count)))


def due(looked: float, time: float, interval: float) -> bool:
    """Whether a new stretch of `interval` seconds has begun since the last look."""
    return looked == -inf or floor((time + EARLY_S) / interval) > floor((looked + EARLY_S) / interval)
