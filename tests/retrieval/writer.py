"""A process that writes into a store and says before and after each commit what it does: it is there to be killed."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path

from holdings import recording, stamp

from segmenter.retrieval.records import Where
from segmenter.retrieval.stores import Store, writing

NAMES = ("aa", "bb", "cc")


def put(store: Store, name: str, seed: int) -> None:
    """The version `seed` of a recording; versions differ in text, vectors and length."""
    units, vectors = recording(name, 8 + 4 * (seed % 3), seed)
    before = {unit.id for unit in store.scan(Where(recordings=(name,))).units}
    store.write(name, units, vectors, sorted(before - {unit.id for unit in units}))


def write(backend: str, path: Path, seeds: range, heard: Connection) -> None:
    with writing(path, stamp(backend)) as store:
        for seed in seeds:
            name = NAMES[seed % len(NAMES)]
            heard.send(("begun", name, seed))
            put(store, name, seed)
            heard.send(("done", name, seed))
            if seed % 4 == 3:
                heard.send(("settling", name, seed))
                store.settle()
