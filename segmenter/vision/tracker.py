"""Pictures to sightings: the protocol that every tracker keeps, and the table of trackers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from segmenter.media.frames import Frame
from segmenter.records import Observation
from segmenter.table import Row


class Tracker(Protocol):
    rate_hz: float  # how many looks a second it wants

    def track(self, frames: Iterable[Frame]) -> Iterator[Observation]:
        """One observation a frame, in order, empty ones too. Each call starts anew: ids begin at 1."""


TRACKERS = {
    "yolo": Row(
        "segmenter.vision.yolo:YoloTracker",
        "ultralytics detection and tracking; names what it sees",
        ("ultralytics", "lap"),
        "vision",
    ),
    "motion": Row(
        "segmenter.vision.motion:MotionTracker", "what moves before a still background; no weights", ("cv2",), "motion"
    ),
}
