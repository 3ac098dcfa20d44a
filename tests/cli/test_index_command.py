"""`segmenter index`: what it says, its exit status, and what it leaves in the store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from indexed import segmentation
from typer.testing import CliRunner, Result
from wordy import word_tools

from segmenter.cli.app import app
from segmenter.errors import NotAFile, PackageMissing, SegmenterError, SettingsError
from segmenter.formats import segments_json
from segmenter.retrieval import indexing, tools
from segmenter.retrieval.stores import open_store, stamp_of


@pytest.fixture(autouse=True)
def without_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("faiss")
    monkeypatch.setattr(tools, "tools_of", lambda _: word_tools())


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The results of two recordings."""
    for name in ("r1", "r2"):
        (tmp_path / "out" / name).mkdir(parents=True)
        segments_json.write(segmentation(name, f"Meeting {name}"), tmp_path / "out" / name / "segments.json")
    return tmp_path / "out"


def index(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(app, ["index", *map(str, arguments)], catch_exceptions=False, env={"COLUMNS": "160"})
    assert result.exit_code == status, result.output
    return result


def held(store: Path) -> list[str]:
    opened = open_store(store)
    names = [unit.recording for unit in opened.recordings()]
    opened.close()
    return names


def test_people_get_a_table_and_machines_a_line_a_recording(out: Path, tmp_path: Path) -> None:
    shown = index(out, "--store", tmp_path / "s", "--backend", "faiss")
    assert shown.stdout.splitlines()[0].split() == ["recording", "units", "embedded", "written", "kept", "removed", "seconds"]
    assert "2 of 2 indexed" in shown.stderr
    rows = [json.loads(line) for line in index(out, "--store", tmp_path / "s", "--json", "-q").stdout.splitlines()]
    assert [(row["recording"], row["written"], row["embedded"]) for row in rows] == [("r1", 0, 0), ("r2", 0, 0)]
    assert all(row["kept"] == row["units"] > 0 for row in rows)
    assert held(tmp_path / "s") == ["r1", "r2"]
    assert index(out, "--store", tmp_path / "s", "-q").output == ""


def test_a_bad_folder_does_not_stop_the_others(out: Path, tmp_path: Path) -> None:
    (out / "r1" / "segments.json").write_text("[]")
    shown = index(tmp_path / "nothing", out, "--store", tmp_path / "s", "--backend", "faiss", status=1)
    assert "no folder of a run" in shown.stderr
    assert "is not a segmentation" in shown.stderr
    assert held(tmp_path / "s") == ["r2"]
    shown = index(tmp_path / "nothing", "--store", tmp_path / "s", "--json", status=1)
    errors = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [list(row) for row in errors] == [["path", "error"]]


def test_where_no_run_can_be_read_no_store_is_made(out: Path, tmp_path: Path) -> None:
    for name in ("r1", "r2"):
        (out / name / "segments.json").write_text("[]")
    shown = index(out, "--store", tmp_path / "s", "--backend", "faiss", status=1)
    assert shown.stderr.count("is not a segmentation") == 2
    assert not (tmp_path / "s").exists()


def test_recordings_are_listed_and_removed(out: Path, tmp_path: Path) -> None:
    index(out, "--store", tmp_path / "s", "--backend", "faiss")
    rows = [json.loads(line) for line in index("--store", tmp_path / "s", "--list", "--json").stdout.splitlines()]
    assert [row["id"] for row in rows] == ["r1", "r2"]
    assert rows[0]["units"]["sentence"] == 6
    assert rows[0]["folder"] == str(out / "r1")
    index("--store", tmp_path / "s", "--remove", "Meeting r1")
    assert held(tmp_path / "s") == ["r2"]
    assert "Meeting r2" in index("--store", tmp_path / "s", "--list").stdout
    with pytest.raises(SettingsError, match="no recording 'r1'"):
        index("--store", tmp_path / "s", "--remove", "r1")


def test_a_store_is_made_anew_from_what_it_holds_even_as_another_kind(out: Path, tmp_path: Path) -> None:
    pytest.importorskip("lancedb")
    index(out, "--store", tmp_path / "s", "--backend", "faiss")
    with pytest.raises(SettingsError, match=r"backend 'faiss', not 'lancedb'.*--rebuild"):
        index(out, "--store", tmp_path / "s", "--backend", "lancedb")
    index("--store", tmp_path / "s", "--backend", "lancedb", "--rebuild")
    assert stamp_of(tmp_path / "s").backend == "lancedb"
    assert held(tmp_path / "s") == ["r1", "r2"]
    assert sorted(entry.name for entry in (tmp_path / "s").glob("data-*")) == ["data-2"]


def test_a_rebuild_leaves_the_store_as_it_was_where_results_are_damaged(out: Path, tmp_path: Path) -> None:
    index(out, "--store", tmp_path / "s", "--backend", "faiss")
    (out / "r1" / "segments.json").write_text("[]")
    with pytest.raises(SegmenterError, match="as it was"):
        index("--store", tmp_path / "s", "--rebuild")
    assert held(tmp_path / "s") == ["r1", "r2"]


def test_a_rebuild_that_fails_leaves_the_store_as_it_was(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index(out, "--store", tmp_path / "s", "--backend", "faiss")
    monkeypatch.setattr("segmenter.retrieval.ledger_store.LedgerStore.settle", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        index("--store", tmp_path / "s", "--rebuild")
    assert held(tmp_path / "s") == ["r1", "r2"]


def test_what_was_done_before_an_interruption_stays(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = indexing.index

    def interrupted(folder: Path, **rest: Any) -> indexing.Indexed:
        if folder.name == "r2":
            raise KeyboardInterrupt
        return real(folder, **rest)

    monkeypatch.setattr(indexing, "index", interrupted)
    shown = index(out, "--store", tmp_path / "s", "--backend", "faiss", status=130)
    assert "interrupted: 1 of 2 recordings were indexed, and stay" in shown.stderr
    assert held(tmp_path / "s") == ["r1"]
    shown = index(out / "r2", "--store", tmp_path / "t", "--backend", "faiss", status=130)
    assert "interrupted: nothing was indexed" in shown.stderr
    shown = index("--store", tmp_path / "s", out, "--rebuild", status=130)
    assert "interrupted: the store is as it was" in shown.stderr


def test_two_runs_of_one_recording_count_once(out: Path, tmp_path: Path) -> None:
    (out / "r1-2").mkdir()
    segments_json.write(segmentation("r1", "Meeting r1"), out / "r1-2" / "segments.json")
    for _ in range(2):
        assert "another run of a recording" in index(out, "--store", tmp_path / "s", "--backend", "faiss").stderr
    assert held(tmp_path / "s") == ["r1", "r2"]


def test_wrong_use_is_told(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index("--store", tmp_path / "s", status=2)
    with pytest.raises(SettingsError, match="choose one of: lancedb"):
        index(out, "--store", tmp_path / "s", "--backend", "nothing")
    with pytest.raises(NotAFile, match="no store there"):
        index("--store", tmp_path / "s", "--list")
    with pytest.raises(NotAFile, match="other things"):
        index(out, "--store", out, "--backend", "faiss")
    monkeypatch.setattr("segmenter.table.find_spec", lambda _: None)
    with pytest.raises(PackageMissing, match=r"segmenter\[milvus\]"):
        index(out, "--store", tmp_path / "s", "--backend", "milvus")
