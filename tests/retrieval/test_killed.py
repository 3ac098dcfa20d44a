"""A store whose writers are killed, or write at the same time."""

from __future__ import annotations

import importlib.util
import multiprocessing
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from holdings import recording, stamp
from writer import NAMES, put, write

from segmenter.retrieval.records import Where
from segmenter.retrieval.stores import STORES, Store, open_store, writing

# After so many messages of the writer, and so many seconds more: before, within and after commits and settling
POINTS = ((1, 0.0), (1, 0.002), (2, 0.0), (3, 0.005), (5, 0.01), (7, 0.0), (9, 0.0), (9, 0.004), (10, 0.02), (12, 0.05))

# children are forked from a process that has the slow half of the imports behind it, and no threads yet
CHILDREN = multiprocessing.get_context("forkserver")
CHILDREN.set_forkserver_preload(["lance_namespace", "pyarrow.dataset", "numpy", "holdings", "writer"])

Said = list[tuple[str, str, int]]


def skip_without(backend: str) -> None:
    if not all(importlib.util.find_spec(package) for package in STORES[backend].packages):
        pytest.skip(f"the packages of {backend} are not installed")


@pytest.mark.parametrize(
    ("backend", "points"),
    # the ledger is the truth of the last three, and two of their indexes start slowly: ten points for it, some for each of these
    [("lancedb", POINTS), ("faiss", POINTS), ("chroma", POINTS[::5]), ("milvus", POINTS[::5])],
)
def test_killing_a_writer_loses_nothing_that_was_committed(
    backend: str, points: Sequence[tuple[int, float]], tmp_path: Path
) -> None:
    skip_without(backend)
    path, held = tmp_path / "store", dict.fromkeys(NAMES)
    seed = 0
    for messages, more_s in points:
        said = said_until_killed(backend, path, range(seed, seed + 500), messages, more_s)
        seed = said[-1][2] + 1
        with closing(open_store(path)) as store:
            held = {name: version(store, name, possible(said, name, was)) for name, was in held.items()}
    assert None not in held.values()
    with writing(path, stamp(backend)) as store:
        for name in NAMES:
            put(store, name, 1000)
        store.settle()
        assert [version(store, name, {1000}) for name in NAMES] == [1000] * len(NAMES)


def said_until_killed(backend: str, path: Path, seeds: range, messages: int, more_s: float) -> Said:
    """All that the writer said, after the moment at which it was to be killed too."""
    writer, heard = started(backend, path, seeds)
    said = [heard.recv() for _ in range(messages)]
    time.sleep(more_s)
    assert writer.is_alive()
    writer.kill()
    writer.join()
    return said + rest(heard)


def started(backend: str, path: Path, seeds: range) -> tuple[ForkServerProcess, Connection]:
    heard, say = CHILDREN.Pipe(duplex=False)
    process = CHILDREN.Process(target=write, args=(backend, path, seeds, say))
    process.start()
    say.close()
    return process, heard


def rest(heard: Connection) -> Said:
    said: Said = []
    try:
        while True:
            said.append(heard.recv())
    except EOFError:
        return said


def possible(said: Said, name: str, before: int | None) -> set[int | None]:
    """The versions that a recording may have: the last that was written for sure, and one that was being written."""
    done = [seed for word, one, seed in said if (word, one) == ("done", name)]
    begun = [seed for word, one, seed in said if (word, one) == ("begun", name)]
    return {done[-1] if done else before, *begun[len(done) :]}


def version(store: Store, name: str, versions: Iterable[int | None]) -> int | None:
    """Which of the versions of a recording the store holds, whole in rows, vectors and full text; None: nothing of it."""
    where = Where(recordings=(name,))
    held = [unit.as_json() for unit in store.scan(where).units]
    made = {seed: recording(name, 8 + 4 * (seed % 3), seed) for seed in versions if seed is not None}
    found = [seed for seed, (units, _) in made.items() if held == [unit.as_json() for unit in units]]
    if not held and None in versions:
        return None
    assert found, f"{name} is none of the versions {versions}: {held[:3]}"
    units, vectors = made[found[0]]
    embedded = [i for i, unit in enumerate(units) if unit.embedded]
    for i in embedded[::6]:
        best = store.nearest(vectors[i], where, 1)[0]
        assert best.unit == units[i]
        assert best.score == pytest.approx(1, abs=1e-5)
    assert len(store.nearest(vectors[0], where, 100)) == len(embedded)
    assert len(store.words(["say"], where, 100)) == sum(unit.kind == "sentence" for unit in units)
    return found[0]


@pytest.mark.parametrize("backend", ["lancedb", "faiss"])  # Chroma and Milvus Lite are made for one process at a time
def test_a_reader_meanwhile_sees_recordings_whole(backend: str, tmp_path: Path) -> None:
    skip_without(backend)
    with writing(tmp_path / "store", stamp(backend)):
        pass
    versions = [[unit.as_json() for unit in recording(NAMES[seed % 3], 8 + 4 * (seed % 3), seed)[0]] for seed in range(40)]
    seen = 0
    with closing(open_store(tmp_path / "store")) as store:
        writer, heard = started(backend, tmp_path / "store", range(40))
        while writer.is_alive():
            for number, name in enumerate(NAMES):
                held = [unit.as_json() for unit in store.scan(Where(recordings=(name,))).units]
                assert not held or held in versions[number::3]
                seen += bool(held)
                assert len(store.nearest(recording(name)[1][0], k=3)) in (0, 3)
    writer.join()
    assert writer.exitcode == 0
    assert seen
    heard.close()


@pytest.mark.parametrize("backend", list(STORES))
def test_two_writers_at_once_corrupt_nothing(backend: str, tmp_path: Path) -> None:
    skip_without(backend)
    both = [started(backend, tmp_path / "store", seeds) for seeds in (range(8), range(100, 107))]
    said = [rest(heard) for _, heard in both]
    for process, _ in both:
        process.join()
    assert [process.exitcode for process, _ in both] == [0, 0]
    assert [sum(word == "done" for word, *_ in of_one) for of_one in said] == [8, 7]
    with closing(open_store(tmp_path / "store")) as store:
        for name in NAMES:
            version(store, name, {seed for of_one in said for seed in possible(of_one, name, None)})
        assert {unit.recording for unit in store.scan().units} == set(NAMES)
