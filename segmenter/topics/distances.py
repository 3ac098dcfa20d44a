"""How far neighbouring sentences are apart: what the simple rules look at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def neighbour_distances(vectors: NDArray[np.floating]) -> Array:
    """Cosine distances of unit vectors to their next, shape (n - 1,)."""
    wide = vectors.astype(np.float64)
    return np.asarray(1.0 - np.einsum("id,id->i", wide[:-1], wide[1:]), np.float64)


def combined(vectors: NDArray[np.floating], buffer: int) -> Array:
    """Each sentence's vector averaged with those of `buffer` neighbours on each side, at unit length."""
    sums = np.vstack([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0, dtype=np.float64)])
    at = np.arange(len(vectors))
    windows = sums[np.minimum(at + buffer + 1, len(vectors))] - sums[np.maximum(at - buffer, 0)]
    return np.asarray(windows / np.maximum(np.linalg.norm(windows, axis=1, keepdims=True), 1e-12))


def combined_distances(vectors: NDArray[np.floating], buffer: int) -> Array:
    return neighbour_distances(vectors if buffer == 0 else combined(vectors, buffer))
