"""The scene without its visitors: a running background, its light, its noise, and what stands out from it.

Pictures are grey levels 0 to 255, float32, shape (height, width). Everything is paced in seconds, so that the frame
rate may change within a recording. The figures were found on fixed cameras indoors, outdoors and overhead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import cv2
import numpy as np
from numpy.typing import NDArray

from segmenter.vision.steady import Picture

Mask = NDArray[np.uint8]  # 0 or 1

SETTLE_S = 8.0  # how fast the bare scene follows slow change, such as the sun
ABSORB_S = 20.0  # what has not stirred for so long belongs to the scene: a parked car, a moved chair
ABSORBED_S = 1.0  # and is then taken over quickly, so that no half-faded ghost is left
NOISE_S = 20.0  # longer than most visits, so that they do not pass for noise
NOISE_LEVELS = (0.7, 12.0)  # least: rounding to whole levels; most: four of it must stay within the grey scale
FLOOR_LEVELS = 10.0  # weaker differences are compression and haze
SIGMAS = 4.0
LIGHT_COLUMNS = 16  # cells this large average texture and small objects away
OPEN = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """What stands out: `residual` is the picture minus the scene in the picture's light, `relit` the picture in the
    scene's light, both in levels."""

    residual: Picture
    relit: Picture
    foreground: Mask


class Background:
    """The scene as remembered from the pictures so far: `scene` and its `noise` (standard deviation), in levels."""

    def __init__(self, pictures: Sequence[Picture]) -> None:
        """Begin with the pixelwise median of `pictures`: who passes through covers each pixel for the lesser part."""
        stack = np.stack(pictures)
        self.scene: Picture = np.median(stack, axis=0).astype(np.float32)
        deviation = np.median(np.abs(stack - self.scene), axis=0)
        self.noise: Picture = np.clip(1.4826 * deviation, *NOISE_LEVELS).astype(np.float32)  # MAD to sigma
        self._quiet_s: Picture = np.zeros_like(self.scene)

    def threshold(self, levels: float, sigmas: float) -> Picture:
        """What a difference must exceed, pixel by pixel: `levels` in daylight, and `sigmas` times the noise."""
        return np.asarray(np.maximum(levels * self._brightness(), sigmas * self.noise), np.float32)

    def _brightness(self) -> float:
        """How far a dark scene shrinks all differences, 0.3 to 1, by its brightest parts.

        Not by its contrast: even asphalt in daylight has little, and needs the full floors.
        """
        bright = float(np.percentile(self.scene[::2, ::2], 98))
        return min(1.0, max(0.3, (bright - 16) / 80))  # 16 is black in most video

    def compare(self, picture: Picture) -> Difference:
        """What stands out from the scene once the change of light is taken off."""
        gain, offset = fit_light(self.scene, picture)
        residual = picture - (gain * self.scene + offset)
        foreground = (np.abs(residual) > self.threshold(FLOOR_LEVELS, SIGMAS)).astype(np.uint8)
        opened = cv2.morphologyEx(foreground, cv2.MORPH_OPEN, OPEN)
        return Difference(residual, self.scene + residual, np.asarray(opened, np.uint8))

    def learn(self, picture: Picture, difference: Difference, held: Mask, active: Mask, dt: float) -> None:
        """Follow `picture` for `dt` seconds wherever nothing is `held`; what was not `active` for long is taken over.

        Under a visitor the scene still follows the light, or it would stand out itself once he has left.
        """
        free = held == 0
        self._quiet_s = np.where(free | (active > 0), 0, self._quiet_s + dt)
        absorbed = np.where(self._quiet_s > ABSORB_S, _share(dt, ABSORBED_S), 0)
        share = np.where(free, _share(dt, SETTLE_S), absorbed).astype(np.float32)
        light = picture - difference.relit
        self.scene += _share(dt, SETTLE_S) * light + share * difference.residual
        sigma = 1.2533 * np.abs(difference.residual)  # mean absolute deviation to sigma
        noise = self.noise + _share(dt, NOISE_S) * free * (sigma - self.noise)
        self.noise = np.clip(noise, *NOISE_LEVELS).astype(np.float32)


def fit_light(scene: Picture, picture: Picture) -> tuple[float, float]:
    """Gain and offset that turn the light of `scene` into that of `picture`.

    Least squares over a coarse grid, four times without the cells that fit badly, so that visitors do not weigh in
    (least trimmed squares, Rousseeuw 1984).
    """
    height, width = scene.shape
    grid = min(LIGHT_COLUMNS, width), max(1, min(height, round(LIGHT_COLUMNS * height / width)))
    before = cv2.resize(scene, grid, interpolation=cv2.INTER_AREA).ravel().astype(np.float64)
    change = cv2.resize(picture, grid, interpolation=cv2.INTER_AREA).ravel() - before
    slope, offset = 0.0, float(np.median(change))
    for _ in range(4):
        misfit = np.abs(change - slope * before - offset)
        keep = misfit <= max(2.0, 2 * float(np.median(misfit)))
        slope, offset = _line(before[keep], change[keep])
    return 1 + slope, offset


def _line(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """Least squares y = slope * x + offset; where x varies by less than a level it says nothing about the slope."""
    dx = x - x.mean()
    spread = float(dx @ dx)
    slope = float(dx @ y) / spread if spread > len(x) else 0.0
    return slope, float(y.mean()) - slope * float(x.mean())


def _share(dt: float, tau: float) -> float:
    """The part of the way that a first-order filter of time constant `tau` goes in `dt` seconds."""
    return 1 - exp(-dt / tau)
