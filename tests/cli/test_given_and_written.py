"""What commands are given, finished runs at any depth, and what they may write."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from test_run import SILENT, make_video, segmenter
from typer.testing import CliRunner

from segmenter.cli.app import app
from segmenter.errors import SettingsError
from segmenter.formats import folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `segments/east` and `segments/west`, an event in each."""
    place = tmp_path_factory.mktemp("runs")
    for name in ("east", "west"):
        make_video(place / f"{name}.mp4", 10, (4, 7))
    done = segmenter("run", "east.mp4", "west.mp4", *SILENT, "--no-report", cwd=place)
    assert done.returncode == 0, done.stderr
    return place


@pytest.mark.parametrize(
    ("words", "made"),
    [
        (["report"], "report.html"),
        (["clips", "--mode", "copy"], "clips/clips.json"),
        (["export", "--format", "events-csv"], "events.csv"),
    ],
)
def test_a_folder_of_runs_stands_for_each_of_them(runs: Path, words: list[str], made: str) -> None:
    done = segmenter(words[0], "segments", "segments/west", *words[1:], cwd=runs)
    assert done.returncode == 0, done.stderr
    assert all((runs / "segments" / name / made).is_file() for name in ("east", "west"))
    named = [line.split("/")[1] for line in done.stdout.splitlines()]
    assert named == ["east", "west"]  # each once, and spelled as it was given


def test_a_figure_is_of_one_run(runs: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["plot", str(runs / "segments"), "-o", str(tmp_path / "a.svg")])
    assert isinstance(done.exception, SettingsError)
    assert "2 finished runs are in it (give one of them: east, west)" in str(done.exception)


def test_a_run_can_be_named_by_its_file_or_its_own_folder(runs: Path) -> None:
    run = runs / "segments" / "east"
    assert folder.finished(run / "segments.json") == folder.finished(run) == [run]


@pytest.mark.parametrize(
    "words",
    [
        ["zones", "a.mp4", "--zones", "z.toml", "-o", "x.txt"],
        ["zones", "a.mp4", "--zones", "z.toml", "-o", "x.png"],  # a JPEG under that name would deceive
        ["zones", "a.mp4", "--zones", "z.toml", "-o", "nowhere/x.jpg"],
        ["zones", "a.mp4", "--zones", "z.toml", "-o", "folder.jpg"],
        ["plot", "segments", "-o", "x.txt"],
        ["tune", "--cuts", "cuts.jsonl", "-o", "x.json"],
        ["tune", "--cuts", "cuts.jsonl", "-o", "nowhere/x.toml"],
        ["topics", "talk.srt", "--explain", "x.svg"],
        ["topics", "talk.srt", "--explain", "nowhere/x.csv"],
    ],
)
def test_what_cannot_be_written_is_refused_before_any_work(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files to read are not even there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.jpg").mkdir()
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, SettingsError)
    assert words[-1].split("/")[0] in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.jpg"]


def test_a_narrow_terminal_loses_no_column(runs: Path) -> None:
    """Its lines are wrapped by the terminal: all columns are there, and what they say."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "segmenter", "run", "east.mp4", *SILENT, "--no-report", "-o", "narrow"]
    narrow = {**os.environ, "COLUMNS": "40", "TERM": "dumb"}
    subprocess.run(command, cwd=runs, stdout=theirs, stderr=subprocess.DEVNULL, env=narrow, check=True)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    heading, *rows = shown.splitlines()
    assert [word for word in heading.split("  ") if word.strip()] != []
    for column in ("start", "length", "kind", "what", "in view", "begins because"):
        assert column in heading
    assert [row.split()[-1] for row in rows[:3]] == ["start", "opens", "closes"]
    assert "moving" in rows[1]
