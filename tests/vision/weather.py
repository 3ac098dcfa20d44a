"""What a camera sees outdoors and by night when nobody comes; pictures as small as the background model takes them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from scenes import HEIGHT, WIDTH, Grey, Painter


@dataclass
class Snow:
    """Flakes that fall for as long as they are in view: `size` is their radius in pixels, `speed` pixels a second."""

    flakes: int = 130
    size: tuple[float, float] = (0.5, 1.5)
    speed: float = 80.0

    def __post_init__(self) -> None:
        rng = np.random.default_rng(2)
        self.x, self.y = rng.uniform(0, WIDTH, self.flakes), rng.uniform(0, HEIGHT, self.flakes)
        self.fall, self.drift = self.speed * rng.uniform(0.6, 1.4, self.flakes), rng.uniform(-13, 13, self.flakes)
        self.radius = rng.uniform(*self.size, self.flakes)

    def __call__(self, picture: Grey, time: float) -> Grey:
        x, y = (self.x + self.drift * time) % WIDTH, (self.y + self.fall * time) % HEIGHT
        for centre, radius in zip(zip(x, y, strict=True), self.radius, strict=True):
            fine = [round(16 * part) for part in centre]
            cv2.circle(picture, (fine[0], fine[1]), round(16 * radius), 235, -1, cv2.LINE_AA, shift=4)
        return picture


def rain(picture: Grey, time: float) -> Grey:
    """Streaks, half transparent, each in view for a moment."""
    rng, wet = np.random.default_rng(round(1000 * time)), picture.copy()
    for x, y in zip(rng.integers(0, WIDTH, 100), rng.integers(-8, HEIGHT, 100), strict=True):
        cv2.line(wet, (int(x), int(y)), (int(x) + 1, int(y) + 8), 200, 1)
    return np.asarray((picture + wet) / 2, np.float32)


def night(picture: Grey, _: float) -> Grey:
    return np.asarray(picture * 0.12 + 14, np.float32)


def grain(picture: Grey, time: float) -> Grey:
    """The noise of a sensor in the dark."""
    rng = np.random.default_rng(round(1000 * time) + 7)
    return np.asarray(picture + rng.normal(0, 12, picture.shape), np.float32)


def headlights(picture: Grey, time: float) -> Grey:
    """Their light sweeps over the scene in four seconds, five times as bright."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    light = np.exp(-(((x - (WIDTH + 66) * (time - 5) / 4 + 33) / 20) ** 2) - ((y - 50) / 15) ** 2)
    return np.asarray(picture * (1 + 4 * light), np.float32)


def lamp(picture: Grey, time: float) -> Grey:
    """One lamp goes on, and lights a part of the scene."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    light = np.exp(-(((x - 110) / 30) ** 2) - ((y - 33) / 23) ** 2)
    return np.asarray(picture * (1 + 2.5 * light * (time > 6)), np.float32)


def light(picture: Grey, time: float) -> Grey:
    """The sun comes out."""
    return np.asarray(picture * 1.6 + 20 if time > 6 else picture, np.float32)


def shake(picture: Grey, time: float) -> Grey:
    """A gust takes hold of the mast for some seconds."""
    across, down = np.random.default_rng(round(1000 * time)).normal(0, 1.3 * (5 < time < 10), 2)
    shift = np.array([[1, 0, across], [0, 1, down]], np.float32)
    return np.asarray(cv2.warpAffine(picture, shift, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT), np.float32)


WEATHER: dict[str, tuple[Painter, ...]] = {
    "snow": (Snow(),),
    "large flakes": (Snow(90, (1.3, 3.0), 30.0),),
    "flakes near the lens, by night": (night, Snow(40, (2.0, 4.6), 100.0)),
    "rain": (rain,),
    "rain by night": (night, rain),
    "noise by night": (night, grain),
    "headlights by night": (night, headlights),
    "a lamp": (lamp,),
    "a lamp by night": (night, lamp),
    "the sun": (light,),
    "gusts": (shake,),
    "gusts by night": (night, shake),
}
