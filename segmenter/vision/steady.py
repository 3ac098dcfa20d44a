"""Small grey pictures as if the camera stood still and no speck flew past: what the background model wants to see."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from math import exp

import cv2
import numpy as np
from numpy.typing import NDArray

from segmenter.media.frames import Frame

Picture = NDArray[np.float32]  # grey levels 0 to 255, shape (height, width)

SIZE_PX = 160  # the longer side: a person in a room keeps his outline, noise and rain average out, 1-3 ms a frame
REFERENCE_S = 8.0  # the reference follows the scene as slowly as the background does
SHIFT_PX = (0.1, 8.0)  # less is the error of the estimate; more is a camera that was turned
BETTER = 0.85  # a shift counts if it takes this off the misfit at the scene's edges
LEAST_PX = 16  # a smaller side has nothing to align by


class Still:
    """One look at the scene, `picture` at `time`; `between` are the source's pictures since the look before.

    Its small grey is there from the start; aligned and cleared it is when it is asked for, once: what lies between two
    looks is seldom wanted.
    """

    def __init__(self, time: float, make: Callable[[], Picture], between: Sequence[Still] = ()) -> None:
        self.time, self._make, self.between = time, make, between

    @cached_property
    def picture(self) -> Picture:
        return self._make()


def small_grey(frames: Iterable[Frame]) -> Iterator[Still]:
    """The frames in grey, their longer side SIZE_PX at most; all in the size of the first one, which has none before it."""
    size: tuple[int, int] | None = None
    for frame in frames:
        between = frame.between if size else ()
        small = frame.grey(SIZE_PX)
        size = size or (small.shape[1], small.shape[0])
        # made at once, or full pictures would have to be kept
        yield Still(frame.time, partial(_sized, small, size), [_small(one, size) for one in between])


def _small(frame: Frame, size: tuple[int, int]) -> Still:
    return Still(frame.time, partial(_sized, frame.grey(SIZE_PX), size))


def _sized(small: NDArray[np.uint8], size: tuple[int, int]) -> Picture:
    same = small.shape[::-1] == size
    return np.asarray(small if same else cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.float32)


def aligned(stills: Iterable[Still]) -> Iterator[Still]:
    """The pictures moved back to where the camera looked before: wind and traffic shake it, fixings give way."""
    reference: Picture | None = None
    before = 0.0
    for still in stills:
        reference = still.picture if reference is None else reference
        between = [Still(one.time, partial(_moved_back, one, reference)) for one in still.between]
        moved = Still(still.time, partial(_moved_back, still, reference), between)
        share = 1 - exp(-min(1.0, still.time - before) / REFERENCE_S)
        reference = reference + np.float32(share) * (moved.picture - reference)
        before = still.time
        yield moved


def _moved_back(still: Still, reference: Picture) -> Picture:
    return _shifted(still.picture, reference) if min(reference.shape) >= LEAST_PX else still.picture


def _shifted(picture: Picture, reference: Picture) -> Picture:
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


def without_specks(stills: Iterable[Still]) -> Iterator[Still]:
    """Each picture as the pixelwise median of itself and its neighbours in time, slightly blurred.

    Snow, insects and damaged blocks last one frame; what is there for two stays. One look of delay.
    """
    last: deque[Still] = deque(maxlen=3)
    for still in stills:
        if not last:
            last.append(still)  # the first picture is its own predecessor
        last.append(still)
        if len(last) == 3:
            yield _cleared(*last)
    if last:
        yield _cleared(last[-2], last[-1], last[-1])


def _cleared(before: Still, still: Still, after: Still) -> Still:
    """The look in the middle; what lies between is cleared as if looks had fallen there, by what is a step away from it."""
    step = still.time - before.time
    shown = [*before.between, before, *still.between, still, *after.between, after]

    def at(time: float) -> Still:
        return min(shown, key=lambda one: abs(one.time - time))

    def cleared(one: Still) -> Picture:
        return _median(at(one.time - step), one, at(one.time + step))

    between = [Still(one.time, partial(cleared, one)) for one in still.between]
    return Still(still.time, partial(_median, before, still, after), between)


def _median(before: Still, still: Still, after: Still) -> Picture:
    a, b, c = before.picture, still.picture, after.picture
    middle = cv2.max(cv2.min(a, b), cv2.min(cv2.max(a, b), c))
    return np.asarray(cv2.GaussianBlur(middle, (3, 3), 0), np.float32)


def gradient(picture: Picture) -> Picture:
    """Steepness in Sobel units: a step of one level from pixel to pixel gives 4."""
    across = cv2.Sobel(picture, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(picture, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.magnitude(across, down), np.float32)
