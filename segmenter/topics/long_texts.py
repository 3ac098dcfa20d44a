"""Texts longer than a model takes: embedded in parts, since the model itself would drop their ends without a word."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray


def parts(text: str, room: int, begins: Callable[[str], Sequence[int]]) -> list[str]:
    """The text in pieces of at most `room` word pieces; `begins` tells where in the text each word piece begins."""
    if len(text) <= room:  # a word piece is at least one character
        return [text]
    offsets = begins(text)
    if len(offsets) <= room:
        return [text]
    starts = [offsets[i] for i in range(0, len(offsets), room)]
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def joined(vectors: NDArray[np.float32], parts_of: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """One unit vector a text, from those of all parts in order: their mean, weighted by their length."""
    owner = np.repeat(np.arange(len(parts_of)), [len(of_text) for of_text in parts_of])
    lengths = np.array([max(1, len(part)) for of_text in parts_of for part in of_text], float)[:, None]
    sums = np.zeros((len(parts_of), vectors.shape[1]), np.float64)
    np.add.at(sums, owner, vectors * lengths)
    return np.asarray(sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12), np.float32)
