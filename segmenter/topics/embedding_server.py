"""Sentence vectors from any OpenAI-compatible embeddings server."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import ServerError
from segmenter.topics.long_texts import joined, parts
from segmenter.topics.material import token_starts, tokens
from segmenter.topics.remembered import Remembered, key
from segmenter.topics.server import post

_ROOM_TOKENS = 2000  # of one text: nomic-embed-text reads 2,048, OpenAI's models 8,191; some servers drop the rest unsaid
_BATCH_TOKENS = 8000  # of one request
_BATCH_TEXTS = 256
_TOO_MUCH = {400, 413, 422}  # how servers refuse a text or a batch that is too long for them
_LEAST_TOKENS = 32  # a shorter text is refused for another reason
_PROBES = ["The train to the coast leaves at ten past eight.", "Whisk the eggs before you add the flour."]
_SAME = 0.999  # cosine: batches and devices change the last digits only

Vectors = NDArray[np.float32]


class ServerEmbedder:
    """Asks `url`/embeddings; texts go out in batches within the server's limits, sorted by length so that none is padded much.

    What a server takes at once is not known: what it refuses as too much is asked for in halves.
    """

    def __init__(self, url: str, model: str) -> None:
        self._url, self._model = url.rstrip("/"), model
        self.name = f"{url} {model}"

    @cached_property
    def probe(self) -> Vectors:
        """Unit vectors of two texts that never change, shape (2, dimension): they tell models of one name apart.

        Raises:
            ServerError: the server cannot be used; see `embed`.
        """
        vectors = self._post(_PROBES)
        if vectors[0] @ vectors[1] > _SAME:
            raise self._unusable("the same vector for different texts")
        return vectors

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimension); a text longer than the model takes is embedded in parts.

        Raises:
            ServerError: the server is not there, refuses, or answers something that is not one finite vector a text,
                all of one dimension.
        """
        if not texts:
            return np.empty((0, 0), np.float32)
        of_texts = [parts(text, _ROOM_TOKENS, token_starts) for text in texts]
        flat = [part for of_text in of_texts for part in of_text]
        order = sorted(range(len(flat)), key=lambda i: len(flat[i]))
        vectors = np.empty((len(flat), self.probe.shape[1]), np.float32)
        vectors[order] = np.concatenate([self._ask(batch) for batch in _batches([flat[i] for i in order])])
        return joined(vectors, of_texts)

    def _ask(self, batch: list[str]) -> Vectors:
        """The vectors of a batch; in halves, down to those of a text, where the server finds it too long."""
        try:
            vectors = self._post(batch)
        except ServerError as error:
            halves = _halves(batch) if error.status in _TOO_MUCH else []
            if not halves:
                raise
            made = np.concatenate([self._ask(half) for half in halves])
            return made if len(batch) > 1 else joined(made, [[part for (part,) in halves]])
        if vectors.shape[1] != self.probe.shape[1]:
            raise self._unusable(f"vectors of {self.probe.shape[1]} numbers, then of {vectors.shape[1]}")
        return vectors

    def _post(self, batch: list[str]) -> Vectors:
        answer = post(f"{self._url}/embeddings", {"model": self._model, "input": batch})
        try:
            return _unit(answer["data"], len(batch))
        except ValueError as error:
            raise self._unusable(str(error)) from error
        except (KeyError, TypeError) as error:
            raise self._unusable("no rows of index and embedding") from error

    def _unusable(self, what: str) -> ServerError:
        return ServerError(f"the server at {self._url} does not answer as an embeddings server: {what}")


def identity(server: ServerEmbedder, known: Remembered) -> str:
    """The server, its model's name, and a hash of the probe by which that model was first known.

    Raises:
        ServerError: the server cannot be used.
    """
    name = key("probe", server.name)
    first = known.get([name]).get(name, b"")
    if not _same_model(np.frombuffer(first, np.float32).reshape(2, -1), server.probe):
        first = server.probe.tobytes()
        known.put({name: first})
    return f"{server.name} {hashlib.sha256(first).hexdigest()}"


def _same_model(one: Vectors, other: Vectors) -> bool:
    return one.shape == other.shape and bool(((one * other).sum(axis=1) > _SAME).all())


def _unit(rows: Sequence[dict[str, object]], count: int) -> Vectors:
    """Unit vectors in the order of their texts.

    Raises:
        KeyError, TypeError, ValueError: they are not one finite vector a text that points somewhere.
    """
    of_text = {row["index"]: row["embedding"] for row in rows}
    if len(rows) != count or set(of_text) != set(range(count)):
        raise ValueError(f"{len(rows)} vectors for {count} texts, or not one for each")
    vectors = np.array([of_text[i] for i in range(count)], np.float64)
    if vectors.ndim != 2:
        raise ValueError("vectors that are none")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and lengths.all()):
        raise ValueError("vectors that are not finite, or zero")
    return np.asarray(vectors / lengths, np.float32)


def _halves(batch: list[str]) -> list[list[str]]:
    """Two smaller batches, of one text its two halves; none where there is nothing to halve."""
    if len(batch) > 1:
        return [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
    size = tokens(batch[0])
    return [[part] for part in parts(batch[0], (size + 1) // 2, token_starts)] if size > _LEAST_TOKENS else []


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
