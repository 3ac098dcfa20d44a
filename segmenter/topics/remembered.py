"""What models once answered, kept on disk by content: the same text is never embedded, or paid for, twice."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from segmenter.topics.embedder import Embedder

_AT_ONCE = 500  # below SQLite's limit of variables in a statement


def key(model: str, text: str) -> bytes:
    return hashlib.sha256(f"{model}\0{text}".encode("utf-8", "surrogatepass")).digest()


class Remembered:
    """A file of answers. Where it cannot be read or written it forgets, and nothing else happens."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        try:
            with closing(self._open()) as base:
                for i in range(0, len(keys), _AT_ONCE):
                    some = keys[i : i + _AT_ONCE]
                    marks = ",".join("?" * len(some))
                    found.update(base.execute(f"SELECT key, answer FROM answers WHERE key IN ({marks})", some))
        except (sqlite3.Error, OSError):
            return {}
        return found

    def put(self, answers: Mapping[bytes, bytes]) -> None:
        try:
            with closing(self._open()) as base, base:
                base.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", answers.items())
        except (sqlite3.Error, OSError):
            return

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        base = sqlite3.connect(self._path, timeout=30)
        base.execute("CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer BLOB) WITHOUT ROWID")
        return base


class RememberingEmbedder:
    """Embeds each different text once, and none that it has met before with the same model.

    `make` makes the embedder, which is not done, nor its package imported, where every text is known. `model` says
    which weights: a hash, or a server's address and its model's name.
    """

    def __init__(self, make: Callable[[], Embedder], model: str, path: Path) -> None:
        self._make, self._model, self._known = make, model, Remembered(path)
        self._made: Embedder | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension)."""
        if not texts:
            return self._embedder().embed(texts)
        keys = [key(self._model, text) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        vectors = {k: np.frombuffer(v, np.float32) for k, v in self._known.get(list(by_key)).items()}
        self._learn({k: text for k, text in by_key.items() if k not in vectors}, vectors)
        return np.stack([vectors[k] for k in keys])

    def _learn(self, missing: Mapping[bytes, str], vectors: dict[bytes, NDArray[np.float32]]) -> None:
        if missing:
            made: Iterable[NDArray[np.float32]] = self._embedder().embed(list(missing.values()))
            new = {k: np.ascontiguousarray(v, np.float32) for k, v in zip(missing, made, strict=True)}
            self._known.put({k: v.tobytes() for k, v in new.items()})
            vectors.update(new)

    def _embedder(self) -> Embedder:
        self._made = self._made or self._make()
        return self._made
