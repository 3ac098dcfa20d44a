"""One scene in many kinds of file: a square crosses a wall at a known time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

VISIT = (5.0, 8.0)
SECONDS = 14.0
TICK = Fraction(1, 1000)


@cache
def wall(width: int, height: int) -> NDArray[np.uint8]:
    """A wall with boards."""
    random = np.random.default_rng(4)
    boards = np.kron(random.integers(70, 130, (12, 16)), np.ones((height // 12 + 1, width // 16 + 1)))[:height, :width]
    grey = np.clip(boards + random.normal(0, 2, (height, width)), 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def scene(time: float, width: int, height: int) -> NDArray[np.uint8]:
    """The wall; a bright square with a dark middle crosses it during VISIT."""
    image = wall(width, height).copy()
    if VISIT[0] <= time < VISIT[1]:
        size = height // 3
        left = round((time - VISIT[0]) / (VISIT[1] - VISIT[0]) * (width + size)) - size
        top = height // 3
        image[top : top + size, max(0, left) : max(0, left + size)] = 235
        image[top + size // 3 : top + size // 2, max(0, left + size // 3) : max(0, left + size // 2)] = 20
    return image


def even(rate_hz: float = 10.0, seconds: float = SECONDS) -> list[float]:
    return [i / rate_hz for i in range(round(seconds * rate_hz))]


def film(
    path: Path,
    times: Sequence[float],
    *,
    size: tuple[int, int] = (320, 180),
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
    options: dict[str, str] | None = None,
    rotation: int = 0,
) -> Path:
    """The scene at these times; with `rotation`, filmed with the camera on its side and marked so."""
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream(codec, rate=10, options=options or {})
        stream.pix_fmt = pix_fmt
        stream.width, stream.height = size if rotation % 180 == 0 else size[::-1]
        stream.codec_context.time_base = TICK if path.suffix != ".gif" else Fraction(1, 100)
        if rotation:
            stream.set_display_rotation(-rotation)
        for time in times:
            image = np.ascontiguousarray(np.rot90(scene(time, *size), rotation // 90))
            frame = av.VideoFrame.from_ndarray(image, format="rgb24").reformat(format=pix_fmt)
            frame.pts, frame.time_base = round(time * 1000), TICK
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def broken(path: Path, share: tuple[float, float]) -> Path:
    """The file with a part of its bytes overwritten."""
    data = bytearray(path.read_bytes())
    start, end = (int(len(data) * part) for part in share)
    data[start:end] = np.random.default_rng(5).bytes(end - start)
    path.write_bytes(data)
    return path
