"""`segmenter watch`: lines on standard output and in a file, clips beside it, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from test_run import make_video, segmenter

FAST = ("--tracker", "motion", "--as-fast-as-possible")


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_each_event_is_a_line_here_and_there(tmp_path: Path) -> None:
    make_video(tmp_path / "yard.mp4", 10, (4, 7))
    done = segmenter("watch", "yard.mp4", "-o", "out", *FAST, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (event,) = rows(done.stdout)
    assert (tmp_path / "out" / "events.jsonl").read_text("utf-8") == done.stdout
    assert event["id"] == 1
    assert event["start"] == pytest.approx(4, abs=0.5)
    assert event["end"] == pytest.approx(7, abs=0.5)
    assert event["labels"] == ["moving"]
    assert [track["id"] for track in event["tracks"]] == [1]
    assert event["start_utc"] is None  # a file does not know when it was filmed
    assert (tmp_path / "out" / event["clip"]).stat().st_size > 0
    assert event["clip_start"] <= event["start"] < event["end"] <= event["clip_end"]


def test_another_watch_adds_its_events_and_keeps_the_clips(tmp_path: Path) -> None:
    make_video(tmp_path / "yard.mp4", 10, (4, 7))
    for _ in range(2):
        assert segmenter("watch", "yard.mp4", "-o", "out", *FAST, cwd=tmp_path).returncode == 0
    found = rows((tmp_path / "out" / "events.jsonl").read_text("utf-8"))
    assert [row["id"] for row in found] == [1, 2]
    assert len({row["clip"] for row in found}) == 2
    assert all((tmp_path / "out" / row["clip"]).exists() for row in found)


def test_half_a_line_of_a_killed_watch_spoils_no_other(tmp_path: Path) -> None:
    make_video(tmp_path / "yard.mp4", 10, (4, 7))
    (tmp_path / "out").mkdir()
    before = '{"id": 7, "start": 1.0}\n{"id": 8, "sta'
    (tmp_path / "out" / "events.jsonl").write_text(before, encoding="utf-8")
    done = segmenter("watch", "yard.mp4", "-o", "out", "--no-clips", *FAST, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "events.jsonl").read_text("utf-8") == f"{before}\n{done.stdout}"
    assert [row["id"] for row in rows(done.stdout)] == [8]


def test_without_a_folder_nothing_is_written(tmp_path: Path) -> None:
    make_video(tmp_path / "yard.mp4", 10, (4, 7))
    done = segmenter("watch", "yard.mp4", *FAST, "--for", "6", cwd=tmp_path)
    assert done.returncode == 0
    (event,) = rows(done.stdout)
    assert event["clip"] is None
    assert event["end"] == pytest.approx(6, abs=0.3)
    assert [p.name for p in tmp_path.iterdir()] == ["yard.mp4"]


def test_ctrl_c_closes_what_is_open(tmp_path: Path) -> None:
    """The film runs at its own speed, for longer than anybody would wait here."""
    make_video(tmp_path / "yard.mp4", 120, (2, 110))
    command = [sys.executable, "-m", "segmenter", "watch", "yard.mp4", "-o", "out", "--tracker", "motion"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        until = time.monotonic() + 60
        while not (tmp_path / "out" / "clips").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        out, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert "interrupted" in errors
    assert (tmp_path / "out" / "events.jsonl").read_text("utf-8") == out
    assert not list((tmp_path / "out" / "clips").glob(".part*"))


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("nowhere.mp4",), 1, "no such file"),
        (("file:///etc/hosts",), 1, "not opened"),
        (("rtsp://127.0.0.1:1/none",), 1, "cannot be opened"),
        (("yard.mp4", "--max-open", "0"), 2, "most_open"),
        (("yard.mp4", "--labels", "car"), 2, "labels"),
        (("yard.mp4", "--pre", "-1"), 2, "pre_s"),
    ],
)
def test_wrong_use_is_told(tmp_path: Path, words: tuple[str, ...], status: int, message: str) -> None:
    make_video(tmp_path / "yard.mp4", 1)
    done = segmenter("watch", *words, "--tracker", "motion", cwd=tmp_path)
    assert done.returncode == status, done.stderr
    assert message in done.stderr
    assert done.stdout == ""
