"""Edges of tracks dated by motion: a detector sees a thing later than the eye and loses it sooner.

From a track's first box motion is followed back, from its last one forward, over blobs that overlap from picture to
picture. Only ever outwards, and only as far as something really moves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice, tee

from segmenter.records import Box, Sighting
from segmenter.vision.blobs import Blob
from segmenter.vision.boxes import likeness, shared
from segmenter.vision.company import Moment
from segmenter.vision.stages import passed
from segmenter.vision.stillness import Standing

REACH_S = 2.5  # detectors miss legs, feet and hair at the picture's edge for up to 2 s
NEAR_S = 0.25  # the first blob is found so soon, or motion knows nothing of the thing
SAME_PLACE = 0.2  # intersection over union; the boxes of detectors are tighter, or motion sees only the legs
GAP_S = 0.35  # one of three pictures at 10 Hz may lack the blob


def dated(moments: Iterable[Moment], standing: Standing) -> Iterator[Moment]:
    """The moments, REACH_S late, with tracks where motion shows them.

    What `standing` takes out is dated where it begins and ceases to move, not where it is first seen.
    """
    edges = _Edges()
    future: deque[tuple[Moment, dict[int, Sighting]]] = deque()
    for moment, counted in _with_counted(moments, standing):
        future.append((moment, counted))
        while moment.time - future[0][0].time > REACH_S:
            yield from edges.follow(*future.popleft(), [later for later, _ in future])
    while future:
        yield from edges.follow(*future.popleft(), [later for later, _ in future])
    yield from edges.past


class _Edges:
    """Where tracks come and go; holds the moments that a track may yet be found in."""

    def __init__(self) -> None:
        self.past: deque[Moment] = deque()
        self._before: dict[int, Sighting] = {}

    def follow(self, moment: Moment, counted: dict[int, Sighting], future: list[Moment]) -> Iterator[Moment]:
        """Take in the next moment, the tracks that count in it and what comes later; give back what is settled."""
        _name(moment, counted)
        for track in counted.keys() - self._before.keys():
            _extend(counted[track], moment.time, [moment, *reversed(self.past)])
        for track in self._before.keys() - counted.keys():
            _extend(self._before[track], self.past[-1].time, [self.past[-1], moment, *future])
        self._before = counted
        self.past.append(moment)
        while moment.time - self.past[0].time > REACH_S:
            yield self.past.popleft()


def _with_counted(moments: Iterable[Moment], standing: Standing) -> Iterator[tuple[Moment, dict[int, Sighting]]]:
    """Each moment and its sightings by track, less those of things that stand."""
    moments, again = tee(moments)
    moving = passed([standing], (moment.observation() for moment in again))
    for moment, observation in zip(moments, moving, strict=True):
        yield moment, {sighting.track: sighting for sighting in observation.sightings}


def _name(moment: Moment, counted: Mapping[int, Sighting]) -> None:
    """Trails get the names of the things whose places they share."""
    for trail, blob in moment.moving:
        best = max(counted.values(), key=lambda s: likeness(blob.box, s.box), default=None)
        if best is not None and likeness(blob.box, best.box) >= SAME_PLACE:
            trail.name = best


def _extend(sighting: Sighting, edge: float, moments: list[Moment]) -> None:
    """Mark the track of `sighting` in the moments beyond its `edge`, where motion shows it."""
    trace = outermost(sighting.box, [(abs(moment.time - edge), moment.blobs) for moment in moments])
    for moment, box in zip(islice(moments, 1, None), trace[1:], strict=False):
        moment.dated.setdefault(sighting.track, replace(sighting, box=box))


def outermost(box: Box, pictures: Iterable[tuple[float, list[Blob]]]) -> list[Box]:
    """The boxes of the thing at `box` from picture to picture, up to the last in which it moves.

    `pictures` are seconds from the edge, rising from 0, and blobs; a picture without the thing repeats its box.
    """
    trace: list[Box] = []
    kept, found, limit = 0, -1.0, NEAR_S
    for seconds, blobs in pictures:
        if seconds > REACH_S or seconds - max(0.0, found) > limit + 1e-3:
            break
        blob = max((blob for blob in blobs if blob.valid), key=lambda blob: shared(blob.box, box), default=None)
        if blob is not None and shared(blob.box, box) > 0:
            box, found, limit = blob.box, seconds, GAP_S
            kept = len(trace) + 1 if blob.active else kept
        trace.append(box)
    return trace[:kept]
