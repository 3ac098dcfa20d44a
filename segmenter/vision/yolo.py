"""YOLO on every look, its detections joined to tracks: names what it sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from segmenter import table
from segmenter.media.frames import Frame
from segmenter.records import Observation, Sighting
from segmenter.settings import VisionSettings
from segmenter.table import Row
from segmenter.vision.association import Association
from segmenter.vision.detector import Detector
from segmenter.vision.stirring import without_things
from segmenter.vision.tracker import Tracker

TRACK_MODE = "segmenter.vision.track_mode:TrackMode"
ASSOCIATIONS = {
    "seconds": Row("segmenter.vision.yolo:YoloTracker", "in seconds: the same at any number of looks a second"),
    "tracktrack": Row(TRACK_MODE, "TrackTrack, ultralytics' default"),
    "bytetrack": Row(TRACK_MODE, "ByteTrack"),
    "botsort": Row(TRACK_MODE, "BoT-SORT, without appearance"),
    "ocsort": Row(TRACK_MODE, "OC-SORT"),
    "deepocsort": Row(TRACK_MODE, "Deep OC-SORT, without appearance"),
    "fasttrack": Row(TRACK_MODE, "FastTracker"),
}


def make(weights: str | Path, settings: VisionSettings) -> Tracker:
    """The `yolo` row of the table of trackers, with the association that the settings name.

    Raises:
        SettingsError: there is no such association, or see `Detector`.
        ModelMissing, PackageMissing: see `Detector`.
    """
    made: Tracker = table.load("association", ASSOCIATIONS, settings.association)(weights, settings)
    return made


class YoloTracker:
    """A detector, and an association in seconds of what it finds.

    Raises:
        ModelMissing, PackageMissing, SettingsError: see `Detector`.
    """

    def __init__(self, weights: str | Path, settings: VisionSettings) -> None:
        self.rate_hz = settings.rate_hz
        self._confidence, self._exempt = settings.confidence, settings.only_moving
        self._detector = Detector(weights, settings)
        self.findings = self._detector.findings

    def track(self, frames: Iterable[Frame]) -> Iterator[Observation]:
        """One observation a frame, in order, empty ones too, some seconds late. Each call starts anew: ids begin at 1."""
        return without_things(frames, _Look(self._detector, self._confidence), self._exempt)


class _Look:
    """The sightings in one picture after the other of a recording."""

    def __init__(self, detector: Detector, confidence: float) -> None:
        self._detector, self._confidence = detector, confidence
        self._association: Association | None = None

    def __call__(self, frame: Frame) -> tuple[Sighting, ...]:
        image = frame.image
        self._association = self._association or Association(self._confidence, aspect=image.shape[1] / image.shape[0])
        return self._association.update(frame.time, self._detector.detect(image))
