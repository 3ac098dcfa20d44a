"""What stands out, as blobs: connected areas with the evidence that they are things and not light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from segmenter.records import Box
from segmenter.vision.background import Background, Difference, Mask, Picture

LEAST_AREA = 0.0015  # of the picture
ACTIVE_LEVELS = 6.0  # a change this large within ACTIVE_LAG_S
ACTIVE_SHARE = 0.03  # in this share of the blob means that it moves
EDGE_LEVELS = 40.0  # Sobel units: 10 levels from one pixel to the next
LOCAL = 0
EDGE_SHARE = 0.2  # things bring edges of their own (0.3-0.8 of a blob); clouds, soft shadows, exposure do not (0-0.1)
OUTLINE_RATIO = 0.6  # the outline of a thing is in the frame; that of a ghost is in the remembered scene


@dataclass(frozen=True, slots=True)
class Blob:
    box: Box
    area: float  # share of the picture
    activity: float  # share of its pixels that changed just now
    evidence: float  # share of its pixels with edges that the scene does not have
    outline: float  # strength of its outline in the frame over that in the scene

    @property
    def active(self) -> bool:
        return self.activity > ACTIVE_SHARE

    @property
    def valid(self) -> bool:
        """A thing, neither a change of light nor the hole that something left in the scene."""
        return self.evidence >= EDGE_SHARE and self.outline >= OUTLINE_RATIO


def find_blobs(
    picture: Picture, background: Background, difference: Difference, earlier: Picture
) -> tuple[list[Blob], NDArray[np.int32]]:
    """The blobs of one frame, and per pixel the number of its blob (0: none; blob i has number i + 1).

    `earlier` is the residual of a moment ago.
    """
    grown = cv2.dilate(difference.foreground, np.ones((3, 3), np.uint8), iterations=2)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8, ltype=cv2.CV_32S)
    large = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] >= LEAST_AREA * grown.size]
    renumber = np.zeros(count, np.int32)
    renumber[large] = np.arange(1, len(large) + 1)
    labels = renumber[labels]
    if not large:
        return [], labels
    area = np.bincount(labels.ravel())[1:]
    activity = _sums(labels, _changed(difference, earlier, background)) / area
    evidence = _sums(labels, _new_edges(picture, difference, background)) / area
    outline = _outline_ratio(labels, picture, background.scene)
    boxes = [_box(stats[i], grown.shape) for i in large]
    return [
        Blob(box, float(a) / grown.size, float(moved), float(edges), float(ratio))
        for box, a, moved, edges, ratio in zip(boxes, area, activity, evidence, outline, strict=True)
    ], labels


def _sums(labels: NDArray[np.int32], values: NDArray[np.generic]) -> NDArray[np.float64]:
    """The sum of `values` in each blob."""
    return np.bincount(labels.ravel(), weights=values.ravel())[1:]


def _changed(difference: Difference, earlier: Picture, background: Background) -> NDArray[np.bool_]:
    threshold = np.maximum(ACTIVE_LEVELS * background.contrast, 4 * background.noise)
    return np.abs(difference.residual - earlier) > threshold


def _new_edges(picture, difference: Difference, background: Background) -> NDArray[np.bool_]:
    threshold = np.maximum(EDGE_LEVELS * background.contrast, 12 * background.noise)
    if not LOCAL:
        return gradient(difference.residual) > threshold
    lit = (cv2.blur(picture, (LOCAL, LOCAL)) + 2) / (cv2.blur(background.scene, (LOCAL, LOCAL)) + 2)
    return gradient(picture - lit * background.scene) > threshold


def _outline_ratio(labels: NDArray[np.int32], picture: Picture, scene: Picture) -> NDArray[np.float64]:
    inner = cv2.erode((labels > 0).astype(np.uint8), np.ones((3, 3), np.uint8), iterations=3)
    rim = (labels > 0) & (inner == 0)
    # one level more on both sides: a faint outline on an even floor is no ratio of noise
    return (_sums(labels, rim * (gradient(picture) + 4))) / (_sums(labels, rim * (gradient(scene) + 4)) + 1e-6)


def gradient(picture: Picture) -> Picture:
    """Steepness in Sobel units: four times the step between neighbours."""
    across = cv2.Sobel(picture, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(picture, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _box(stats: NDArray[np.int32], shape: tuple[int, ...]) -> Box:
    height, width = shape
    left, top, wide, high = (int(v) for v in stats[:4])
    return Box(left / width, top / height, (left + wide) / width, (top + high) / height)


def active_mask(blobs: list[Blob], labels: NDArray[np.int32]) -> Mask:
    """1 where an active blob is."""
    return np.array([0, *(b.active for b in blobs)], np.uint8)[labels]
