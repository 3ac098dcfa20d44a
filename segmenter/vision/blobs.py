"""What stands out, as blobs: connected areas with the evidence that they are things and not light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from segmenter.records import Box
from segmenter.vision.background import SIGMAS, Background, Difference, Mask
from segmenter.vision.steady import Picture, gradient

Labels = NDArray[np.int32]  # per pixel the number of its blob, 0 where there is none

LEAST_AREA = 0.0015  # of the picture
ACTIVE_LEVELS = 6.0  # a change so large within a moment
ACTIVE_SHARE = 0.03  # in so much of the blob means that it moves
EDGE_LEVELS = 40.0  # Sobel units: a step of ten levels from pixel to pixel
EDGE_SIGMAS = 12.0  # a Sobel sum is 3.5 times as noisy as a pixel
EDGE_SHARE = 0.2  # things have new edges in 0.3 to 0.8 of their blob; clouds, shadows and exposure in 0 to 0.1
LIGHT_PX = 9  # light changes gradually: within so many pixels a shadow or a spot only scales the scene
OUTLINE = 0.6  # the outline of a thing is in the picture, that of a hole only in the remembered scene
LEVEL = 4.0  # Sobel units, added on both sides, lest a faint outline on an even floor become a ratio of noise
GROW = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class Blob:
    """`activity` and `evidence` are shares of its pixels: changed just now; on edges that the scene does not have.

    `outline` is how steep the picture is along the blob's rim, over how steep the scene is there.
    """

    box: Box
    activity: float
    evidence: float
    outline: float

    @property
    def active(self) -> bool:
        return self.activity > ACTIVE_SHARE

    @property
    def valid(self) -> bool:
        """A thing: neither a change of light nor the hole that something left in the scene."""
        return self.evidence >= EDGE_SHARE and self.outline >= OUTLINE


def find_blobs(picture: Picture, background: Background, difference: Difference, earlier: Picture) -> tuple[list[Blob], Labels]:
    """The blobs of one picture, and where they are: blob i has the number i + 1.

    `earlier` is the relit picture of a moment ago.
    """
    grown = cv2.dilate(difference.foreground, GROW, iterations=2)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8, ltype=cv2.CV_32S)
    large = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] >= LEAST_AREA * grown.size]
    numbers = np.zeros(count, np.int32)
    numbers[large] = np.arange(1, len(large) + 1)
    labels = numbers[labels]
    if not large:
        return [], labels
    area = stats[large, cv2.CC_STAT_AREA]
    activity = _sums(labels, _changed(difference, earlier, background)) / area
    evidence = _sums(labels, _new_edges(picture, background)) / area
    outline = _outlines(labels, picture, background.scene)
    boxes = [_box(stats[i], grown.shape) for i in large]
    values = zip(boxes, activity.tolist(), evidence.tolist(), outline.tolist(), strict=True)
    return [Blob(*value) for value in values], labels


def marked(blobs: list[Blob], labels: Labels) -> tuple[Mask, Mask]:
    """Where blobs are, and where active ones are."""
    active = np.array([False, *(blob.active for blob in blobs)], np.uint8)
    return (labels > 0).astype(np.uint8), active[labels]


def _changed(difference: Difference, earlier: Picture, background: Background) -> NDArray[np.bool_]:
    return np.asarray(np.abs(difference.relit - earlier) > background.threshold(ACTIVE_LEVELS, SIGMAS), np.bool_)


def _new_edges(picture: Picture, background: Background) -> NDArray[np.bool_]:
    """Edges that are not the scene's own in another light, the light of each pixel's neighbourhood."""
    scene = background.scene
    light = (_mean(picture) + 1) / (_mean(scene) + 1)
    return gradient(picture - light * scene) > background.threshold(EDGE_LEVELS, EDGE_SIGMAS)


def _mean(picture: Picture) -> Picture:
    return np.asarray(cv2.blur(picture, (LIGHT_PX, LIGHT_PX)), np.float32)


def _outlines(labels: Labels, picture: Picture, scene: Picture) -> NDArray[np.float64]:
    inner = cv2.erode((labels > 0).astype(np.uint8), GROW, iterations=3)
    rim = (labels > 0) & (inner == 0)
    shown, remembered = (_sums(labels, rim * (gradient(p) + LEVEL)) for p in (picture, scene))
    return shown / np.maximum(1, remembered)


def _sums(labels: Labels, values: NDArray[np.generic]) -> NDArray[np.float64]:
    """The sum of `values` in each blob."""
    return np.asarray(np.bincount(labels.ravel(), weights=values.ravel())[1:], np.float64)


def _box(stats: NDArray[np.int32], shape: tuple[int, int]) -> Box:
    height, width = shape
    left, top, across, down = (int(value) for value in stats[:4])
    return Box(left / width, top / height, (left + across) / width, (top + down) / height)
