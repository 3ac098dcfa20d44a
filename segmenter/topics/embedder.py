"""Sentences to vectors: the protocol that every embedder keeps, and the table of embedders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from segmenter.table import Row


class Embedder(Protocol):
    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension), row i for text i; a text longer than the model takes is not cut off."""


EMBEDDERS = {
    "all-MiniLM-L6-v2": Row(
        "segmenter.topics.sentence_transformer:SentenceTransformerEmbedder",
        "English, 384 dimensions, small and fast",
        ("sentence_transformers",),
        "topics",
    ),
}
