"""Small recordings with known times, written in code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from segmenter.media.audio import AudioBlock, AudioBlocks
from segmenter.media.frames import Frame, VideoFrames
from segmenter.media.probe import probe
from segmenter.records import Finding, Recording

TICK = Fraction(1, 1000)


def tone(seconds: float, rate_hz: int, channels: int, only: int | None = None) -> NDArray[np.float32]:
    """A steady 300 Hz tone, shape (channels, n), in all channels or in one."""
    wave = 0.5 * np.sin(2 * np.pi * 300 * np.arange(round(seconds * rate_hz)) / rate_hz)
    sound = np.tile(wave, (channels, 1))
    if only is not None:
        sound[np.arange(channels) != only] = 0
    return sound.astype(np.float32)


def picture(width: int = 64, height: int = 48, mark: tuple[int, int] = (0, 0)) -> av.VideoFrame:
    """Black, with a white quarter at `mark`: (row, column) of the quarter."""
    image = np.zeros((height, width, 3), np.uint8)
    row, column = mark[0] * height // 2, mark[1] * width // 2
    image[row : row + height // 2, column : column + width // 2] = 255
    return av.VideoFrame.from_ndarray(image, format="rgb24")


class Writer:
    """One file; streams are added, then filled, each from its own times."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.container = av.open(str(path), "w")
        self._streams: dict[str, Any] = {}

    def video(self, name: str = "video", size: tuple[int, int] = (64, 48), rotation: int = 0) -> None:
        stream = self.container.add_stream("libx264", rate=1000, options={"preset": "ultrafast", "bf": "0"})
        stream.width, stream.height, stream.pix_fmt = (*size, "yuv420p")
        stream.codec_context.time_base = TICK
        if rotation:
            stream.set_display_rotation(-rotation)
        self._streams[name] = stream

    def audio(
        self, name: str = "audio", rate_hz: int = 16000, layout: str = "mono", codec: str = "pcm_s16le", **metadata: str
    ) -> None:
        stream = self.container.add_stream(codec, rate=rate_hz, layout=layout)
        stream.metadata.update(metadata)
        self._streams[name] = stream

    def show(self, times: Iterable[float], name: str = "video", **look: Any) -> None:
        stream = self._streams[name]
        for time in times:
            frame = picture(stream.width, stream.height, **look)
            frame.pts, frame.time_base = round(time * 1000), TICK
            self.container.mux(stream.encode(frame))

    def play(self, start: float, sound: NDArray[np.float32], name: str = "audio", piece: int = 1024) -> None:
        stream = self._streams[name]
        context = stream.codec_context
        for first in range(0, sound.shape[1], piece):
            samples = sound[:, first : first + piece]
            if context.format.name.startswith("s16"):
                samples = (samples.T.reshape(1, -1) * 32767).astype(np.int16)
            elif context.format.name == "s32p":
                samples = (samples * np.float64(2**31 - 1)).astype(np.int32)
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples), context.format.name, context.layout.name)
            frame.sample_rate, frame.time_base = context.sample_rate, Fraction(1, context.sample_rate)
            frame.pts = round(start * context.sample_rate) + first
            self.container.mux(stream.encode(frame))

    def close(self) -> Path:
        for stream in self._streams.values():
            self.container.mux(stream.encode(None))
        self.container.close()
        return self.path


def look_at(path: Path) -> tuple[Recording, list[Finding]]:
    findings: list[Finding] = []
    return probe(path, findings.append), findings


def hear(recording: Recording, **options: float) -> list[AudioBlock]:
    return list(AudioBlocks(recording, recording.audio[0], nothing_said, **options))


def see(recording: Recording, step_s: float | None = None, width_px: int | None = None) -> list[Frame]:
    return list(VideoFrames(recording, recording.video[0], nothing_said, step_s, width_px))


def nothing_said(finding: Finding) -> None:
    """For recordings in which nothing is wrong."""
    assert finding.level == "note", finding.message


def steps(count: int, step: float, start: float = 0.0) -> Sequence[float]:
    return [start + i * step for i in range(count)]
