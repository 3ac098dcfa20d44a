"""The sound of a recording as mono 16 kHz blocks with their true starts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE_HZ = 16_000


@dataclass(frozen=True, slots=True, eq=False)
class AudioBlock:
    """`samples` are mono 16 kHz float32, shape (n,), finite; the first one is heard at `start` seconds."""

    start: float
    samples: NDArray[np.float32]
