"""Stills found by words, with a real CLIP of one layer, in every store."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from indexed import SETTINGS
from numpy.typing import NDArray
from PIL import Image
from tiny_clip import COLOURS, clip, make_run, run_folder
from wordy import DIMENSION, word_tools

from segmenter.errors import BadInput, ModelMissing, SettingsError
from segmenter.retrieval import pictures
from segmenter.retrieval.indexing import Indexed, index
from segmenter.retrieval.pictures import PictureEmbedder, StillFinder
from segmenter.retrieval.records import Where
from segmenter.retrieval.stores import STORES, Stamp, stamp_of, writing

__all__ = ["clip", "run_folder"]


@pytest.fixture(params=list(STORES))
def backend(request: pytest.FixtureRequest) -> str:
    if not all(importlib.util.find_spec(package) for package in STORES[request.param].packages):
        pytest.skip(f"the packages of {request.param} are not installed")
    return str(request.param)


def put(store: Path, clip: str, *folders: Path, backend: str = "faiss", anew: bool = False) -> list[Indexed]:
    """As `segmenter index --pictures` does."""
    pytest.importorskip(STORES[backend].packages[0])
    text, model = Stamp(backend, "words", "1", DIMENSION), pictures.wanted_for(store, clip)
    with writing(store, text, anew=anew) as made, pictures.keeping(store, model, text, anew) as stills:
        return [index(folder, made, word_tools(), SETTINGS, stills=stills) for folder in folders]


def test_words_and_pictures_lie_in_one_space(clip: str, run_folder: Path) -> None:
    embedder = PictureEmbedder(clip)
    texts = embedder.texts(["a cat", "a dog"])
    found = embedder.pictures([run_folder / "stills" / name for name in COLOURS])
    assert (texts.shape, found.shape) == ((2, 16), (3, 16))
    assert np.linalg.norm([*texts, *found], axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    assert not np.allclose(found[0], found[1])
    assert embedder.pictures([]).shape == (0, 16)


def test_every_store_finds_each_picture_once_and_best_first(clip: str, run_folder: Path, tmp_path: Path, backend: str) -> None:
    [done] = put(tmp_path / "s", clip, run_folder, backend=backend)
    assert done.stills == 3
    embedder = PictureEmbedder(clip)
    cosines = embedder.pictures([run_folder / "stills" / name for name in COLOURS]) @ embedder.texts(["a cat"])[0]
    with StillFinder(tmp_path / "s") as finder:
        hits = finder.search("a cat")
    assert [hit.still for hit in hits] == [f"stills/{list(COLOURS)[i]}" for i in np.argsort(-cosines)]
    assert [hit.score for hit in hits] == pytest.approx(sorted(cosines, reverse=True), abs=1e-5)


def test_a_hit_is_a_moment_and_says_what_is_in_view(clip: str, run_folder: Path, tmp_path: Path) -> None:
    put(tmp_path / "s", clip, run_folder)
    with StillFinder(tmp_path / "s") as finder:
        by_still = {hit.still: hit for hit in finder.search("a cat")}
    track, event, said = (by_still[f"stills/{name}"] for name in reversed(COLOURS))
    assert (track.start, track.end, track.labels, track.tracks, track.text) == (61.1, 61.1, ("car",), (3,), "car")
    assert (event.best, event.text, event.chunk) == (61.0, "2 people, 1 car, 14 s", "r1-30000")
    assert event.link == f"{run_folder.as_posix()}/report.html#t=61"
    assert (said.speakers, said.labels, said.chunk, said.title) == (("Ben",), (), "r1-0", "Meeting r1")


def test_filters_narrow_stills_too(clip: str, run_folder: Path, tmp_path: Path) -> None:
    put(tmp_path / "s", clip, run_folder, make_run(tmp_path / "out" / "r2", "r2"))
    with StillFinder(tmp_path / "s") as finder:
        assert {hit.best for hit in finder.search("x", Where(labels=("person",)))} == {61.0}
        assert {hit.best for hit in finder.search("x", Where(speakers=("Ben",)))} == {5.0}
        assert [hit.best for hit in finder.search("x", Where(recordings=("r2",), after=61.05))] == [61.1]
        assert len(finder.search("x", most=4)) == 4
        with pytest.raises(SettingsError, match="empty"):
            finder.search(" ")


def test_only_pictures_that_changed_are_embedded(
    clip: str, run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Path] = []
    real = PictureEmbedder.pictures

    def looking(self: PictureEmbedder, paths: Sequence[Path]) -> NDArray[np.float32]:
        looked.extend(paths)
        return real(self, paths)

    monkeypatch.setattr(PictureEmbedder, "pictures", looking)
    for _ in range(2):
        put(tmp_path / "s", clip, run_folder)
        assert len(looked) == 3
    Image.new("RGB", (64, 48), "white").save(run_folder / "stills" / "chunk-0001.jpg")
    put(tmp_path / "s", clip, run_folder)
    assert [path.name for path in looked[3:]] == ["chunk-0001.jpg"]


def test_a_still_that_is_gone_leaves_the_store_and_so_does_a_recording(clip: str, run_folder: Path, tmp_path: Path) -> None:
    put(tmp_path / "s", clip, run_folder)
    (run_folder / "stills" / "event-0001.jpg").unlink()
    assert put(tmp_path / "s", clip, run_folder)[0].stills == 2
    with StillFinder(tmp_path / "s") as finder:
        assert len(finder.search("x")) == 2
    pictures.remove(tmp_path / "s", ["r1"])
    with StillFinder(tmp_path / "s") as finder:
        assert finder.search("x") == []


def test_a_damaged_still_is_named(clip: str, run_folder: Path, tmp_path: Path) -> None:
    (run_folder / "stills" / "chunk-0001.jpg").write_bytes(b"no picture")
    with pytest.raises(BadInput, match=r"chunk-0001.*segmenter report"):
        put(tmp_path / "s", clip, run_folder)


def test_a_store_keeps_its_picture_model(clip: str, run_folder: Path, tmp_path: Path) -> None:
    put(tmp_path / "s", clip, run_folder)
    kept = pictures.wanted_for(tmp_path / "s", None)
    assert kept is not None
    assert kept.sha256 == stamp_of(pictures.place_of(tmp_path / "s")).version
    assert pictures.wanted_for(tmp_path / "t", None) is None


def test_other_weights_are_refused_until_the_store_is_made_anew(clip: str, run_folder: Path, tmp_path: Path) -> None:
    other = shutil.copytree(clip, tmp_path / "other")
    put(tmp_path / "s", str(other), run_folder)
    with (other / "model.safetensors").open("r+b") as file:
        file.seek(-4, 2)
        file.write(b"\0\0\0\0")
    with pytest.raises(SettingsError, match=r"other weights.*--rebuild"):
        StillFinder(tmp_path / "s")
    with pytest.raises(SettingsError, match=r"version.*--rebuild"):
        put(tmp_path / "s", str(other), run_folder)
    put(tmp_path / "s", str(other), run_folder, anew=True)
    with StillFinder(tmp_path / "s") as finder:
        assert len(finder.search("x")) == 3


def test_what_is_missing_is_told(tmp_path: Path, run_folder: Path) -> None:
    with pytest.raises(ModelMissing, match="CLIP or SigLIP"):
        pictures.located(str(tmp_path / "nowhere"))
    pytest.importorskip("faiss")
    text = Stamp("faiss", "words", "1", DIMENSION)
    with writing(tmp_path / "s", text) as made:
        index(run_folder, made, word_tools(), SETTINGS)
    with pytest.raises(SettingsError, match="--pictures MODEL"):
        StillFinder(tmp_path / "s")


def test_a_model_may_lie_in_the_users_folder_of_weights(clip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGMENTER_MODELS", str(Path(clip).parent))
    assert pictures.located(Path(clip).name).sha256 == pictures.located(clip).sha256
