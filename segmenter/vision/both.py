"""Detector and motion together: the detector opens, holds and names; motion says when to look, and dates the edges.

What the detector has no name for counts where it plainly goes by, labelled "moving".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path

from segmenter.media.frames import Frame
from segmenter.records import Finding, Observation, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.association import GAP_S, Association
from segmenter.vision.boxes import touches
from segmenter.vision.company import Company, Moment
from segmenter.vision.dating import dated
from segmenter.vision.detector import Detection, Detector
from segmenter.vision.gate import Gate, due
from segmenter.vision.motion import LABEL, MotionTracker
from segmenter.vision.steady import aligned, small_grey, without_specks
from segmenter.vision.stillness import Standing
from segmenter.vision.trails import Trail, Trails
from segmenter.vision.watch import OPENING_S, glances

# Motion opens alone by a stricter rule than where nothing else looks: what swings on the spot must not
ALONE_S = 0.8  # seen moving for so long
ALONE_OWN = 0.5  # and by so much of its own diagonal; more loses cars that fill the picture


class BothTracker:
    """The `both` row of the table of trackers. Raises what `Detector` raises.

    Observations come out some 15 s behind the frames: only later does it show who stays, stirs or has parked.
    """

    rate_hz = MotionTracker.rate_hz
    findings: tuple[Finding, ...]

    def __init__(self, weights: str | Path, settings: VisionSettings) -> None:
        self._settings = settings
        self._detector = Detector(weights, settings)
        self.findings = self._detector.findings

    def track(self, frames: Iterable[Frame]) -> Iterator[Observation]:
        """See `Tracker`. Each call starts anew: ids begin at 1."""
        # who asks for less than all that moves wants nothing unnamed: it may be anything
        number = _Numbers(unnamed=set(VisionSettings().labels) <= set(self._settings.labels))
        standing = Standing(self._settings.only_moving, self._settings.stationary_s)
        for moment in dated(self._moments(frames), standing):
            yield Observation(moment.time, tuple(number(moment)))

    def _moments(self, frames: Iterable[Frame]) -> Iterator[Moment]:
        company, trails = Company(self._settings), Trails(ALONE_S, ALONE_OWN)
        eye = _Eye(self._detector, self._settings)
        for glance in glances(without_specks(aligned(small_grey(eye.watched(frames))))):
            moment = Moment(glance.time, glance.blobs, trails.follow(glance.time, glance.blobs))
            yield from company.add(moment, glance, eye.look(moment) if glance.is_look else ())
        yield from company.rest()


class _Eye:
    """The detector, and the pictures it may still want to look at: motion decides a moment after they came."""

    def __init__(self, detector: Detector, settings: VisionSettings) -> None:
        self._detector, self._confidence = detector, settings.confidence
        self._step_s = 1 / settings.rate_hz
        self._gate = Gate(settings)
        self._association: Association  # made when the shape of the picture is known
        self._coming: deque[tuple[Frame | None, list[Detection] | None]] = deque()

    def watched(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The frames, passed on. While nothing is known of the scene they are looked at as they come, lest they pile up."""
        opening, looked = 0.0, -1.0
        for number, frame in enumerate(frames):
            if number == 0:
                opening = frame.time + OPENING_S
                height, width = frame.image.shape[:2]
                self._association = Association(self._confidence, width / height)
            if frame.time >= opening:
                self._coming.append((frame, None))
            elif number == 0 or due(looked, frame.time, self._step_s):
                self._coming.append((None, self._detector.detect(frame.image)))
                looked = frame.time
            else:
                self._coming.append((None, None))
            yield frame

    def look(self, moment: Moment) -> tuple[Sighting, ...]:
        """What is seen at this moment, if it is worth a look."""
        frame, detections = self._coming.popleft()
        wanted = self._gate.wants(moment.time, moment.moving)
        if frame is not None and wanted:
            detections = self._detector.detect(frame.image)
        if detections is None:
            return ()
        sightings = self._association.update(moment.time, detections)
        self._gate.saw(moment.time, sightings)
        return sightings


class _Numbers:
    """The sightings of each moment, their tracks numbered in order of first sight."""

    def __init__(self, unnamed: bool) -> None:
        self._unnamed = unnamed
        self._new = count(1)
        self._numbers: dict[int | Trail, tuple[int, float]] = {}  # and when last seen

    def __call__(self, moment: Moment) -> Iterator[Sighting]:
        self._numbers = {key: (n, seen) for key, (n, seen) in self._numbers.items() if moment.time - seen <= GAP_S + 1}
        named = {sighting.track: sighting for _, sighting in moment.present} | moment.dated
        for track, sighting in named.items():
            yield Sighting(self._number(track, moment.time), sighting.label, sighting.confidence, sighting.box)
        boxes = [sighting.box for sighting in named.values()]
        for trail, blob in moment.moving:
            if trail.name is not None and trail.lasts(moment.time) and trail.name.track not in named:
                yield Sighting(self._number(trail.name.track, moment.time), trail.name.label, blob.evidence, blob.box)
            elif self._unnamed and blob.active and trail.counts(moment.time) and not touches(blob.box, boxes):
                yield Sighting(self._number(trail, moment.time), LABEL, blob.evidence, blob.box)

    def _number(self, key: int | Trail, time: float) -> int:
        number = self._numbers[key][0] if key in self._numbers else next(self._new)
        self._numbers[key] = number, time
        return number
