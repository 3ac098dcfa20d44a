"""The scene without its visitors: a running background, its light, its noise, and what stands out from it.

Pictures are grey, float32, shape (height, width), levels 0 to 255. Everything is paced in seconds, so that the
frame rate may change within a recording. The figures were found on fixed cameras indoors and outdoors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
Mask = NDArray[np.uint8]  # 0 or 1

SETTLE_S = 8.0  # how fast the bare scene follows slow change, such as the sun
ABSORB_S = 20.0  # what has not stirred for so long belongs to the scene: a parked car, a moved chair
ABSORBED_S = 1.0  # and is then taken over quickly, so that it leaves no half-faded ghost
NOISE_S = 20.0  # a visit is shorter, so that it does not pass for noise
NOISE_LEVELS = (0.7, 12.0)  # least: rounding to whole levels; most: beyond it the pixel says nothing anyway
FLOOR = 10.0  # levels; weaker differences are compression and haze
SIGMAS = 4.0
LIGHT_COLUMNS = 16  # cells this large average textures and small objects away


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """What stands out: `residual` is the frame minus the scene in the light of that frame, in levels."""

    residual: Picture
    foreground: Mask
    threshold: Picture  # what a pixel must exceed to count


class Background:
    """The scene as remembered from the pictures so far."""

    def __init__(self, pictures: Sequence[Picture]) -> None:
        """Begin with the pixelwise median of `pictures`: who passes through is in the minority at each pixel."""
        stack = np.stack(pictures)
        self.scene: Picture = np.median(stack, axis=0).astype(np.float32)
        deviation = np.median(np.abs(stack - self.scene), axis=0).astype(np.float32)
        self.noise: Picture = np.clip(1.4826 * deviation, *NOISE_LEVELS)  # MAD to standard deviation
        self._quiet_s: Picture = np.zeros_like(self.scene)

    @property
    def contrast(self) -> float:
        """0.3 to 1: how far a dark scene shrinks all differences, from its brightest parts.

        Not from its contrast: even asphalt in daylight is flat, and needs the full floors.
        """
        bright = float(np.percentile(self.scene[::2, ::2], 98))
        return min(1.0, max(0.3, (bright - 16) / 80))

    def compare(self, picture: Picture) -> Difference:
        """What stands out from the scene once the change of light is taken off."""
        residual = picture - self.lit_as(picture)
        threshold = np.maximum(FLOOR * self.contrast, SIGMAS * self.noise)
        foreground = (np.abs(residual) > threshold).astype(np.uint8)
        return Difference(residual, cv2.morphologyEx(foreground, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), threshold)

    def lit_as(self, picture: Picture) -> Picture:
        """The scene in the light and exposure of `picture`."""
        gain, offset = fit_light(self.scene, picture)
        return np.asarray(gain * self.scene + offset, np.float32)

    def learn(self, picture: Picture, difference: Difference, held: Mask, active: Mask, dt: float) -> None:
        """Follow `picture` wherever nothing is `held` (1: a visitor); what was not `active` for long is taken over.

        Under a visitor the scene still follows the light, or it would look changed once he has left.
        """
        self._quiet_s = np.where((held > 0) & (active == 0), self._quiet_s + dt, 0).astype(np.float32)
        free = held == 0
        share = np.where(free, _step(dt, SETTLE_S), np.where(self._quiet_s > ABSORB_S, _step(dt, ABSORBED_S), 0))
        light = picture - difference.residual - self.scene
        self.scene += _step(dt, SETTLE_S) * light + share.astype(np.float32) * difference.residual
        spread = 1.2533 * np.abs(difference.residual)  # mean absolute to standard deviation
        noise = self.noise + _step(dt, NOISE_S) * free * (spread - self.noise)
        self.noise = np.clip(noise, *NOISE_LEVELS).astype(np.float32)


def fit_light(scene: Picture, picture: Picture) -> tuple[float, float]:
    """Gain and offset that turn the light of `scene` into that of `picture`.

    Least squares on a coarse grid, trimmed four times to the better half, so that visitors do not weigh in
    (Rousseeuw, Least Median of Squares Regression, 1984, on why trimming resists outliers).
    """
    height, width = scene.shape
    grid = (min(LIGHT_COLUMNS, width), max(1, min(height, round(LIGHT_COLUMNS * height / width))))
    before = cv2.resize(scene, grid, interpolation=cv2.INTER_AREA).ravel().astype(np.float64)
    change = cv2.resize(picture, grid, interpolation=cv2.INTER_AREA).ravel() - before
    slope, offset, keep = 0.0, float(np.median(change)), np.ones(len(before), bool)
    for _ in range(4):
        residual = np.abs(change - slope * before - offset)
        keep = residual <= max(2.0, 2 * float(np.median(residual)))
        slope, offset = _line(before[keep], change[keep])
    return 1 + slope, offset


def _line(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """Least squares y = slope * x + offset; a flat x has no slope."""
    dx, middle = x - x.mean(), float(y.mean())
    spread = float(dx @ dx)
    slope = float(dx @ y) / spread if spread > len(x) else 0.0  # less than one level of variation says nothing
    return slope, middle - slope * float(x.mean())


def _step(dt: float, tau: float) -> float:
    """The share of the way that a first-order filter of time constant `tau` goes in `dt` seconds."""
    return 1 - exp(-dt / tau)
