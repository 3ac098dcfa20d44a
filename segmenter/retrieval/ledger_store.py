"""A store of two parts: a ledger, which is the truth, and a vector index that follows it.

What the index has not been told yet is searched one by one, so that nothing that is found depends on how far it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from segmenter.retrieval.ledger import Ledger, Numbers
from segmenter.retrieval.records import ALL, Rows, Scored, Unit, Where
from segmenter.retrieval.stores import Stamp, Vectors

_UNTOLD = 20_000  # more in the outbox would make searching slow; 5,000 at a time keep the index's memory small
_AT_ONCE = 5_000
_TRIES = 10


class VectorIndex(Protocol):
    """Vectors by number, with what they may be filtered by. It may be behind the ledger, and may do things twice."""

    def add(self, numbers: Sequence[int], units: Sequence[Unit], vectors: Vectors) -> None:
        """Adds vectors, or puts them in place of those of the same numbers."""

    def drop(self, numbers: Sequence[int]) -> None:
        """Takes vectors away; they need not be there."""

    def flush(self) -> None:
        """What was added and dropped outlives the process from here on."""

    def nearest(self, vector: NDArray[np.float32], where: Where, k: int) -> list[tuple[int, float]]:
        """At most `k` numbers of units that count, with their cosines, best first."""

    def close(self) -> None:
        """Lets go of files and connections."""


class LedgerStore:
    """See the protocol of stores for what the methods do."""

    def __init__(self, ledger: Ledger, index: VectorIndex, stamp: Stamp) -> None:
        self._ledger, self._index, self.stamp = ledger, index, stamp

    def write(self, recording: str, units: Sequence[Unit], vectors: Vectors, gone: Sequence[str] = ()) -> None:
        del recording  # the ids say it
        with self._ledger.writing():
            self._ledger.drop(self._ledger.numbers_of([*gone, *(unit.id for unit in units)]))
            self._ledger.put(units, vectors)
        if sum(map(len, self._ledger.outbox())) > _UNTOLD:
            self.settle()

    def remove(self, recording: str) -> None:
        with self._ledger.writing():
            self._ledger.drop(self._ledger.numbers_in(recording))

    def recordings(self) -> tuple[Unit, ...]:
        return tuple(self.scan(Where(kinds=("recording",))).units)

    def units(self, ids: Sequence[str]) -> list[Unit]:
        found = self._ledger.by_id(ids)
        return [found[one] for one in ids if one in found]

    def scan(self, where: Where = ALL) -> Rows:
        return self._ledger.scan(where)

    def count(self, where: Where = ALL) -> int:
        return self._ledger.count(where)

    def nearest(self, vector: NDArray[np.float32], where: Where = ALL, k: int = 10) -> list[Scored]:
        for _ in range(_TRIES):
            with self._ledger.reading():
                settlings = self._ledger.settlings()
                found = self._nearest(vector, where, k)
            if self._ledger.settlings() == settlings:
                break  # else the index knew already what the ledger's state that was read did not
        return found

    def _nearest(self, vector: NDArray[np.float32], where: Where, k: int) -> list[Scored]:
        _, dropped = self._ledger.outbox()
        untold, vectors = self._ledger.untold(where)
        cosines = dict(self._index.nearest(vector, where, k + len(dropped)))
        cosines.update(zip(untold.tolist(), (vectors @ np.asarray(vector, np.float32)).tolist(), strict=True))
        best = sorted(cosines, key=lambda number: (-cosines[number], number))
        units = self._ledger.rows(best[: k + len(dropped)])
        return [Scored(units[number], cosines[number]) for number in best if number in units][:k]

    def words(self, terms: Sequence[str], where: Where = ALL, k: int = 10) -> list[Scored]:
        return [Scored(unit, score) for unit, score in self._ledger.words(terms, where, k)]

    def settle(self) -> None:
        """Tells the index what is in the outbox; only what it has for sure leaves it."""
        added, dropped = self._ledger.settling()
        for numbers in _parts(dropped):
            self._index.drop(numbers)
        for numbers in _parts(added):
            self._index.add(*self._ledger.full_rows(numbers))
        if len(added) or len(dropped):
            self._index.flush()
            self._ledger.told([*added, *dropped])

    def close(self) -> None:
        self._index.close()
        self._ledger.close()


def _parts(numbers: Numbers) -> list[list[int]]:
    return [numbers[i : i + _AT_ONCE].tolist() for i in range(0, len(numbers), _AT_ONCE)]
