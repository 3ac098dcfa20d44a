"""Films with real speech at known times, in all the shapes that recordings come in."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

Sound = NDArray[np.float32]  # mono, 16 kHz
RATE_HZ = 16000
TICK = Fraction(1, 1000)


class Film:
    """One Matroska file: add its tracks, then give each its content, then close it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._container = av.open(str(path), "w")

    def picture(self) -> Any:
        stream = self._container.add_stream("libx264", rate=1000, options={"preset": "ultrafast", "bf": "0"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.time_base = TICK
        return stream

    def sound(self, layout: str = "mono", rate_hz: int = RATE_HZ, **metadata: str) -> Any:
        stream = self._container.add_stream("flac", rate=rate_hz, layout=layout)
        stream.metadata.update(metadata)
        return stream

    def show(self, stream: Any, times: Iterable[float]) -> None:
        for time in times:
            frame = av.VideoFrame.from_ndarray(np.zeros((48, 64, 3), np.uint8), format="rgb24")
            frame.pts, frame.time_base = round(time * 1000), TICK
            self._mux(stream.encode(frame))
        self._mux(stream.encode(None))

    def play(self, stream: Any, *stretches: tuple[float, Sound], damaged: tuple[float, float] = (0, 0)) -> None:
        """Sounds, each from a time on; packets inside `damaged` get other bytes than the encoder's."""
        context = stream.codec_context
        for start, sound in stretches:
            resampler = av.AudioResampler("s16", context.layout, context.sample_rate, frame_size=1024)
            at = round(start * context.sample_rate)
            for frame in (*resampler.resample(_frame(sound)), *resampler.resample(None)):
                frame.pts, frame.time_base = at, Fraction(1, context.sample_rate)
                at += frame.samples
                self._mux(stream.encode(frame), damaged)
        self._mux(stream.encode(None))

    def close(self) -> Path:
        self._container.close()
        return self.path

    def _mux(self, packets: Iterable[Any], damaged: tuple[float, float] = (0, 0)) -> None:
        for packet in packets:
            time = float((packet.pts or 0) * packet.time_base)
            self._container.mux(_spoilt(packet) if damaged[0] <= time < damaged[1] else packet)


def _frame(sound: Sound) -> av.AudioFrame:
    frame = av.AudioFrame.from_ndarray((sound[None] * 32767).astype(np.int16), "s16", "mono")
    frame.sample_rate = RATE_HZ
    return frame


def _spoilt(packet: Any) -> Any:
    other: Any = av.Packet(np.random.default_rng(0).bytes(packet.size))
    other.pts, other.dts, other.duration = packet.pts, packet.dts, packet.duration
    other.time_base, other.stream = packet.time_base, packet.stream
    return other
