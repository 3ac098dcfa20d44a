"""Sentence vectors from sentence-transformers; imported only through the table of embedders."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# The weights are a local folder: the library must not look for anything else. Read at import.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from sentence_transformers import SentenceTransformer
from transformers.utils import logging as transformers_logging


class SentenceTransformerEmbedder:
    """A sentence-transformers folder on the CPU, or on the GPU where there is one."""

    def __init__(self, folder: str) -> None:
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # a bar of its own on every load
        self._model = SentenceTransformer(folder, local_files_only=True)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension).

        The model cuts off what is longer than it takes (256 word pieces for all-MiniLM-L6-v2) without a word; here a
        longer text is embedded in parts, and its vector is their mean, weighted by their length.
        """
        parts = [self._parts(text) for text in texts]
        flat = [part for of_text in parts for part in of_text]
        if not flat:
            return np.empty((0, self._model.get_embedding_dimension() or 0), np.float32)
        vectors = self._model.encode(flat, convert_to_numpy=True, normalize_embeddings=True, show_progress_bar=False)
        owner = np.repeat(np.arange(len(texts)), [len(of_text) for of_text in parts])
        sums = np.zeros((len(texts), vectors.shape[1]), np.float64)
        np.add.at(sums, owner, vectors * np.array([[len(part)] for part in flat]))
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        return np.asarray(sums / np.maximum(lengths, 1e-12), np.float32)

    def _parts(self, text: str) -> list[str]:
        """The text in pieces that the model takes whole, cut between word pieces."""
        tokenizer = self._model.tokenizer
        room = int(self._model.max_seq_length or 256) - tokenizer.num_special_tokens_to_add()
        if len(text) <= room:  # a word piece is at least one character
            return [text]
        offsets = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)["offset_mapping"]
        if len(offsets) <= room:
            return [text]
        starts = [offsets[i][0] for i in range(0, len(offsets), room)]
        return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
