"""Units and their vectors in one SQLite file: the truth of the stores whose vector index knows no commits.

A recording's change is one transaction. What the index has not been told of it yet stands in the outbox, in the same
transaction: whoever is killed in between leaves nothing half done, and nothing is forgotten.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from segmenter.retrieval.records import ALL, Rows, Unit, Where, in_order
from segmenter.retrieval.stores import Vectors

# The terms are ready and parted by blanks: whatever is no blank belongs to one.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS units (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, recording TEXT NOT NULL, kind TEXT NOT NULL,
    start REAL NOT NULL, end REAL NOT NULL, unit TEXT NOT NULL, vector BLOB
);
CREATE INDEX IF NOT EXISTS by_recording ON units (recording, kind);
CREATE TABLE IF NOT EXISTS marks (number INTEGER NOT NULL, what TEXT NOT NULL, value TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS by_value ON marks (what, value, number);
CREATE INDEX IF NOT EXISTS by_number ON marks (number);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    terms, tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
CREATE TABLE IF NOT EXISTS outbox (number INTEGER PRIMARY KEY, added INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS ledger (token TEXT NOT NULL, settlings INTEGER NOT NULL);
"""
_AT_ONCE = 500  # below SQLite's limit of variables in a statement

Numbers = NDArray[np.int64]


