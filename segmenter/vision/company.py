"""Who is there, picture by picture, when not every picture is looked at.

A track counts once it is confirmed, and is there between two looks that saw it. A detector's word is not enough: what
moves also changes the pixels of its box. So a bin bag is no person, a guard rail no train, however often it is called
one, and a parked car stays where it is, however its box is drawn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from math import hypot

from segmenter.records import Box, Observation, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.association import GAP_S
from segmenter.vision.blobs import Blob
from segmenter.vision.boxes import area, likeness, shared
from segmenter.vision.stages import exceeds
from segmenter.vision.trail import LOOK_S, SHARE
from segmenter.vision.trails import LINK_S, Trail
from segmenter.vision.watch import LAG_S, Glance

SAME_PLACE = 0.5  # intersection over union: the same thing that has not moved, or only a little
OWN_SHARE = 0.5  # of a blob lies in the box of its own thing: a shadow may be as large again
DRIVEN = 0.25  # what moves changes more than this share of its box, mostly 0.3 to 0.9; what is partly covered, 0.2 at most
STIR = 0.05  # people who sit or stand change 0.08 to 0.28 of theirs now and then, parked cars 0.00
STIR_OFTEN = 0.1  # of the time: rain on a bin bag does it less often
STIR_APART_S = 2.0  # who only passes before it stirs it once
STIR_WITHIN_S = 5.0  # before or after: nobody holds still for longer


@dataclass(frozen=True, slots=True, eq=False)
class _Stir:
    """The share of a box that has just changed, and what may have passed before it then."""

    time: float
    share: float
    passing: list[Trail]

    @property
    def is_own(self) -> bool:
        return not any(trail.visitor for trail in self.passing)


@dataclass(slots=True, eq=False)
class Known:
    """One thing that the detector has seen. `alive`: it calls it a person or a pet."""

    number: int
    alive: bool
    seen: float
    sighting: Sighting
    since: float | None = None  # from when on it is confirmed
    travelled: bool = False
    hits: deque[tuple[float, Sighting]] = field(default_factory=deque)
    stirs: deque[_Stir] = field(default_factory=deque)

    def see(self, time: float, sighting: Sighting, settings: VisionSettings) -> None:
        self.seen, self.sighting = time, sighting
        self.hits.append((time, sighting))
        while exceeds(time - self.hits[0][0], max(LOOK_S, settings.confirm_s)):
            self.hits.popleft()
        sure = [when for when, hit in self.hits if hit.confidence >= settings.confidence]
        recent = [when for when in sure if not exceeds(time - when, settings.confirm_s)]
        if self.since is None and len(recent) >= settings.confirm_hits:
            self.since = recent[0]
        self.travelled = self.travelled or any(has_travelled(hit.box, sighting.box) for _, hit in self.hits)

    def stir(self, glance: Glance, moving: Iterable[tuple[Trail, Blob]], kept_s: float) -> None:
        box = self.sighting.box
        passing = [trail for trail, blob in moving if passes(blob.box, box)]
        self.stirs.append(_Stir(glance.time, glance.stir(box), passing))
        while glance.time - self.stirs[0].time > kept_s:
            self.stirs.popleft()

    def counts(self, time: float, stationary_s: float) -> bool:
        """Whether it is there at `time`, by what is known some seconds later."""
        if self.since is None or time < self.since:
            return False
        return self.travelled or self._stirs(time) if self.alive else self._drives(time, stationary_s)

    def _stirs(self, time: float) -> bool:
        near = [stir for stir in self.stirs if abs(stir.time - time) <= STIR_WITHIN_S and stir.is_own]
        stirs = [stir.time for stir in near if stir.share >= STIR]
        return len(stirs) >= STIR_OFTEN * len(near) > 0 and stirs[-1] - stirs[0] >= STIR_APART_S

    def _drives(self, time: float, stationary_s: float) -> bool:
        """Whether it moves, or stands for a moment between two moves."""
        driven = [stir.time for stir in self.stirs if stir.share >= DRIVEN and stir.is_own]
        before = max((when for when in driven if when <= time), default=None)
        after = min((when for when in driven if when >= time), default=None)
        if after is None:
            return False
        return after - time <= LAG_S or (before is not None and after - before <= stationary_s)


@dataclass(slots=True, eq=False)
class Moment:
    """One picture: what stands out, what of it is followed (`moving`), and who is there.

    `dated` is where motion shows a track before its first sighting or after its last; `sparse`: the picture before
    is so long ago that motion says nothing.
    """

    time: float
    blobs: list[Blob]
    moving: list[tuple[Trail, Blob]]
    present: list[tuple[Known, Sighting]] = field(default_factory=list)
    dated: dict[int, Sighting] = field(default_factory=dict)
    sparse: bool = False

    def observation(self) -> Observation:
        return Observation(self.time, tuple(sighting for _, sighting in self.present))


class Company:
    """Takes moments in as they come and gives them back when it is known who was there, some seconds later."""

    def __init__(self, settings: VisionSettings) -> None:
        self._settings = settings
        self._wait_s = max(STIR_WITHIN_S, settings.stationary_s)
        self._waiting: deque[Moment] = deque()
        self._known: dict[int, Known] = {}  # by the association's number
        self._numbers = count(1)
        self._before: float | None = None

    def add(self, moment: Moment, glance: Glance, sightings: Iterable[Sighting]) -> Iterator[Moment]:
        """`sightings` are those of the look at this moment, if there was one. Yields what is now decided."""
        sparse = self._before is None or exceeds(moment.time - self._before, LINK_S)
        self._before, moment.sparse = moment.time, sparse
        self._waiting.append(moment)
        self._known = {track: known for track, known in self._known.items() if not exceeds(moment.time - known.seen, GAP_S)}
        for sighting in sightings:
            self._see(moment, sighting, driven=sparse or glance.stir(sighting.box) >= DRIVEN)
        for known in self._known.values():
            known.stir(glance, moment.moving, 2 * self._wait_s + GAP_S)
        while exceeds(moment.time - self._waiting[0].time, self._wait_s):
            yield self._decided(self._waiting.popleft())

    def rest(self) -> Iterator[Moment]:
        """What is left at the end of the recording."""
        while self._waiting:
            yield self._decided(self._waiting.popleft())

    def _see(self, moment: Moment, sighting: Sighting, driven: bool) -> None:
        known = self._known.get(sighting.track)
        in_place = known is not None and likeness(sighting.box, known.sighting.box) >= SAME_PLACE
        if known is not None and sighting.confidence < self._settings.confidence and not in_place:
            return  # a weak one says only that something known is still in its place
        if known is None or not (driven or in_place):  # nothing moves elsewhere without moving: this is another thing
            alive = sighting.label not in self._settings.only_moving
            known = self._known[sighting.track] = Known(next(self._numbers), alive, moment.time, sighting)
        sighting = replace(sighting, track=known.number, box=sighting.box if driven else known.sighting.box)
        for between in reversed(self._waiting):
            if between.time <= known.seen:
                break
            if between is not moment:
                between.present.append((known, known.sighting))
        known.see(moment.time, sighting, self._settings)
        moment.present.append((known, sighting))

    def _decided(self, moment: Moment) -> Moment:
        alone = moment.sparse and (not self._waiting or self._waiting[0].sparse)
        if not alone:  # else nothing but the detector's word is to be had
            stationary_s = self._settings.stationary_s
            moment.present = [(known, seen) for known, seen in moment.present if known.counts(moment.time, stationary_s)]
        return moment


def has_travelled(before: Box, now: Box) -> bool:
    """Whether a box is elsewhere: opposite sides have moved alike. Where one side alone has, something covers a part of it."""
    across = _alike(now.left - before.left, now.right - before.right)
    down = _alike(now.top - before.top, now.bottom - before.bottom)
    return hypot(across, down) > SHARE * hypot(now.right - now.left, now.bottom - now.top)


def passes(other: Box, box: Box) -> bool:
    """Whether something else covers a part of `box`, whose pixels then say nothing; a thing's own blob lies in its box."""
    return 0 < shared(other, box) < OWN_SHARE * area(other)


def _alike(a: float, b: float) -> float:
    return min(abs(a), abs(b)) if a * b > 0 else 0.0
