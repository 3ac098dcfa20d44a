"""A cross-encoder that reads question and passage together: slower than vectors by far, so only for what they found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import ModelMissing


class CrossEncoderReranker:
    """A sentence-transformers cross-encoder in a folder of this machine; longer passages are read from their beginning."""

    def __init__(self, folder: str) -> None:
        if not (Path(folder) / "config.json").is_file():
            raise ModelMissing("no cross-encoder there", path=folder, hint="give a folder with config.json and its weights")
        from sentence_transformers import CrossEncoder

        self._model = CrossEncoder(folder, local_files_only=True)

    def __call__(self, question: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """How well each text answers, shape (len(texts),); higher is better."""
        if not texts:
            return np.zeros(0)
        scores = self._model.predict([(question, text) for text in texts], show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(scores, np.float64).reshape(len(texts), -1)[:, -1]
