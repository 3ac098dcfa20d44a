"""Finished runs into a store: only what changed is embedded and written, and what is gone is taken away."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from segmenter.errors import BadInput, SegmenterError
from segmenter.formats import segments_json
from segmenter.formats.folder import finished
from segmenter.records import Segmentation
from segmenter.retrieval.records import Rows, Unit, Where
from segmenter.retrieval.stores import Stamp, Store, Vectors
from segmenter.retrieval.tools import Tools
from segmenter.retrieval.units import units_of
from segmenter.settings import RetrievalSettings, Settings


class Repeated(BadInput):
    """Two runs of one recording: a store holds one of them."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """What indexing one recording did, in units, and how long it took.

    `embedded` counts texts whose vectors the store did not have; those that the topics have had made before come from the
    embedder's memory.
    """

    recording: str
    name: str
    units: int
    embedded: int
    written: int
    kept: int
    removed: int
    seconds: float
    stills: int = 0  # that words can find


class Change(NamedTuple):
    """What bringing a recording up to date came to, in units."""

    units: int
    embedded: int
    written: int
    kept: int
    removed: int


Stills = Callable[[str, Sequence[Unit], Path], int]  # puts a recording's stills where words find them: how many


def stamp_for(settings: Settings, tools: Tools, backend: str, address: str = "") -> Stamp:
    """What a store of these settings is made with."""
    topics = settings.topics
    version = tools.model.sha256 if tools.model else f"{topics.server_url} {topics.server_embedder}"
    dimension = tools.embedder.embed(["How long is a vector?"]).shape[1]
    return Stamp(backend, topics.embedder, version, dimension, settings.retrieval.representation, address)


def results(folders: Iterable[str | Path]) -> Iterator[Path]:
    """The folders of finished runs in these, each once; they may be such themselves, or hold some at any depth.

    Raises:
        NotAFile: no folder, or none of a finished run in it.
    """
    met: set[Path] = set()
    for folder in map(Path, folders):
        found = [run.resolve() for run in finished(folder)]
        yield from (one for one in found if one not in met)
        met.update(found)


def index(
    folder: Path,
    store: Store,
    tools: Tools,
    settings: RetrievalSettings,
    taken: Container[str] = (),
    stills: Stills | None = None,
) -> Indexed:
    """The run in `folder` into the store, in one commit, where its recording (id) is none of those `taken`.

    Raises:
        BadInput: the results, or a still, cannot be read.
        Repeated: they are of a recording that is taken.
    """
    began = time.perf_counter()
    found = segments_json.read(folder / segments_json.NAME)
    recording = found.recording.id
    if recording in taken:
        raise Repeated("left out: another run of a recording that was indexed just now", path=folder)
    units = units_of(found, tools.pieces, settings, folder)
    change = update(store, recording, units, tools.embedder.embed)
    shown = stills(recording, units, folder) if stills else 0
    return Indexed(recording, _name(found), *change, time.perf_counter() - began, shown)


def _name(found: Segmentation) -> str:
    return found.recording.title or Path(found.recording.path).name


def update(store: Store, recording: str, units: Sequence[Unit], embed: Callable[[list[str]], Vectors]) -> Change:
    """Makes these the recording's units in the store; only what is new is embedded and written."""
    held = store.scan(Where(recordings=(recording,)))
    before = {unit.id: unit.as_json() for unit in held.units}
    changed = [unit for unit in units if before.get(unit.id) != unit.as_json()]
    gone = sorted(before.keys() - {unit.id for unit in units})
    vectors, embedded = _vectors(changed, held, embed, store.stamp.dimension)
    if changed or gone:
        store.write(recording, changed, vectors, gone)
    return Change(len(units), embedded, len(changed), len(units) - len(changed), len(gone))


def _vectors(units: Sequence[Unit], held: Rows, embed: Callable[[list[str]], Vectors], dimension: int) -> tuple[Vectors, int]:
    """A row for each unit, and how many had to be embedded: the store may hold the same text under another span."""
    known = {unit.embedded: vector for unit, vector in zip(held.units, held.vectors, strict=True)}
    missing = list(dict.fromkeys(unit.embedded for unit in units if unit.embedded and unit.embedded not in known))
    if missing:
        known.update(zip(missing, embed(missing), strict=True))
    nothing = np.zeros(dimension, np.float32)
    rows = [known[unit.embedded] if unit.embedded else nothing for unit in units]
    return np.stack(rows) if rows else np.empty((0, dimension), np.float32), len(missing)


def folders_of(store: Store) -> list[Path]:
    """Where the results lie that the store was made of.

    Raises:
        SegmenterError: some are gone, so that it cannot be made anew from them.
    """
    folders = [Path(str(unit.extra.get("folder", ""))) for unit in store.recordings()]
    if lost := [folder for folder in folders if not (folder / segments_json.NAME).is_file()]:
        what = f"{len(lost)} of its {len(folders)} results are gone"
        raise SegmenterError(what, path=lost[0], hint="name the folders to index")
    return folders
