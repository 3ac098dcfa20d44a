"""Small grey pictures as if the camera stood still and no speck flew past: what the background model wants to see."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from math import exp

import cv2
import numpy as np
from numpy.typing import NDArray

from segmenter.media.frames import Frame

Picture = NDArray[np.float32]  # grey levels 0 to 255, shape (height, width)
Timed = tuple[float, Picture]

SIZE_PX = 160  # the longer side: a person in a room keeps his outline, noise and rain average out, 1-3 ms a frame
REFERENCE_S = 8.0  # the reference follows the scene as slowly as the background does
SHIFT_PX = (0.1, 8.0)  # less is the error of the estimate; more is a camera that was turned
BETTER = 0.85  # a shift counts if it takes this off the misfit at the scene's edges
LEAST_PX = 16  # a smaller side has nothing to align by


def small_grey(frames: Iterable[Frame]) -> Iterator[Timed]:
    """Time and grey picture of each frame, its longer side SIZE_PX at most; all in the size of the first one."""
    size: tuple[int, int] | None = None
    for frame in frames:
        small = frame.grey(SIZE_PX)
        size = size or small.shape[::-1]
        if small.shape[::-1] != size:
            small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.uint8)
        yield frame.time, small.astype(np.float32)


def aligned(pictures: Iterable[Timed]) -> Iterator[Timed]:
    """The pictures moved back to where the camera looked before: wind and traffic shake it, fixings give way."""
    reference: Picture | None = None
    before = 0.0
    for time, picture in pictures:
        if reference is None:
            reference = picture.copy()
        elif min(picture.shape) >= LEAST_PX:
            picture = _moved_back(picture, reference)
        reference += (1 - exp(-min(1.0, time - before) / REFERENCE_S)) * (picture - reference)
        before = time
        yield time, picture


def _moved_back(picture: Picture, reference: Picture) -> Picture:
    """`picture` shifted onto `reference` if that explains it better; what comes into view is taken from `reference`.

    The shift is found by phase correlation (Kuglin and Hines, 1975), which light does not disturb. Something large
    that passes can take it along: hence the check at the edges of the scene, most of which then fit worse.
    """
    # windowed here: given a window of its own, OpenCV multiplies it into the caller's pictures
    window = cv2.createHanningWindow(picture.shape[::-1], cv2.CV_32F)
    # and without their mean: its product with the window looks alike in both, and never moves
    here, there = ((levels - levels.mean()) * window for levels in (reference, picture))
    (dx, dy), _ = cv2.phaseCorrelate(here, there)
    if not SHIFT_PX[0] < max(abs(dx), abs(dy)) < SHIFT_PX[1]:
        return picture
    moved = np.copy(reference)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    shift = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    cv2.warpAffine(picture, shift, picture.shape[::-1], moved, how, cv2.BORDER_TRANSPARENT)
    steep = gradient(reference)
    edges = steep > np.percentile(steep[::2, ::2], 75)
    return moved if _misfit(moved, reference, edges) < BETTER * _misfit(picture, reference, edges) else picture


def _misfit(picture: Picture, reference: Picture, where: NDArray[np.bool_]) -> float:
    """Median deviation, less a change of light that is the same everywhere."""
    change = (picture - reference)[where]
    return float(np.median(np.abs(change - np.median(change)))) if change.size else 0.0


def without_specks(pictures: Iterable[Timed]) -> Iterator[Timed]:
    """Each picture as the pixelwise median of itself and its neighbours in time, slightly blurred.

    Snow, insects and damaged blocks last one frame; what is there for two stays. One picture of delay.
    """
    last: deque[Timed] = deque(maxlen=3)
    for timed in pictures:
        if not last:
            last.append(timed)  # the first picture is its own predecessor
        last.append(timed)
        if len(last) == 3:
            yield last[1][0], _median(*(picture for _, picture in last))
    if last:
        yield last[-1][0], _median(last[-2][1], last[-1][1], last[-1][1])


def _median(a: Picture, b: Picture, c: Picture) -> Picture:
    middle = cv2.max(cv2.min(a, b), cv2.min(cv2.max(a, b), c))
    return np.asarray(cv2.GaussianBlur(middle, (3, 3), 0), np.float32)


def gradient(picture: Picture) -> Picture:
    """Steepness in Sobel units: a step of one level from pixel to pixel gives 4."""
    across = cv2.Sobel(picture, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(picture, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.magnitude(across, down), np.float32)
