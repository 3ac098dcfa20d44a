"""A bus and people moved across an empty picture: the photograph that the ultralytics package brings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from segmenter import weights
from segmenter.errors import SegmenterError
from segmenter.media.frames import Frame

STEP_PX = 30  # from look to look
RATE_HZ = 5.0


def photograph() -> NDArray[np.uint8]:
    """BGR, 405 x 540 pixels."""
    import cv2
    from ultralytics.utils import ASSETS

    image = cv2.imread(str(ASSETS / "bus.jpg"))
    assert image is not None
    return np.asarray(cv2.resize(image, (405, 540), interpolation=cv2.INTER_AREA), np.uint8)


def passing(image: NDArray[np.uint8], looks: int = 6, empty: int = 3) -> Iterator[Frame]:
    """Empty pictures, then the photograph moving to the right across the same grey, then empty ones."""
    height, width = image.shape[:2]
    for i in range(empty + looks + empty):
        picture = np.full((height, 960, 3), 114, np.uint8)
        if empty <= i < empty + looks:
            left = STEP_PX * (i - empty)
            picture[:, left : left + width] = image
        yield Frame(i / RATE_HZ, picture)


def located(name: str) -> Path:
    """The weights called `name`; the test is skipped where they are not on this machine."""
    try:
        return Path(weights.locate(name).path)
    except SegmenterError as error:
        pytest.skip(f"no weights of {name} here: {error}")
