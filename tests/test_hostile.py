"""Damaged, odd and malicious inputs through the command line: each with the outcome that a careful user expects.

What only the decoder's or the reader's own level can tell (numbers of frames, cues found) is tested there.
"""

from __future__ import annotations

import gzip
import json
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import hostile_folder
from forking import ForkServer

from segmenter import weights
from segmenter.errors import ModelMissing

FOLDER = hostile_folder() or Path("absent")
ENTRIES = json.loads((FOLDER / "manifest.json").read_text()) if FOLDER.is_dir() else []
PEAK_MB = 1500
PATIENCE_S = 120  # twenty seconds are asked for, on an idle machine; this only ends what hangs


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    try:
        weights.locate("faster-whisper/tiny.en")
        weights.locate("all-MiniLM-L6-v2")
    except ModelMissing as error:
        pytest.skip(str(error))
    with ForkServer() as running:
        yield running


def test_the_cases_are_here(shared: Path) -> None:
    assert len(ENTRIES) >= 190
    assert shared == FOLDER.parent


@pytest.mark.parametrize("entry", ENTRIES, ids=[e["id"] for e in ENTRIES])
def test_outcome(entry: dict[str, Any], server: ForkServer, maker: ModuleType, tmp_path: Path) -> None:
    with maker.Listener() as net:
        case = maker.make(entry["make"], tmp_path / "case", net.port) if "make" in entry else _stored(entry)
        if case.get("needs") == "non-root" and os.geteuid() == 0:
            pytest.skip("a file without permission is readable for root")
        before = _tree(tmp_path / "case")
        with maker.OpenWatch(case.get("watch", [])) as files:
            run = Run(server, case, tmp_path)
            opened = files.opened()
    assert not opened
    assert not net.calls
    assert run.status >= 0, f"ended by signal {-run.status}"
    assert run.peak_mb < PEAK_MB
    assert "Traceback" not in run.said
    assert _tree(tmp_path / "case") == before
    wanted = [entry["expect"], *entry["expect"].get("or", [])]
    faults = [list(_faults(run, expect)) for expect in wanted]
    assert [] in faults, f"{faults}\n{run.said}"


def _stored(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: str(FOLDER / entry[key]) for key in ("file", "transcript") if key in entry}


def _tree(folder: Path) -> list[str]:
    return sorted(os.fsencode(p).hex() for p in folder.rglob("*")) if folder.is_dir() else []


WRITTEN = {"segments.json", "chunks.jsonl", "transcript.vtt", "chapters.vtt", "report.html"}


class Run:
    """One call of the command line, and what came of it."""

    def __init__(self, server: ForkServer, case: dict[str, Any], folder: Path) -> None:
        self.out = folder / "out"
        options = ["--tracker", "motion", "--whisper", "tiny.en", "-o", str(self.out)]
        transcript = ["--transcript", case["transcript"]] if "transcript" in case else []
        argv = case.get("argv") or [case["file"], *transcript]
        files = {name: str(folder / name) for name in ("stdout", "stderr")}
        cwd = case.get("cwd") or str(folder)
        result = server.run(argv=["run", *options, *argv], cwd=cwd, timeout=PATIENCE_S, **files)
        self.status, self.peak_mb = result["status"], result["peak_mb"]
        self.stdout, self.stderr = ((folder / name).read_text("utf-8") for name in ("stdout", "stderr"))
        self.said = self.stdout + self.stderr
        self.written = sorted(self.out.rglob("segments.json"))

    @property
    def result(self) -> dict[str, Any]:
        def refuse(constant: str) -> float:
            raise ValueError(f"{constant} in JSON")

        data: dict[str, Any] = json.loads(self.written[0].read_bytes().decode("utf-8"), parse_constant=refuse)
        return data

    @property
    def files(self) -> dict[str, str]:
        """The text that was written, whatever is packed unpacked; pictures are none."""
        files = [path for path in self.written[0].parent.iterdir() if path.is_file() and path.suffix != ".jpg"]
        return {path.name: _unpacked(path).decode("utf-8") for path in files}


