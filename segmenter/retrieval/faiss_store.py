"""Vectors in FAISS: a flat index in memory, searched exactly, and a file of it. Imported only through the table of stores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from segmenter.retrieval.ledger import Ledger, Numbers
from segmenter.retrieval.ledger_store import LedgerStore
from segmenter.retrieval.records import ALL, Unit, Where
from segmenter.retrieval.stores import Stamp, Vectors


def open_faiss(path: Path, stamp: Stamp, make: bool = False) -> LedgerStore:
    ledger = Ledger(path / "units.sqlite", stamp.dimension, make)
    return LedgerStore(ledger, FaissIndex(path / "vectors.faiss", stamp.dimension, ledger.numbers), stamp)


class FaissIndex:
    """`numbers` says which count: FAISS itself knows nothing but numbers."""

    def __init__(self, path: Path, dimension: int, numbers: Callable[[Where], Numbers]) -> None:
        self._path, self._dimension, self._numbers = path, dimension, numbers
        self._index, self._read = self._empty(), 0

    def _empty(self) -> Any:
        return faiss.IndexIDMap2(faiss.IndexFlatIP(self._dimension))

    def _catch_up(self) -> None:
        """Reads the file where another process has put a new one in its place."""
        found = self._path.stat().st_mtime_ns if self._path.exists() else 0
        if found != self._read:
            self._index, self._read = faiss.read_index(str(self._path)), found

    def add(self, numbers: Sequence[int], units: Sequence[Unit], vectors: Vectors) -> None:
        del units
        self.drop(numbers)
        self._index.add_with_ids(vectors, np.array(numbers, np.int64))

    def drop(self, numbers: Sequence[int]) -> None:
        self._catch_up()
        self._index.remove_ids(np.array(numbers, np.int64))

    def flush(self) -> None:
        fresh = self._path.with_suffix(".new")
        faiss.write_index(self._index, str(fresh))
        fresh.replace(self._path)
        self._read = self._path.stat().st_mtime_ns

    def nearest(self, vector: NDArray[np.float32], where: Where, k: int) -> list[tuple[int, float]]:
        self._catch_up()
        chosen = None if where == ALL else _only(self._numbers(where))
        k = min(k, self._index.ntotal)
        if not k:
            return []
        cosines, numbers = self._index.search(np.asarray(vector, np.float32)[None], k, params=chosen)
        return [(int(n), float(c)) for n, c in zip(numbers[0], cosines[0], strict=True) if n >= 0]

    def close(self) -> None:
        """Nothing is held open."""


def _only(numbers: Numbers) -> Any:
    return faiss.SearchParameters(sel=faiss.IDSelectorBatch(numbers))  # type: ignore[call-arg]  # added to it by the package
