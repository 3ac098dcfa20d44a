"""Units in LanceDB, an embedded folder: vectors, full text and filters in one table, each write one commit of its own.

Imported only through the table of stores.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
from lancedb.index import FTS, Bitmap, BTree, IvfSq, LabelList
from lancedb.query import MatchQuery
from numpy.typing import NDArray

from segmenter.retrieval.records import ALL, FIELDS, Rows, Scored, Unit, Where, in_order
from segmenter.retrieval.stores import Stamp, Vectors

_TABLE = "units"
_SCALARS = {"id": BTree(), "recording": BTree(), "kind": Bitmap(), "labels": LabelList(), "speakers": LabelList()}
_EXACT_ROWS = 100_000  # fewer are searched one by one, in some 20 ms; from here on an index of the vectors is made
_FEW_ROWS = 10_000  # that a filter leaves: compared one by one, in some hundredths of a second
_PROBES = 40  # cells of the index that are looked into; docs/stores.md has recall and time
_REFINE = 4  # so many times the wanted number are scored again with the whole vectors
_OLD = timedelta(hours=1)  # versions older than this are thrown away: no reader holds one for so long
_AT_ONCE = 1000  # ids in one filter


def open_lancedb(path: Path, stamp: Stamp, make: bool = False) -> LanceStore:
    """The table in the folder `path`; with `make` it is made where it is missing."""
    # every read asks for the newest version, so that a long-lived reader sees what others have committed
    base = lancedb.connect(str(path), read_consistency_interval=timedelta(0))
    if make:
        table = base.create_table(_TABLE, schema=_schema(stamp.dimension), exist_ok=True)
        if not any("terms" in index.columns for index in table.list_indices()):
            table.create_index("terms", config=_full_text())
    return LanceStore(base.open_table(_TABLE), stamp)


def _full_text() -> FTS:
    """The terms are ready: nothing is left to the index but to part them at blanks."""
    return FTS(
        base_tokenizer="whitespace",
        max_token_length=None,
        with_position=False,
        lower_case=False,
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
    )


def _schema(dimension: int) -> pa.Schema:
    strings, numbers = pa.list_(pa.string()), {"start": pa.float64(), "end": pa.float64()}
    types = {"position": pa.int64(), "tokens": pa.int64(), "speakers": strings, "labels": strings, **numbers}
    columns = [pa.field(name, types.get(name, pa.string())) for name in FIELDS]
    return pa.schema([*columns, pa.field("vector", pa.list_(pa.float32(), dimension))])


class LanceStore:
    """The table of one store; see the protocol for what the methods do."""

    def __init__(self, table: Any, stamp: Stamp) -> None:
        self._table, self.stamp = table, stamp

    def write(self, recording: str, units: Sequence[Unit], vectors: Vectors, gone: Sequence[str] = ()) -> None:
        rows = self._rows(units, vectors)
        if not units:
            if gone:
                self._table.delete(_ids(gone))
        elif not self.count(Where(recordings=(recording,))):
            self._table.add(rows, on_bad_vectors="null")
        else:
            merge = self._table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            if gone:
                merge = merge.when_not_matched_by_source_delete(_ids(gone))
            merge.execute(rows, on_bad_vectors="null")

    def _rows(self, units: Sequence[Unit], vectors: Vectors) -> pa.Table:
        columns = {name: [getattr(unit, name) for unit in units] for name in FIELDS}
        columns["extra"] = [json.dumps(dict(unit.extra), ensure_ascii=True, sort_keys=True) for unit in units]
        columns["vector"] = [vector if unit.embedded else None for unit, vector in zip(units, vectors, strict=True)]
        return pa.Table.from_pydict(columns, schema=_schema(self.stamp.dimension))

    def remove(self, recording: str) -> None:
        self._table.delete(f"recording = {_quoted(recording)}")

    def recordings(self) -> tuple[Unit, ...]:
        return tuple(self.scan(Where(kinds=("recording",))).units)

    def units(self, ids: Sequence[str]) -> list[Unit]:
        found: dict[str, Unit] = {}
        for i in range(0, len(ids), _AT_ONCE):
            rows = self._table.search().where(_ids(ids[i : i + _AT_ONCE])).select(list(FIELDS)).to_arrow()
            found.update((unit.id, unit) for unit in _units(rows))
        return [found[one] for one in ids if one in found]

    def scan(self, where: Where = ALL) -> Rows:
        query = self._table.search()
        condition = _condition(where)
        rows = (query.where(condition) if condition else query).to_arrow()
        return in_order(_units(rows), self._vectors(rows))

    def _vectors(self, rows: pa.Table) -> Vectors:
        column = rows["vector"].combine_chunks()
        vectors = np.zeros((len(column), self.stamp.dimension), np.float32)
        vectors[np.asarray(column.is_valid())] = np.asarray(column.flatten()).reshape(-1, self.stamp.dimension)
        return vectors

    def count(self, where: Where = ALL) -> int:
        return int(self._table.count_rows(_condition(where) or None))

    def nearest(self, vector: NDArray[np.float32], where: Where = ALL, k: int = 10) -> list[Scored]:
        query = self._table.search(vector, vector_column_name="vector").distance_type("cosine")
        query = query.nprobes(_PROBES).refine_factor(_REFINE)
        if condition := _condition(where):
            query = query.where(condition, prefilter=True)
            if self.count(where) < _FEW_ROWS:  # the cells that are looked into may hold none of so few
                query = query.bypass_vector_index()
        rows = query.select([*FIELDS, "_distance"]).limit(k).to_arrow()
        return [Scored(unit, 1 - far) for unit, far in zip(_units(rows), rows["_distance"].to_pylist(), strict=True)]

    def words(self, terms: Sequence[str], where: Where = ALL, k: int = 10) -> list[Scored]:
        wanted = " ".join(terms)
        if not wanted.strip():
            return []
        query = self._table.search(MatchQuery(wanted, "terms"), query_type="fts")  # type: ignore[call-arg]  # pydantic
        if condition := _condition(where):
            query = query.where(condition, prefilter=True)
        rows = query.select([*FIELDS, "_score"]).limit(k).to_arrow()
        return [Scored(unit, score) for unit, score in zip(_units(rows), rows["_score"].to_pylist(), strict=True)]

    def settle(self) -> None:
        """Small files joined, old versions thrown away, and indexes where the table is large."""
        if self._table.count_rows() >= _EXACT_ROWS:
            indexed = {column for index in self._table.list_indices() for column in index.columns}
            for column, config in {**_SCALARS, "vector": IvfSq(distance_type="cosine")}.items():
                if column not in indexed:
                    self._table.create_index(column, config=config)
        self._table.optimize(cleanup_older_than=_OLD)

    def close(self) -> None:
        """Nothing is held open."""


def _units(rows: pa.Table) -> list[Unit]:
    return [_unit(row) for row in rows.select(list(FIELDS)).to_pylist()]


def _unit(row: dict[str, Any]) -> Unit:
    lists = {name: tuple(row[name]) for name in ("speakers", "labels")}
    return Unit(**{**row, **lists, "extra": json.loads(row["extra"])})


# --- filters ---------------------------------------------------------------------------------------------------


def _quoted(text: str) -> str:
    """A string in DataFusion's SQL, in which the quote alone means anything, and is doubled."""
    return "'" + text.replace("'", "''") + "'"


def _any_of(texts: Iterable[str]) -> str:
    return ", ".join(map(_quoted, texts))


def _ids(ids: Sequence[str]) -> str:
    return f"id IN ({_any_of(ids)})"


def _condition(where: Where) -> str:
    parts = [f"{column} IN ({_any_of(of)})" for column, of in (("recording", where.recordings), ("kind", where.kinds)) if of]
    lists = (("labels", where.labels), ("speakers", where.speakers))
    parts += [f"array_has_any({column}, make_array({_any_of(of)}))" for column, of in lists if of]
    parts += [f'"end" > {float(where.after)!r}'] if where.after is not None else []
    parts += [f'"start" < {float(where.before)!r}'] if where.before is not None else []
    return " AND ".join(parts)
