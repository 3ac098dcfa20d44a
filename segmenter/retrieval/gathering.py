"""What a question is scored against: the lines that count, with the parents that hold them.

Of a small store all of it. Of a large one, the recordings in which the vector and full-text indexes find the best
parents and lines; these are then scored exactly, so that no score hangs on how a back end approximates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from segmenter.retrieval.records import Rows, Unit, UnitKind, Where
from segmenter.retrieval.stores import Store

LINES: tuple[UnitKind, ...] = ("sentence", "event")
EXACT_LINES = 20_000  # fewer are all scored, in some tenths of a second
_SEEDS = 50  # parents and lines that each index is asked for; with ten .01 less was found over twenty meetings


class Place(NamedTuple):
    """Where a line or parent stands: by recording, then by time."""

    recording: str
    start: float
    end: float
    position: int


@dataclass(frozen=True)
class Gathered:
    """Lines in order of recording and time, and the parent of each as a row of `parents`."""

    lines: Sequence[Unit]
    vectors: NDArray[np.float32]
    parents: Rows
    owner: NDArray[np.intp]

    @property
    def recordings(self) -> NDArray[np.intp]:
        numbers = {name: i for i, name in enumerate(dict.fromkeys(line.recording for line in self.lines))}
        return np.array([numbers[line.recording] for line in self.lines], np.intp)

    @property
    def stretches(self) -> NDArray[np.intp]:
        """A number for each run of lines between which nothing is left out: a filter leaves holes."""
        positions = np.array([line.position for line in self.lines], np.intp)
        follows = (np.diff(positions) == 1) & (np.diff(self.recordings) == 0)
        return np.concatenate([np.zeros(min(1, len(positions)), np.intp), np.cumsum(~follows)])


def gather(store: Store, vector: NDArray[np.float32], terms: Sequence[str], where: Where) -> Gathered:
    """What counts for this question, for exact scoring."""
    lines = replace(where, kinds=tuple(kind for kind in where.kinds or LINES if kind in LINES))
    if not lines.kinds:
        return Gathered([], vector[None][:0], Rows([], vector[None][:0]), np.zeros(0, np.intp))
    if store.count(lines) > EXACT_LINES:
        lines = replace(lines, recordings=_promising(store, vector, terms, lines))
    return _arranged(store, lines)


def _promising(store: Store, vector: NDArray[np.float32], terms: Sequence[str], where: Where) -> tuple[str, ...]:
    """Recordings of the best parents and lines by either index, best first by their places, as many as are scored exactly."""
    found: dict[str, float] = {}
    for kinds in (("parent",), where.kinds):
        within = replace(where, kinds=kinds)
        for ranking in (store.nearest(vector, within, _SEEDS), store.words(terms, within, _SEEDS)):
            for place, scored in enumerate(ranking):
                found[scored.unit.recording] = found.get(scored.unit.recording, 0.0) + 1 / (60 + place)
    chosen: list[str] = []
    count = 0
    for recording in sorted(found, key=lambda one: (-found[one], one)):
        count += store.count(replace(where, recordings=(recording,)))
        if chosen and count > EXACT_LINES:
            break
        chosen.append(recording)
    return tuple(chosen)


def _arranged(store: Store, where: Where) -> Gathered:
    rows = store.scan(where)
    order = sorted(range(len(rows.units)), key=lambda i: _place(rows.units[i]))
    lines = [rows.units[i] for i in order]
    recordings = tuple(dict.fromkeys(line.recording for line in lines))
    parents = store.scan(Where(recordings=recordings, kinds=("parent",))) if recordings else Rows([], rows.vectors[:0])
    index = {unit.id: i for i, unit in enumerate(parents.units)}
    kept = [i for i, line in enumerate(lines) if line.parent in index]
    lines = [lines[i] for i in kept]
    owner = np.array([index[line.parent] for line in lines], np.intp)
    return Gathered(lines, rows.vectors[[order[i] for i in kept]], parents, owner)


def _place(unit: Unit) -> Place:
    return Place(unit.recording, unit.start, unit.end, unit.position)
