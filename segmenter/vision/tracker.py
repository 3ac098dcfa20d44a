"""Pictures to sightings: the protocol that every tracker keeps, and the table of trackers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from segmenter.records import Observation
from segmenter.table import Row


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One upright picture: `image` is BGR, uint8, shape (height, width, 3); `time` is its presentation time in seconds."""

    time: float
    image: NDArray[np.uint8]


class Tracker(Protocol):
    rate_hz: float  # how many looks a second it wants

    def track(self, frames: Iterable[Frame]) -> Iterator[Observation]:
        """One observation a frame, in order, empty ones too. Each call starts anew: ids begin at 1."""


TRACKERS = {
    "yolo": Row(
        "segmenter.vision.yolo:YoloTracker", "ultralytics detection and tracking; names what it sees", ("ultralytics", "lap"), "vision"
    ),
    "motion": Row("segmenter.vision.motion:MotionTracker", "what moves before a still background; no weights", ("cv2",), "motion"),
}
