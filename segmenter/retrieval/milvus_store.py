"""Vectors in Milvus: a Milvus Lite file in the store's folder, or a server. Imported only through the table of stores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pymilvus import DataType, MilvusClient, MilvusException  # type: ignore[import-untyped]

from segmenter.errors import PackageMissing
from segmenter.retrieval.ledger import Ledger
from segmenter.retrieval.ledger_store import LedgerStore
from segmenter.retrieval.records import Unit, Where
from segmenter.retrieval.stores import Stamp, StoreBusy, Vectors

_MOST = 16_384  # results of one search
_VALUES = 1024  # labels or speakers of one unit that can be filtered by
_DIGEST = 16
_FILE = "milvus.db"

_opened: Counter[str] = Counter()  # indexes in this process by their file, which they share


def open_milvus(path: Path, stamp: Stamp, make: bool = False) -> LedgerStore:
    if not stamp.address and find_spec("milvus_lite") is None:
        raise PackageMissing("milvus-lite", "milvus")
    ledger = Ledger(path / "units.sqlite", stamp.dimension, make)
    try:
        client = MilvusClient(stamp.address or str(path / _FILE))
    except MilvusException as error:
        ledger.close()
        if stamp.address:
            raise StoreBusy("Milvus cannot be reached", path=path, hint=f"is {stamp.address} up?") from error
        what = "Milvus Lite lets in one process at a time, and one is in"
        raise StoreBusy(what, path=path, hint="try again when it is done") from error
    name = f"segmenter_{ledger.token}"
    return LedgerStore(ledger, MilvusIndex(client, name, stamp.dimension, "" if stamp.address else str(path / _FILE)), stamp)


class MilvusIndex:
    """One collection. Strings are there as digests alone, so that a filter holds nothing but numbers and hexadecimal digits."""

    def __init__(self, client: MilvusClient, name: str, dimension: int, file: str = "") -> None:
        self._client, self._name, self._file = client, name, file
        _opened[file] += 1
        if not client.has_collection(name):
            index = client.prepare_index_params()
            index.add_index("vector", index_type="AUTOINDEX", metric_type="COSINE")
            client.create_collection(name, schema=_schema(client, dimension), index_params=index, consistency_level="Strong")
        client.load_collection(name)

    def add(self, numbers: Sequence[int], units: Sequence[Unit], vectors: Vectors) -> None:
        rows = [
            {"number": number, **_fields(unit), "vector": vector}
            for number, unit, vector in zip(numbers, units, vectors, strict=True)
        ]
        if rows:
            self._client.upsert(self._name, rows)

    def drop(self, numbers: Sequence[int]) -> None:
        self._client.delete(self._name, ids=list(numbers))

    def flush(self) -> None:
        self._client.flush(self._name)

    def nearest(self, vector: NDArray[np.float32], where: Where, k: int) -> list[tuple[int, float]]:
        data = [np.asarray(vector, np.float32).tolist()]
        found = self._client.search(self._name, data, filter=_condition(where), limit=min(k, _MOST), anns_field="vector")
        return [(int(hit["number"]), float(hit["distance"])) for hit in found[0]]  # for cosines, Milvus's distance is the cosine

    def close(self) -> None:
        """The last one out shuts Milvus Lite: else this process would hold the file to its end."""
        self._client.close()
        _opened[self._file] -= 1
        if self._file and not _opened[self._file]:
            from milvus_lite.server_manager import server_manager_instance  # type: ignore[import-untyped]

            server_manager_instance.release_server(self._file)


def _schema(client: MilvusClient, dimension: int) -> Any:
    schema = client.create_schema(auto_id=False)
    schema.add_field("number", DataType.INT64, is_primary=True)
    schema.add_field("recording", DataType.VARCHAR, max_length=_DIGEST)
    schema.add_field("kind", DataType.VARCHAR, max_length=_DIGEST)
    for name in ("start", "end"):
        schema.add_field(name, DataType.DOUBLE)
    for name in ("labels", "speakers"):
        schema.add_field(name, DataType.ARRAY, element_type=DataType.VARCHAR, max_capacity=_VALUES, max_length=_DIGEST)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension)
    return schema


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]


def _fields(unit: Unit) -> dict[str, Any]:
    lists = {"labels": unit.labels, "speakers": unit.speakers}
    return {
        "recording": _digest(unit.recording),
        "kind": _digest(unit.kind),
        "start": unit.start,
        "end": unit.end,
        **{name: [_digest(value) for value in values[:_VALUES]] for name, values in lists.items()},
    }


def _condition(where: Where) -> str:
    parts = [f"{name} in {_any_of(of)}" for name, of in (("recording", where.recordings), ("kind", where.kinds)) if of]
    lists = (("labels", where.labels), ("speakers", where.speakers))
    parts += [f"array_contains_any({name}, {_any_of(of)})" for name, of in lists if of]
    parts += [f"end > {float(where.after)!r}"] if where.after is not None else []
    parts += [f"start < {float(where.before)!r}"] if where.before is not None else []
    return " and ".join(parts)


def _any_of(texts: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{_digest(text)}"' for text in texts) + "]"