class Ledger:
    """The file. Each unit has a number, which no other unit gets, not even a changed one of the same id.

    One connection, behind a lock: a server's threads may share it.
    """

    def __init__(self, path: Path, dimension: int, make: bool = False) -> None:
        mode = "rwc" if make else "rw"
        self._base = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=60, isolation_level=None, check_same_thread=False
        )
        self._dimension, self._lock = dimension, RLock()
        if make:
            self._base.execute("PRAGMA journal_mode = WAL")  # readers see the last commit while somebody writes
            self._base.executescript(_SCHEMA)
            with self.writing():
                if not self._base.execute("SELECT 1 FROM ledger").fetchone():
                    self._base.execute("INSERT INTO ledger VALUES (?, 0)", (uuid4().hex,))

    @property
    def token(self) -> str:
        """What tells this ledger's rows from others' on a server that many use."""
        with self.reading():
            return str(self._base.execute("SELECT token FROM ledger").fetchone()[0])

    def close(self) -> None:
        self._base.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One state of the file for all that is asked inside."""
        with self._transaction("DEFERRED"):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All of what is done inside, or nothing."""
        with self._transaction("IMMEDIATE"):
            yield

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[None]:
        with self._lock:
            if self._base.in_transaction:  # part of a larger one
                yield
                return
            self._base.execute(f"BEGIN {kind}")
            try:
                yield
                self._base.execute("COMMIT")
            except BaseException:
                self._base.execute("ROLLBACK")
                raise

    # --- writing ---------------------------------------------------------------------------------------------------

    def put(self, units: Sequence[Unit], vectors: Vectors) -> None:
        for unit, vector in zip(units, vectors, strict=True):
            blob = np.ascontiguousarray(vector, np.float32).tobytes() if unit.embedded else None
            row = (unit.id, unit.recording, unit.kind, unit.start, unit.end, unit.as_json(), blob)
            statement = "INSERT INTO units (id, recording, kind, start, end, unit, vector) VALUES (?, ?, ?, ?, ?, ?, ?)"
            number = self._base.execute(statement, row).lastrowid
            marks = [("label", value) for value in unit.labels] + [("speaker", value) for value in unit.speakers]
            self._base.executemany("INSERT INTO marks VALUES (?, ?, ?)", [(number, *mark) for mark in marks])
            self._base.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (number, unit.terms))
            if blob is not None:
                self._base.execute("INSERT INTO outbox VALUES (?, 1)", (number,))

    def drop(self, numbers: Numbers) -> None:
        each = [(int(number),) for number in numbers]
        self._base.executemany(
            "INSERT OR REPLACE INTO outbox SELECT number, 0 FROM units WHERE number = ? AND vector NOT NULL", each
        )
        for statement in ("units WHERE number", "marks WHERE number", "words WHERE rowid"):
            self._base.executemany(f"DELETE FROM {statement} = ?", each)

    def settling(self) -> tuple[Numbers, Numbers]:
        """What the index is about to be told; see `settlings`."""
        added, dropped = self.outbox()
        if len(added) or len(dropped):
            with self.writing():
                self._base.execute("UPDATE ledger SET settlings = settlings + 1")
        return added, dropped

    def told(self, numbers: Iterable[int]) -> None:
        """The index knows of these now."""
        with self.writing():
            self._base.executemany("DELETE FROM outbox WHERE number = ?", [(int(number),) for number in numbers])

    # --- reading ---------------------------------------------------------------------------------------------------

    def numbers(self, where: Where = ALL) -> Numbers:
        """Of the units with a vector that count."""
        with self.reading():
            condition, values = _condition(where)
            found = self._base.execute(f"SELECT number FROM units WHERE vector NOT NULL AND {condition}", values).fetchall()
        return np.array([number for (number,) in found], np.int64)

    def numbers_of(self, ids: Sequence[str]) -> Numbers:
        return np.array([number for number, _ in self._each("number, id", "id", ids)], np.int64)

    def numbers_in(self, recording: str) -> Numbers:
        found = self._base.execute("SELECT number FROM units WHERE recording = ?", (recording,)).fetchall()
        return np.array([number for (number,) in found], np.int64)

    def settlings(self) -> int:
        """How often the index has begun to be told. The same before and after it was asked: it knew nothing too new."""
        with self.reading():
            return int(self._base.execute("SELECT settlings FROM ledger").fetchone()[0])

    def outbox(self) -> tuple[Numbers, Numbers]:
        """Numbers that the index must still be told to add, and to drop."""
        with self.reading():
            rows = self._base.execute("SELECT number, added FROM outbox ORDER BY number").fetchall()
        return tuple(np.array([n for n, added in rows if added == wanted], np.int64) for wanted in (1, 0))  # type: ignore[return-value]

    def untold(self, where: Where) -> tuple[Numbers, Vectors]:
        """Units that count and that the index does not know yet, with their vectors."""
        condition, values = _condition(where)
        with self.reading():
            query = f"SELECT number, vector FROM units JOIN outbox USING (number) WHERE {condition}"
            rows = self._base.execute(query, values).fetchall()
        return np.array([number for number, _ in rows], np.int64), self._matrix([blob for _, blob in rows])

    def rows(self, numbers: Sequence[int]) -> dict[int, Unit]:
        return {number: Unit.from_json(line) for number, line in self._each("number, unit", "number", [int(n) for n in numbers])}

    def full_rows(self, numbers: Sequence[int]) -> tuple[list[int], list[Unit], Vectors]:
        """Those of the numbers that are there, with their units and vectors."""
        found = list(self._each("number, unit, vector", "number", [int(n) for n in numbers]))
        return (
            [n for n, _, _ in found],
            [Unit.from_json(line) for _, line, _ in found],
            self._matrix([blob for *_, blob in found]),
        )

    def by_id(self, ids: Sequence[str]) -> dict[str, Unit]:
        return {one: Unit.from_json(line) for one, line in self._each("id, unit", "id", ids)}

    def scan(self, where: Where) -> Rows:
        condition, values = _condition(where)
        with self.reading():
            rows = self._base.execute(f"SELECT unit, vector FROM units WHERE {condition}", values).fetchall()
        return in_order([Unit.from_json(line) for line, _ in rows], self._matrix([blob for _, blob in rows]))

    def count(self, where: Where) -> int:
        condition, values = _condition(where)
        with self.reading():
            return int(self._base.execute(f"SELECT count(*) FROM units WHERE {condition}", values).fetchone()[0])

    def words(self, terms: Sequence[str], where: Where, k: int) -> list[tuple[Unit, float]]:
        """SQLite's own BM25 (k1 1.2, b 0.75), which it gives as negative numbers."""
        wanted = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms if term.strip() and "\0" not in term)
        if not wanted:
            return []
        condition, values = _condition(where)
        query = (
            f"SELECT unit, -rank FROM words JOIN units ON units.number = words.rowid WHERE words MATCH ? AND {condition}"
            " ORDER BY rank, number LIMIT ?"
        )
        with self.reading():
            return [(Unit.from_json(line), score) for line, score in self._base.execute(query, (wanted, *values, k))]

    def _each(self, columns: str, key: str, values: Sequence[str] | Sequence[int]) -> Iterator[tuple]:  # type: ignore[type-arg]
        for i in range(0, len(values), _AT_ONCE):
            some = values[i : i + _AT_ONCE]
            with self.reading():
                rows = self._base.execute(f"SELECT {columns} FROM units WHERE {key} IN ({_marks(some)})", some).fetchall()
            yield from rows

    def _matrix(self, blobs: Sequence[bytes | None]) -> Vectors:
        vectors = np.zeros((len(blobs), self._dimension), np.float32)
        for i, blob in enumerate(blobs):
            if blob is not None:
                vectors[i] = np.frombuffer(blob, np.float32)
        return vectors


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _condition(where: Where) -> tuple[str, list[str | float]]:
    """SQL with a mark for each value, and the values."""
    parts, values = ["1"], list[str | float]()
    for column, of in (("recording", where.recordings), ("kind", where.kinds)):
        if of:
            parts.append(f"{column} IN ({_marks(of)})")
            values += of
    for what, of in (("label", where.labels), ("speaker", where.speakers)):
        if of:
            parts.append(f"number IN (SELECT number FROM marks WHERE what = '{what}' AND value IN ({_marks(of)}))")
            values += of
    for column, limit in (("end >", where.after), ("start <", where.before)):
        if limit is not None:
            parts.append(f"{column} ?")
            values.append(limit)
    return " AND ".join(parts), values
