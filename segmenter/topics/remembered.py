"""What models once answered, kept on disk by content: the same text is never embedded, or paid for, twice."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from segmenter.topics.embedder import Embedder

_AT_ONCE = 500  # below SQLite's limit of variables in a statement
_MOST_BYTES = 2_000_000_000  # a million vectors of 384 numbers, some hundred hours of talk by several models


def key(model: str, text: str) -> bytes:
    return hashlib.sha256(f"{model}\0{text}".encode("utf-8", "surrogatepass")).digest()


class Remembered:
    """A file of answers. Where it cannot be read or written it forgets, and nothing else happens.

    When it holds `most_bytes`, the oldest tenth is forgotten: rows are numbered as they come.
    """

    def __init__(self, path: Path, most_bytes: int = _MOST_BYTES) -> None:
        self._path, self._most_bytes = path, most_bytes

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        try:
            with closing(self._open()) as base:
                for i in range(0, len(keys), _AT_ONCE):
                    some = keys[i : i + _AT_ONCE]
                    marks = ",".join("?" * len(some))
                    found.update(base.execute(f"SELECT key, answer FROM kept WHERE key IN ({marks})", some))
        except (sqlite3.Error, OSError):
            return {}
        return found

    def put(self, answers: Mapping[bytes, bytes]) -> None:
        try:
            with closing(self._open()) as base, base:
                base.executemany("INSERT OR REPLACE INTO kept (key, answer) VALUES (?, ?)", answers.items())
                if self._size(base) > self._most_bytes:
                    oldest = "SELECT number FROM kept ORDER BY number LIMIT (SELECT 1 + count(*) / 10 FROM kept)"
                    base.execute(f"DELETE FROM kept WHERE number IN ({oldest})")
        except (sqlite3.Error, OSError):
            return

    def _size(self, base: sqlite3.Connection) -> int:
        """In bytes; pages that are free again are filled before the file grows."""
        asked = "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
        return int(base.execute(asked).fetchone()[0])

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        base = sqlite3.connect(self._path, timeout=30)
        base.execute("CREATE TABLE IF NOT EXISTS kept (number INTEGER PRIMARY KEY, key BLOB UNIQUE, answer BLOB)")
        return base


class RememberingEmbedder:
    """Embeds each different text once, and none that it has met before with the same model.

    `make` makes the embedder, which is not done, nor its package imported, where every text is known. `model` says
    which weights, and is asked before anything is embedded: a hash, or what tells one model of a server from another.
    """

    def __init__(self, make: Callable[[], Embedder], model: Callable[[], str], path: Path) -> None:
        self._make, self._identity, self._known = make, model, Remembered(path)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension)."""
        if not texts:
            return self._embedder.embed(texts)
        keys = [key(self._model, text) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        vectors = {k: np.frombuffer(v, np.float32) for k, v in self._known.get(list(by_key)).items()}
        self._learn({k: text for k, text in by_key.items() if k not in vectors}, vectors)
        return np.stack([vectors[k] for k in keys])

    def _learn(self, missing: Mapping[bytes, str], vectors: dict[bytes, NDArray[np.float32]]) -> None:
        if missing:
            made: Iterable[NDArray[np.float32]] = self._embedder.embed(list(missing.values()))
            new = {k: np.ascontiguousarray(v, np.float32) for k, v in zip(missing, made, strict=True)}
            self._known.put({k: v.tobytes() for k, v in new.items()})
            vectors.update(new)

    @cached_property
    def _embedder(self) -> Embedder:
        return self._make()

    @cached_property
    def _model(self) -> str:
        return self._identity()
