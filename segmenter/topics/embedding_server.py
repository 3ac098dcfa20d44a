"""Sentence vectors from any OpenAI-compatible embeddings server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import SettingsError
from segmenter.topics.material import tokens
from segmenter.topics.server import post

_BATCH_TOKENS = 8000  # of one request; OpenAI's own limit for one text is 8,191
_BATCH_TEXTS = 256


class ServerEmbedder:
    """Asks `url`/embeddings; texts go out in batches within the server's limits, sorted by length so that none is padded much."""

    def __init__(self, url: str, model: str) -> None:
        self._url, self._model = url.rstrip("/"), model

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension).

        Raises:
            SettingsError: the server is not there, refuses, or answers something that is not one finite vector a text.
        """
        if not texts:
            return np.empty((0, 0), np.float32)
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        rows = [row for batch in _batches([texts[i] for i in order]) for row in self._ask(batch)]
        vectors = np.empty((len(texts), len(rows[0])), np.float64)
        vectors[order] = rows
        return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), np.float32)

    def _ask(self, batch: list[str]) -> NDArray[np.float64]:
        answer = post(f"{self._url}/embeddings", {"model": self._model, "input": batch})
        try:
            rows = [row["embedding"] for row in sorted(answer["data"], key=lambda row: row["index"])]
            vectors = np.array(rows, np.float64)
            if vectors.ndim != 2 or len(vectors) != len(batch) or not np.isfinite(vectors).all():
                raise ValueError(f"{len(rows)} vectors for {len(batch)} texts, or some of them broken")
        except (KeyError, TypeError, ValueError) as error:
            raise SettingsError(f"the server at {self._url} does not answer as an embeddings server: {error}") from error
        return vectors


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    filled = 0
    for text in texts:
        size = tokens(text)
        if batch and (filled + size > _BATCH_TOKENS or len(batch) == _BATCH_TEXTS):
            yield batch
            batch, filled = [], 0
        batch.append(text)
        filled += size
    yield batch
