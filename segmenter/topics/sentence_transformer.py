"""Sentence vectors from sentence-transformers; imported only through the table of engines."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from segmenter.topics.long_texts import joined, parts

# The weights are a local folder: the library must not look for anything else. Read at import.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from sentence_transformers import SentenceTransformer
from transformers.utils import logging as transformers_logging


def loaded(folder: str, device: str | None = None) -> SentenceTransformer:
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # a bar of its own on every load
    return SentenceTransformer(folder, local_files_only=True, device=device)


class SentenceTransformerEmbedder:
    """A sentence-transformers folder on the CPU, or on the GPU where there is one."""

    def __init__(self, folder: str) -> None:
        self._model = loaded(folder)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension); a text longer than the model takes is embedded in parts."""
        tokenizer = self._model.tokenizer
        room = int(self._model.max_seq_length or 256) - tokenizer.num_special_tokens_to_add()
        of_texts = [parts(text, room, self._begins) for text in texts]
        if not of_texts:
            return np.empty((0, self._model.get_embedding_dimension() or 0), np.float32)
        flat = [part for of_text in of_texts for part in of_text]
        vectors = self._model.encode(flat, convert_to_numpy=True, normalize_embeddings=True, show_progress_bar=False)
        return joined(vectors, of_texts)

    def _begins(self, text: str) -> list[int]:
        found = self._model.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        return [begin for begin, _ in found["offset_mapping"]]
