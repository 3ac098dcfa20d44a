"""Indexing finished runs: what is embedded and written the first time, again, and after a change."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from holdings import dump
from indexed import SETTINGS, segmentation
from numpy.typing import NDArray
from wordy import DIMENSION, WordEmbedder, word_count

from segmenter.errors import BadInput, NotAFile, SegmenterError
from segmenter.formats import segments_json
from segmenter.records import Segmentation
from segmenter.retrieval.indexing import Repeated, folders_of, index, results
from segmenter.retrieval.records import Where
from segmenter.retrieval.stores import STORES, Stamp, writing
from segmenter.retrieval.tools import Tools


class Counting(WordEmbedder):
    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return super().embed(texts)


@pytest.fixture(params=list(STORES))
def stamp(request: pytest.FixtureRequest) -> Stamp:
    if not all(importlib.util.find_spec(package) for package in STORES[request.param].packages):
        pytest.skip(f"the packages of {request.param} are not installed")
    return Stamp(request.param, "words", "1", DIMENSION)


def run(folder: Path, found: Segmentation | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    segments_json.write(found or segmentation(folder.name), folder / "segments.json")
    return folder


def tools() -> tuple[Tools, Counting]:
    embedder = Counting()
    return Tools(embedder, word_count), embedder


def tree(folder: Path) -> dict[str, str]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {str(file.relative_to(folder)): sha256(file.read_bytes()).hexdigest() for file in files}


def test_indexing_again_embeds_nothing_and_leaves_every_file_as_it_is(stamp: Stamp, tmp_path: Path) -> None:
    folder, (made, embedder) = run(tmp_path / "r1"), tools()
    with writing(tmp_path / "store", stamp) as store:
        first = index(folder, store, made, SETTINGS)
        store.settle()
    assert (first.written, first.kept, first.removed) == (first.units, 0, 0)
    assert first.embedded == len(set(embedder.texts)) == len(embedder.texts)
    before = tree(tmp_path / "store")
    embedder.texts.clear()
    with writing(tmp_path / "store", stamp) as store:
        again = index(folder, store, made, SETTINGS)
        store.settle()
        held = dump(store)
    assert (again.embedded, again.written, again.kept, again.removed) == (0, 0, first.units, 0)
    assert embedder.texts == []
    if stamp.backend != "chroma":  # it writes to a file of its own whenever it is opened
        assert tree(tmp_path / "store") == before
    with writing(tmp_path / "other", stamp) as store:
        index(folder, store, made, SETTINGS)
        assert dump(store) == held


def test_a_change_costs_what_changed(stamp: Stamp, tmp_path: Path) -> None:
    """One sentence says something else: it and its parent are embedded; the chunk that shows it is written too."""
    folder, (made, embedder) = run(tmp_path / "r1"), tools()
    found = segmentation("r1")
    changed = replace(found.sentences[4], text="They cut the travel money by two thirds.")
    sentences = (*found.sentences[:4], changed, found.sentences[5])
    with writing(tmp_path / "store", stamp) as store:
        index(folder, store, made, SETTINGS)
        embedder.texts.clear()
        run(folder, replace(found, sentences=sentences))
        done = index(folder, store, made, SETTINGS)
        assert changed.text in embedder.texts
        assert done.embedded == len(embedder.texts) == 2
        assert done.written == 2
        near = store.nearest(made.embedder.embed([changed.text])[0], Where(kinds=("sentence",)), 1)
        assert near[0].unit.text == changed.text
        after = dump(store)
    with writing(tmp_path / "fresh", stamp) as store:
        index(folder, store, made, SETTINGS)
        assert dump(store) == after


def test_what_is_gone_is_taken_away_and_a_moved_text_keeps_its_vector(stamp: Stamp, tmp_path: Path) -> None:
    folder, (made, embedder) = run(tmp_path / "r1"), tools()
    found = segmentation("r1")
    later = tuple(replace(s, start=s.start + 0.5, end=s.end + 0.5) for s in found.sentences)
    with writing(tmp_path / "store", stamp) as store:
        index(folder, store, made, SETTINGS)
        embedder.texts.clear()
        run(folder, replace(found, sentences=later, events=()))
        done = index(folder, store, made, SETTINGS)
        assert done.removed >= len(later) + 1
        assert not store.count(Where(kinds=("event",)))
        assert [unit.start for unit in store.scan(Where(kinds=("sentence",))).units] == [s.start for s in later]
        assert not set(embedder.texts) & {s.text for s in later}


@pytest.mark.skipif(not importlib.util.find_spec("faiss"), reason="faiss is not installed")
def test_a_second_run_of_a_recording_and_damaged_results_are_told(tmp_path: Path) -> None:
    made, _ = tools()
    with writing(tmp_path / "store", Stamp("faiss", "words", "1", DIMENSION)) as store:
        index(run(tmp_path / "r1"), store, made, SETTINGS)
        with pytest.raises(Repeated, match="another run"):
            index(run(tmp_path / "copy", segmentation("r1")), store, made, SETTINGS, {"r1"})
        (tmp_path / "bad").mkdir()
        (tmp_path / "bad" / "segments.json").write_text("{}")
        with pytest.raises(BadInput, match="not a segmentation"):
            index(tmp_path / "bad", store, made, SETTINGS)
        assert folders_of(store) == [tmp_path / "r1"]
        (tmp_path / "r1" / "segments.json").unlink()
        with pytest.raises(SegmenterError, match="1 of its 1 results are gone"):
            folders_of(store)


def test_results_are_found_at_any_depth_and_once(tmp_path: Path) -> None:
    one, two = run(tmp_path / "a" / "one"), run(tmp_path / "b" / "c" / "two")
    run(tmp_path / "a" / ".segmenter-new-three")  # a run is writing it, or was killed
    assert list(results([tmp_path, one, two])) == [one, two]
    (tmp_path / "empty").mkdir()
    for nothing in (tmp_path / "empty", tmp_path / "missing"):
        with pytest.raises(NotAFile, match=r"no results|no folder of a run"):
            list(results([nothing]))
