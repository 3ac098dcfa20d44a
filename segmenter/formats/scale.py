"""Frames and pixels, which other formats count, against seconds and fractions of the upright picture."""

from __future__ import annotations

from dataclasses import dataclass

from segmenter.errors import BadInput
from segmenter.records import Box, Recording


@dataclass(frozen=True, slots=True)
class Scale:
    """Frames are numbered from 1: right where the rate is constant."""

    rate_hz: float
    width_px: int
    height_px: int

    @staticmethod
    def of(recording: Recording) -> Scale:
        """
        Raises:
            BadInput: the recording has no pictures, or no rate.
        """
        if not recording.video or not recording.video[0].average_rate_hz:
            raise BadInput("no pictures at a known rate in it: frames are no times", path=recording.path)
        stream = recording.video[0]
        sides = (stream.width_px, stream.height_px)
        width_px, height_px = sides[::-1] if stream.rotation % 180 else sides
        return Scale(stream.average_rate_hz or 0.0, width_px, height_px)

    def time(self, frame: int) -> float:
        return (frame - 1) / self.rate_hz

    def frame(self, time: float) -> int:
        return round(time * self.rate_hz) + 1

    def pixels(self, box: Box) -> tuple[float, float, float, float]:
        """Left, top, width, height."""
        width, height = box.right - box.left, box.bottom - box.top
        return box.left * self.width_px, box.top * self.height_px, width * self.width_px, height * self.height_px

    def box(self, left: float, top: float, width: float, height: float) -> Box | None:
        """The part of a box in pixels that lies inside the picture, or None."""
        corners = (left / self.width_px, top / self.height_px, (left + width) / self.width_px, (top + height) / self.height_px)
        box = Box(*(min(1.0, max(0.0, corner)) for corner in corners))
        return box if box.left < box.right and box.top < box.bottom else None
