"""Vectors in Chroma, a folder. Imported only through the table of stores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.config import Settings
from chromadb.errors import InternalError
from numpy.typing import NDArray

from segmenter.retrieval.ledger import Ledger
from segmenter.retrieval.ledger_store import LedgerStore
from segmenter.retrieval.records import Unit, Where
from segmenter.retrieval.stores import Stamp, StoreBusy, Vectors


def open_chroma(path: Path, stamp: Stamp, make: bool = False) -> LedgerStore:
    ledger = Ledger(path / "units.sqlite", stamp.dimension, make)
    return LedgerStore(ledger, ChromaIndex(path / "chroma"), stamp)


class ChromaIndex:
    """One collection; its metadata hold what may be filtered by, strings as they are: Chroma's filters are no text."""

    def __init__(self, path: Path) -> None:
        self._client: Any = chromadb.PersistentClient(str(path), settings=Settings(anonymized_telemetry=False))
        self._units = self._client.get_or_create_collection(
            "units", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        self._most = self._client.get_max_batch_size()

    def add(self, numbers: Sequence[int], units: Sequence[Unit], vectors: Vectors) -> None:
        ids, metadata = list(map(str, numbers)), list(map(_metadata, units))
        for i in range(0, len(ids), self._most):
            part = slice(i, i + self._most)
            self._units.upsert(ids[part], embeddings=vectors[part], metadatas=metadata[part])

    def drop(self, numbers: Sequence[int]) -> None:
        for i in range(0, len(numbers), self._most):
            self._units.delete([str(number) for number in numbers[i : i + self._most]])

    def flush(self) -> None:
        """Each call has been a transaction of its own."""

    def nearest(self, vector: NDArray[np.float32], where: Where, k: int) -> list[tuple[int, float]]:
        asked = np.asarray(vector, np.float32)[None]
        try:
            answer = self._units.query(query_embeddings=asked, n_results=k, where=_condition(where), include=["distances"])
        except InternalError as error:  # Chroma is made for one process: another has files here that are half written
            raise StoreBusy("another process is writing into this store", hint="try again when it is done") from error
        distances = (answer["distances"] or [[]])[0]
        return [(int(number), 1 - far) for number, far in zip(answer["ids"][0], distances, strict=True)]

    def close(self) -> None:
        self._client.close()


def _metadata(unit: Unit) -> Any:
    lists = {name: list(values) for name, values in (("labels", unit.labels), ("speakers", unit.speakers)) if values}
    return {"recording": unit.recording, "kind": unit.kind, "start": unit.start, "end": unit.end, **lists}


def _condition(where: Where) -> Any:
    parts: list[Any] = [{name: {"$in": list(of)}} for name, of in (("recording", where.recordings), ("kind", where.kinds)) if of]
    parts += [
        _joined("$or", [{name: {"$contains": value}} for value in of])
        for name, of in (("labels", where.labels), ("speakers", where.speakers))
        if of
    ]
    parts += [{"end": {"$gt": float(where.after)}}] if where.after is not None else []
    parts += [{"start": {"$lt": float(where.before)}}] if where.before is not None else []
    return _joined("$and", parts) if parts else None


def _joined(how: str, parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else {how: parts}
