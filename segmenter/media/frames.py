"""The pictures of a recording by presentation time, upright, at a chosen step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One upright picture: `image` is BGR, uint8, shape (height, width, 3); `time` is its presentation time in seconds."""

    time: float
    image: NDArray[np.uint8]
