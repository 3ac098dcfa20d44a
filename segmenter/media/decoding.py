"""Decoded frames of one stream with mended times; what cannot be decoded is skipped and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from av.container import InputContainer
from av.error import FFmpegError
from av.frame import Frame

from segmenter.media.packets import mended
from segmenter.media.sniff import MAX_PIXELS
from segmenter.records import AudioStream, Finding, Recording, VideoStream
from segmenter.timeline import clock as as_clock


@dataclass(slots=True)
class Damage:
    """What was lost in a stream: how many packets, and between which times."""

    kind: str
    packets: int = 0
    lost: int = 0
    marred: int = 0  # decoded, with parts guessed
    start: float = 0.0
    end: float = 0.0

    def at(self, time: float) -> None:
        if not self.lost + self.marred:
            self.start = time
        self.end = max(self.end, time, self.start)

    def tell(self, report: Callable[[Finding], None]) -> None:
        """Report once what was lost, if anything was."""
        if self.lost or self.marred:
            what = f"{self.lost} of {self.packets} packets of the {self.kind} could not be decoded, {self.marred} only in part"
            message = f"damaged: {what}; first at {as_clock(self.start, 0)}"
            report(Finding(f"{self.kind}_damaged", message, self.start, self.end))


def decoded(
    container: InputContainer, recording: Recording, stream: AudioStream | VideoStream, damage: Damage
) -> Iterator[tuple[float | None, Any]]:
    """The frames of `stream` in the decoder's order, each with its time on the recording's clock, None where it has none."""
    source = container.streams[stream.index]
    if not source.codec_context.is_open:
        source.codec_context.options = {"max_pixels": str(MAX_PIXELS)}
        source.codec_context.thread_type = "AUTO"
    seconds, zero, time = float(source.time_base or 1), recording.zero, 0.0
    for packet in mended(container, source, recording.mends):
        damage.packets += packet.size > 0
        if packet.pts is not None:
            time = max(0.0, packet.pts * seconds - zero)
        try:
            frames = packet.decode()
        except EOFError:
            continue
        except FFmpegError:
            damage.at(time)
            damage.lost += 1
            continue
        for frame in frames:
            assert isinstance(frame, Frame)
            if frame.is_corrupt:
                damage.at(time)
                damage.marred += 1
            yield (None if frame.pts is None else frame.pts * seconds - zero), frame


def clockwise(rotation: float) -> int:
    """Quarter turns clockwise, in degrees (0, 90, 180, 270), from libav's counterclockwise angle."""
    return round(-rotation / 90) * 90 % 360
