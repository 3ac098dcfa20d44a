"""`segmenter index --pictures` and `segmenter search --kind still`, with a real CLIP of one layer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny_clip import clip, make_run, run_folder
from typer.testing import CliRunner, Result
from wordy import word_tools

from segmenter.cli.app import app
from segmenter.errors import ModelMissing, SettingsError
from segmenter.retrieval import finder, tools

__all__ = ["clip", "run_folder"]


@pytest.fixture(autouse=True)
def without_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("faiss")
    for module in (tools, finder):
        monkeypatch.setattr(module, "tools_of", lambda _: word_tools())


def segmenter(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False, env={"COLUMNS": "200"})
    assert result.exit_code == status, result.output
    return result


@pytest.fixture
def store(clip: str, run_folder: Path, tmp_path: Path) -> Path:
    segmenter("index", run_folder, "--store", tmp_path / "s", "--backend", "faiss", "--pictures", clip, "-q")
    return tmp_path / "s"


def test_stills_are_counted_and_kept_up_to_date_without_asking_again(store: Path, tmp_path: Path) -> None:
    second = make_run(tmp_path / "out" / "r2", "r2")
    [row] = map(json.loads, segmenter("index", second, "--store", store, "--json").stdout.splitlines())
    assert row["stills"] == 3
    assert segmenter("index", second, "--store", store).stdout.split()[6] == "stills"
    found = json.loads(segmenter("search", "a cat", "--store", store, "--kind", "still", "--json").stdout)["hits"]
    assert {hit["recording"] for hit in found} == {"r1", "r2"}


def test_words_are_indexed_where_the_model_of_the_stills_is_gone(store: Path, clip: str, tmp_path: Path) -> None:
    away = Path(clip).rename(tmp_path / "away")
    try:
        done = segmenter("index", make_run(tmp_path / "out" / "r2", "r2"), "--store", store)
    finally:
        away.rename(clip)
    assert "the stills in it stay as they are" in done.stderr
    found = json.loads(segmenter("search", "pump", "--store", store, "--json").stdout)["hits"]
    assert {hit["recording"] for hit in found} == {"r1", "r2"}


def test_a_recording_that_is_taken_out_takes_its_stills_with_it(store: Path, tmp_path: Path) -> None:
    segmenter("index", make_run(tmp_path / "out" / "r2", "r2"), "--store", store)
    segmenter("index", "--store", store, "--remove", "r1")
    found = json.loads(segmenter("search", "a cat", "--store", store, "--kind", "still", "--json").stdout)["hits"]
    assert {hit["recording"] for hit in found} == {"r2"}


def test_a_store_that_is_made_anew_still_has_its_stills(store: Path) -> None:
    segmenter("index", "--store", store, "--rebuild")
    assert "3 stills" in segmenter("search", "a cat", "--store", store, "--kind", "still").stdout


def test_people_see_the_moment_what_is_in_view_and_where_the_picture_is(store: Path) -> None:
    shown = segmenter("search", "a cat", "--store", store, "--kind", "still", "--label", "car", "-k", "1").stdout
    assert "1  Meeting r1  1:01 " in shown
    assert "1:01  [" in shown
    assert f"in view: {'car' if 'track' in shown else 'person, car'}" in shown
    assert "picture: " in shown
    assert "1 still\n" in shown


def test_passages_of_the_same_store_are_found_as_ever(store: Path) -> None:
    found = json.loads(segmenter("search", "pump", "--store", store, "--json").stdout)["hits"]
    assert {line["kind"] for hit in found for line in hit["lines"]} <= {"sentence", "event"}
    assert found[0]["still"] == "stills/chunk-0001.jpg"


def test_wrong_use_is_told(store: Path, run_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="stills are searched alone"):
        segmenter("search", "x", "--store", store, "--kind", "still", "--kind", "event")
    with pytest.raises(ModelMissing, match="CLIP or SigLIP"):
        segmenter("index", run_folder, "--store", tmp_path / "t", "--pictures", tmp_path)
    assert not (tmp_path / "t").exists()
    segmenter("index", run_folder, "--store", tmp_path / "t", "--backend", "faiss")
    with pytest.raises(SettingsError, match="--pictures MODEL"):
        segmenter("search", "x", "--store", tmp_path / "t", "--kind", "still")