def _unpacked(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def _faults(run: Run, expect: dict[str, Any]) -> Iterator[str]:
    outcome, checks = expect["outcome"], expect.get("checks", {})
    if outcome == "refused":
        if not 1 <= run.status <= 125:
            yield f"exit status {run.status}"
        if run.out.exists() and any(run.out.iterdir()):
            yield "something was written"
        if len(run.stderr.strip().splitlines()) != 1:
            yield "not one line of message"
        health: list[dict[str, Any]] = []
    else:
        if run.status != 0 or not run.written:
            yield f"exit status {run.status}, {len(run.written)} results"
            return
        yield from _general_faults(run)
        health = run.result["health"]
        warned = any(finding["level"] == "warning" for finding in health)
        if warned != (outcome == "ok_with_warning"):
            yield f"warnings: {[f['message'] for f in health if f['level'] == 'warning']}"
    spoken = (run.said + json.dumps(health)).casefold()
    for name, value in checks.items():
        if name == "message_mentions":
            if not any(word.casefold() in spoken for word in value):
                yield f"none of {value} is mentioned"
        elif name in CHECKS and outcome != "refused" and not CHECKS[name](run, value):
            yield f"{name} is not {value}"


def _general_faults(run: Run) -> Iterator[str]:
    """What holds for every result: finite ordered times, nothing half-written, each line of JSONL an object."""
    data = run.result
    spans = [*data["chunks"], *data["sentences"], *data["events"]]
    if any(not (math.isfinite(s["start"]) and 0 <= s["start"] <= s["end"] <= data["recording"]["duration"]) for s in spans):
        yield "times outside of the recording"
    seen, told = data["recording"]["video"], data["turns"]
    wanted = WRITTEN | {name for name, there in (("sightings.jsonl.gz", seen), ("speakers.rttm", told)) if there}
    if set(run.files) != wanted:
        yield f"written: {sorted(run.files)}"
    if list(run.out.glob(".*")):
        yield "temporary files left"
    if any(not isinstance(json.loads(line), dict) for line in run.files["chunks.jsonl"].split("\n") if line):
        yield "a line of chunks.jsonl is no object"


def _between(value: float, bounds: list[float]) -> bool:
    return bool(bounds[0] - 1e-6 <= value <= bounds[1] + 1e-6)


def _text(run: Run) -> str:
    return " ".join(sentence["text"] for sentence in run.result["sentences"])


def _video(run: Run) -> dict[str, Any]:
    video: dict[str, Any] = run.result["recording"]["video"][0]
    return video


def _shown(run: Run) -> list[int]:
    size = [_video(run)["width_px"], _video(run)["height_px"]]
    return size[::-1] if _video(run)["rotation"] in (90, 270) else size


CHECKS: dict[str, Callable[[Run, Any], bool]] = {
    "duration": lambda run, bounds: _between(run.result["recording"]["duration"], bounds),
    "first_time": lambda run, bounds: _between(
        min(s["start"] for kind in ("audio", "video") for s in run.result["recording"][kind]), bounds
    ),
    "audio": lambda run, wanted: bool(run.result["recording"]["audio"]) == wanted,
    "video": lambda run, wanted: bool(run.result["recording"]["video"]) == wanted,
    "size": lambda run, wanted: [_video(run)["width_px"], _video(run)["height_px"]] == wanted,
    "shown_size": lambda run, wanted: _shown(run) == wanted,
    "rotation": lambda run, wanted: _video(run)["rotation"] == wanted,
    "audio_language": lambda run, wanted: run.result["recording"]["audio"][0]["language"] == wanted,
    "sentences": lambda run, wanted: len(run.result["sentences"]) == wanted,
    "text_contains": lambda run, wanted: all(text in _text(run) for text in wanted),
    "text_absent": lambda run, wanted: not any(text in _text(run) for text in wanted),
    "text_once": lambda run, wanted: all(_text(run).count(text) == 1 for text in wanted),
    "times_within": lambda run, bounds: all(
        _between(s["start"], bounds) and _between(s["end"], bounds) for s in run.result["sentences"]
    ),
    "sorted": lambda run, _: run.result["sentences"] == sorted(run.result["sentences"], key=lambda s: float(s["start"])),
    "raw_absent": lambda run, wanted: not any(text in content for text in wanted for content in [run.said, *run.files.values()]),
    "html_escaped": lambda run, _: "<script" not in run.files["transcript.vtt"] + run.files["chapters.vtt"],
}
