"""What a store holds and how it is asked: units, a filter over them, and what comes back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from math import isfinite
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

UnitKind = Literal["recording", "chunk", "parent", "sentence", "event", "still"]
KINDS: tuple[UnitKind, ...] = get_args(UnitKind)


@dataclass(frozen=True, slots=True)
class Unit:
    """One row of a store: something of a recording that can be found, or shown for what was found.

    `parent`s are fixed passages of whole sentences, `sentence`s and `event`s their children; `chunk`s are what people
    read, kept so that a hit can name the one that holds it; `still`s are pictures taken within chunks. One `recording`
    row stands for the whole: its text is the title, its `extra` says path, folder and duration.
    """

    id: str  # recording, kind and span, see `unit_id`: the same for the same passage in every run
    recording: str  # the recording's id, a hash of its content
    kind: UnitKind
    start: float  # seconds on the recording's clock, [start, end)
    end: float
    position: int  # 0, 1, ... among the recording's units of this kind, in time
    text: str  # what is shown
    embedded: str = ""  # what the vector is made of; empty: the unit has no vector and is never nearest to anything
    terms: str = ""  # what the full-text index holds: stems, blanks between them; empty: no words find it
    tokens: int = 0  # word pieces of `text`, what it costs in a prompt
    parent: str = ""  # id of the parent that holds it
    chunk: str = ""  # id of the `chunk` unit that holds its middle
    language: str = ""
    speakers: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)  # whatever JSON can hold

    def __post_init__(self) -> None:
        if not (isfinite(self.start) and isfinite(self.end) and 0 <= self.start <= self.end):
            raise ValueError(f"Unit: 0 <= start <= end does not hold for [{self.start}, {self.end}]")
        if self.kind not in KINDS:
            raise ValueError(f"Unit: there is no kind {self.kind!r}")

    def as_json(self) -> str:
        """The unit as one line of ASCII, the same for equal units."""
        data = {**asdict(self), "start": float(self.start), "end": float(self.end)}
        return json.dumps(data, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))

    @staticmethod
    def from_json(line: str) -> Unit:
        data = json.loads(line)
        return Unit(**{**data, "speakers": tuple(data["speakers"]), "labels": tuple(data["labels"])})


FIELDS: tuple[str, ...] = tuple(one.name for one in fields(Unit))


def unit_id(recording: str, kind: UnitKind, start: float, end: float, number: int = 0) -> str:
    """`number` tells units of one kind and span apart."""
    span = f"{round(start * 1000)}-{round(end * 1000)}"
    return f"{recording}:{kind}:{span}" + (f":{number}" if number else "")


class Identified:
    """Ids of units, of which no two are the same even where kind and span are."""

    def __init__(self) -> None:
        self._met: Counter[str] = Counter()

    def __call__(self, recording: str, kind: UnitKind, start: float, end: float) -> str:
        plain = unit_id(recording, kind, start, end)
        self._met[plain] += 1
        return unit_id(recording, kind, start, end, self._met[plain] - 1)


@dataclass(frozen=True, slots=True)
class Where:
    """Which units count. Each field narrows; an empty one does not. Strings are compared whole and are only data."""

    recordings: tuple[str, ...] = ()  # of any of these recordings (ids)
    kinds: tuple[UnitKind, ...] = ()  # of any of these kinds
    labels: tuple[str, ...] = ()  # with any of these labels
    speakers: tuple[str, ...] = ()  # with any of these speakers
    after: float | None = None  # not over by then: end > after
    before: float | None = None  # begun by then: start < before


ALL = Where()


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit that was found. `score` is the cosine, or the BM25 score of the store at hand."""

    unit: Unit
    score: float


@dataclass(frozen=True, slots=True)
class Rows:
    """Units in order (recording, kind, position) and their vectors, shape (len(units), dimension); zeros where there is none."""

    units: Sequence[Unit]
    vectors: NDArray[np.float32]


def in_order(units: Sequence[Unit], vectors: NDArray[np.float32]) -> Rows:
    """Units and their vectors by recording, kind and position."""
    order = sorted(
        range(len(units)), key=lambda i: (units[i].recording, KINDS.index(units[i].kind), units[i].position, units[i].id)
    )
    return Rows([units[i] for i in order], vectors[order])
