"""Pictures to sightings: the protocol that every tracker keeps, and the table of trackers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from segmenter.media.frames import Frame
from segmenter.records import Finding, Observation
from segmenter.table import Row


class Tracker(Protocol):
    rate_hz: float  # how many looks a second it wants
    findings: tuple[Finding, ...]  # what the user should know of how it works on this machine

    def track(self, frames: Iterable[Frame]) -> Iterator[Observation]:
        """One observation a frame, in order, empty ones too. Each call starts anew: ids begin at 1.

        There may be more of them, at the times of the frames `between`: where something came or went there.
        """


@dataclass(frozen=True, slots=True)
class TrackerRow(Row):
    """`weights`: whether it is made with a detector's weights, and then knows labels."""

    weights: bool = True


TRACKERS: dict[str, TrackerRow] = {
    "both": TrackerRow(
        "segmenter.vision.both:BothTracker",
        "the detector names, motion says when to look and dates the edges",
        ("ultralytics", "cv2"),
        "vision",
    ),
    "yolo": TrackerRow(
        "segmenter.vision.yolo:make",
        "ultralytics detection, tracks in seconds; names what it sees",
        ("ultralytics", "lap"),
        "vision",
    ),
    "motion": TrackerRow(
        "segmenter.vision.motion:MotionTracker",
        "what moves before a still background; no weights",
        ("cv2",),
        "motion",
        weights=False,
    ),
}
