"""Pictures of a still scene with things in it, made for the occasion: who is where at which time is known exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from segmenter.media.frames import Frame

WIDTH, HEIGHT = 160, 90
Grey = NDArray[np.float32]
Painter = Callable[[Grey, float], Grey]  # the picture so far and its time -> the picture with something more


def wall(seed: int = 5) -> Grey:
    """An uneven wall with dark and light boards upright and a few across: levels 60 to 180."""
    rng = np.random.default_rng(seed)
    picture = cv2.GaussianBlur(rng.normal(0, 1, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 3) * 90 + 115
    for x in range(8, WIDTH, 24):
        picture[:, x : x + 3] += 30 if x % 48 else -30
    for y in range(10, HEIGHT, 30):
        picture[y : y + 2, 5 * y % 90 :] -= 35
    return np.asarray(np.clip(picture, 60, 180), np.float32)


def filmed(
    *painters: Painter, seconds: float, rate_hz: float = 10.0, noise: float = 1.5, times: Iterable[float] | None = None
) -> Iterator[Frame]:
    """The wall as the painters change it, one after the other, with the camera's noise on top."""
    rng, scene = np.random.default_rng(1), wall()
    for time in times if times is not None else np.arange(round(seconds * rate_hz)) / rate_hz:
        picture = scene.copy()
        for paint in painters:
            picture = paint(picture, float(time))
        grey = np.clip(picture + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)
        yield Frame(float(time), np.repeat(grey[..., None], 3, axis=2))


def walker(*path: tuple[float, float], y: float = 60, level: float = 30) -> Painter:
    """Somebody 14 px wide and 30 px high, at (time, x) and in between; absent before the first and after the last."""
    times, places = zip(*path, strict=True)

    def paint(picture: Grey, time: float) -> Grey:
        if times[0] <= time < times[-1]:
            x = float(np.interp(time, times, places))
            cv2.ellipse(picture, ((x, y), (14, 30), 0), level, -1)
            cv2.circle(picture, (round(x), round(y) - 8), 3, level + 90, -1)
        return picture

    return paint


def crossing(start: float, end: float) -> Painter:
    """From beyond the left edge to beyond the right one; seen from `start` to `end` to a tenth of a second."""
    return walker((start, -7), (end, WIDTH + 7))
