"""`segmenter run`: what it prints where, what it writes, and what its exit status says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from errno import ENOSPC
from pathlib import Path

import av
import numpy as np
import pytest
from typer.testing import CliRunner

from segmenter.cli.app import app

SILENT = ("--tracker", "motion", "--no-speech")


def make_video(path: Path, seconds: float = 6.0, visit: tuple[float, float] = (2.0, 4.0)) -> Path:
    """A noisy grey wall; a bright square crosses it during `visit`."""
    random = np.random.default_rng(1)
    wall = random.integers(80, 120, (120, 160, 3), dtype=np.uint8)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 160, 120, "yuv420p"
        for i in range(round(seconds * 10)):
            image = wall.copy()
            if visit[0] <= i / 10 < visit[1]:
                left = round((i / 10 - visit[0]) / (visit[1] - visit[0]) * 120)
                image[40:90, left : left + 30] = 230
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, "rgb24")))
        container.mux(stream.encode())
    return path


def segmenter(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "segmenter", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_a_visit_becomes_an_event_chunk_with_its_reasons(tmp_path: Path) -> None:
    make_video(tmp_path / "yard.mp4", 10, (4, 7))
    done = segmenter("run", "yard.mp4", *SILENT, cwd=tmp_path)
    assert done.returncode == 0
    data = json.loads((tmp_path / "segments" / "yard" / "segments.json").read_text("utf-8"))
    (event,) = data["events"]
    assert event["start"] == pytest.approx(4, abs=0.5)
    assert event["end"] == pytest.approx(7, abs=0.5)
    assert [(c["kind"], c["opened_by"], c["closed_by"]) for c in data["chunks"]] == [
        ("idle", ["start"], ["opens"]),
        ("event", ["opens"], ["closes"]),
        ("idle", ["closes"], ["end"]),
    ]
    assert "begins because" in done.stdout
    assert "3 chunks" in done.stderr


def test_json_goes_to_standard_output_and_nothing_else_does(tmp_path: Path) -> None:
    make_video(tmp_path / "yard.mp4")
    done = segmenter("run", "yard.mp4", *SILENT, "--json", cwd=tmp_path)
    (row,) = map(json.loads, done.stdout.splitlines())
    assert row["folder"] == "segments/yard"
    assert row["recording"]["duration"] == pytest.approx(6, abs=0.2)


def test_quiet_says_nothing(tmp_path: Path) -> None:
    make_video(tmp_path / "yard.mp4")
    done = segmenter("run", "yard.mp4", *SILENT, "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_bad_recording_does_not_stop_the_others(tmp_path: Path) -> None:
    make_video(tmp_path / "a.mp4")
    (tmp_path / "b.mp4").write_bytes(b"no recording at all")
    make_video(tmp_path / "c.mp4")
    done = segmenter("run", "a.mp4", "b.mp4", "missing.mp4", "c.mp4", *SILENT, "-o", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["a", "c"]
    errors = [line for line in done.stderr.splitlines() if line.startswith("error")]
    assert len(errors) == 2
    assert "b.mp4" in errors[0]
    assert "missing.mp4: no such file" in errors[1]
    assert "2 of 4 recordings were segmented" in done.stderr


def test_two_recordings_in_one_call_equal_two_calls(tmp_path: Path) -> None:
    """All state of one recording lives inside its own run."""
    first, second = make_video(tmp_path / "a.mp4"), make_video(tmp_path / "b.mp4", 6, (1, 5))
    segmenter("run", first, second, *SILENT, "-o", "together", cwd=tmp_path)
    segmenter("run", first, *SILENT, "-o", "apart", cwd=tmp_path)
    segmenter("run", second, *SILENT, "-o", "apart", cwd=tmp_path)
    for name in ("a", "b"):
        one, other = (json.loads((tmp_path / out / name / "segments.json").read_text("utf-8")) for out in ("together", "apart"))
        assert one | {"timings": 0} == other | {"timings": 0}


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--tracker", "sonar"), "yolo, motion"),
        (("--topics", "quantile"), "percentile"),
        (("--transcriber", "parrot"), "faster-whisper"),
        (("--tracker", "motion", "--transcriber", "whisper.cpp"), "openai-whisper"),
        (("--config", "missing.toml"), "missing.toml"),
        (("--config", "bad.toml"), "hold_sec"),
        (("--config", "endless.toml"), "finite"),
        (("--config", "crossed.toml"), "vad_off"),
        (("--labels", " , "), "labels"),
        (("--tracker", "motion", "--labels", "dog"), "knows no labels"),
        (("--frobnicate",), "frobnicate"),
        ((), "RECORDING"),
    ],
)
def test_wrong_use_is_told_before_any_work(tmp_path: Path, options: tuple[str, ...], word: str) -> None:
    (tmp_path / "bad.toml").write_text("[vision]\nhold_sec = 3\n")
    (tmp_path / "endless.toml").write_text("[chunks]\nmax_s = inf\n")
    (tmp_path / "crossed.toml").write_text("[speech]\nvad_on = 0.2\nvad_off = 0.9\n")
    recording = ["yard.mp4"] if options else []
    make_video(tmp_path / "yard.mp4", 1)
    done = segmenter("run", *recording, *options, cwd=tmp_path)
    assert done.returncode == 2
    assert word in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "segments").exists()


def test_options_win_over_the_settings_file(tmp_path: Path) -> None:
    make_video(tmp_path / "yard.mp4")
    (tmp_path / "s.toml").write_text('[vision]\ntracker = "yolo"\nmin_event_s = 0.5\n[speech]\nenabled = false\n')
    done = segmenter("run", "yard.mp4", "--config", "s.toml", "--tracker", "motion", "--json", "--quiet", cwd=tmp_path)
    settings = json.loads(done.stdout)["settings"]
    assert (settings["vision"]["tracker"], settings["vision"]["min_event_s"]) == ("motion", 0.5)


def test_missing_weights_name_both_ways_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGMENTER_CACHE", str(tmp_path / "empty"))
    monkeypatch.delenv("SEGMENTER_MODELS", raising=False)
    make_video(tmp_path / "yard.mp4")
    done = segmenter("run", "yard.mp4", "--no-speech", cwd=tmp_path)
    assert done.returncode == 3
    assert "segmenter models fetch" in done.stderr
    assert "--tracker motion" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_one_file_has_one_folder_however_it_is_named_and_two_have_two(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "talk.srt").write_text(f"1\n00:00:01,000 --> 00:00:02,000\nHello from {name}.\n")
    for where, path in (("a", "talk.srt"), ("b", "talk.srt"), ("b", "../a/talk.srt"), (".", "a/talk.srt")):
        assert (
            segmenter("run", path, "--topics", "fixed", "-o", tmp_path / "out", "--no-report", cwd=tmp_path / where).returncode
            == 0
        )
    texts = {p.name: (p / "transcript.vtt").read_text() for p in (tmp_path / "out").iterdir()}
    assert sorted(texts) == ["talk", "talk-2"]
    assert "from a" in texts["talk"]
    assert "from b" in texts["talk-2"]


def test_an_output_that_is_no_folder_is_told_before_any_work(tmp_path: Path) -> None:
    make_video(tmp_path / "yard.mp4", 1)
    done = segmenter("run", "yard.mp4", *SILENT, "-o", "yard.mp4", cwd=tmp_path)
    assert done.returncode == 1
    assert "a file, not a folder" in done.stderr


def test_one_transcript_belongs_to_one_recording(tmp_path: Path) -> None:
    done = segmenter("run", "a.mp4", "b.mp4", "--transcript", "a.srt", cwd=tmp_path)
    assert done.returncode == 2
    assert "one recording" in done.stderr


def test_an_interrupted_run_writes_nothing_and_says_so(tmp_path: Path) -> None:
    make_video(tmp_path / "long.mp4", 120, (1, 119))
    command = [sys.executable, "-m", "segmenter", "run", "long.mp4", *SILENT]
    with subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as run:
        time.sleep(2)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate()
    if run.returncode == 0:
        pytest.skip("the run was over before it could be interrupted")
    assert run.returncode in (130, -signal.SIGINT)  # the latter where it had not got to its work yet
    assert not (tmp_path / "segments").exists()
    if run.returncode == 130:
        assert "interrupted" in said


def test_a_report_that_cannot_be_made_costs_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("segmenter.report.page.write", broken)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["run", str(make_video(tmp_path / "yard.mp4", 2)), *SILENT])
    assert done.exit_code == 1
    assert "warning: segments/yard/report.html: it could not be made: No space left on device" in done.stderr
    assert "segmenter report segments/yard" in done.stderr
    assert sorted(p.name for p in (tmp_path / "segments" / "yard").iterdir()) == [
        "chapters.vtt",
        "chunks.jsonl",
        "contact.jpg",
        "segments.json",
        "sightings.jsonl.gz",
        "stills",
        "transcript.vtt",
    ]
