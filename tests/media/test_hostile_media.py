"""Damaged, odd and malicious recordings: each entry of the shared set against probe, sound and pictures."""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from conftest import hostile_folder

from segmenter.errors import BadInput, ForbiddenInput, InputError, NotAFile, TooLarge
from segmenter.media.audio import AudioBlocks
from segmenter.media.frames import VideoFrames
from segmenter.media.probe import probe
from segmenter.records import Finding, Recording

KINDS = {"bad_input": BadInput, "not_a_file": NotAFile, "forbidden": ForbiddenInput, "limit": TooLarge}
MEMORY_MB = 1500


def _entries() -> list[Any]:
    folder = hostile_folder()
    if folder is None:
        return [pytest.param({}, marks=pytest.mark.skip(reason="the shared data are not here: set SEGMENTER_SHARED"))]
    entries = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    about_media = [e for e in entries if e["kind"] != "transcript" and not _has_transcript(e, folder)]
    return [pytest.param(entry, id=entry["id"]) for entry in about_media]


def _has_transcript(entry: dict[str, Any], folder: Path) -> bool:
    """Whether the entry is about a transcript beside a plain recording."""
    if "transcript" in entry:
        return True
    text = (folder / "make_hostile.py").read_text(encoding="utf-8")
    body = text.partition(f"def {entry.get('make', '?')}(")[2].partition("\n\n\n")[0]
    return '"transcript"' in body or "return trans(" in body


@pytest.fixture(scope="module")
def net(maker: ModuleType) -> Iterator[Any]:
    """Listens on a port that some entries name; nobody may call, up to the end."""
    with maker.Listener() as listener:
        yield listener
        assert not listener.calls


@dataclass
class Outcome:
    """What probing and decoding everything gave."""

    recording: Recording | None = None
    error: InputError | None = None
    findings: list[Finding] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)  # of the audio blocks
    peak: float = 0.0
    finite: bool = True
    sound_end: float = 0.0
    times: list[float] = field(default_factory=list)  # of the pictures
    sizes: list[list[int]] = field(default_factory=list)  # of the upright pictures, in order, each once
    frames: int = 0
    pictures_end: float = 0.0

    @property
    def words(self) -> str:
        said = [str(self.error)] if self.error else []
        return " ".join(said + [f.message for f in self.findings]).lower()


def _process(path: str) -> Outcome:
    out = Outcome()
    try:
        out.recording = probe(path, out.findings.append)
    except InputError as error:
        out.error = error
        return out
    for sound in out.recording.audio[:1]:
        blocks = AudioBlocks(out.recording, sound, out.findings.append)
        for block in blocks:
            out.starts.append(block.start)
            out.peak = max(out.peak, float(np.abs(block.samples).max()))
            out.finite = out.finite and bool(np.isfinite(block.samples).all())
        out.sound_end = blocks.end
    for video in out.recording.video[:1]:
        frames = VideoFrames(out.recording, video, out.findings.append)
        for frame in frames:
            out.times.append(frame.time)
            size = [frame.image.shape[1], frame.image.shape[0]]
            if size not in out.sizes:
                out.sizes.append(size)
        out.frames, out.pictures_end = frames.count, frames.end
    return out


def _within(value: float, bounds: Any) -> bool:
    least, most = bounds if isinstance(bounds, list) else (bounds, bounds)
    return bool(least <= value <= most)


def _failed(name: str, wanted: Any, out: Outcome) -> bool:
    """Whether a check that can be made on media alone does not hold."""
    recording = out.recording
    if name == "message_mentions":
        return not any(word.lower() in out.words for word in wanted)
    if recording is None:
        return False
    video = recording.video[0] if recording.video else None
    holds: dict[str, Callable[[], bool]] = {
        "duration": lambda: _within(recording.duration, wanted),
        "first_time": lambda: _within(min(out.starts[:1] + out.times[:1]), wanted),
        "audio": lambda: bool(recording.audio) == wanted,
        "video": lambda: bool(recording.video) == wanted,
        "frames": lambda: _within(out.frames, wanted),
        "size": lambda: video is not None and [video.width_px, video.height_px] == wanted,
        "shown_size": lambda: out.sizes == [wanted],
        "sizes": lambda: out.sizes == wanted,
        "rotation": lambda: video is not None and video.rotation == wanted,
        "audio_start": lambda: _within(out.starts[0], wanted),
        "audio_second_part": lambda: _within(out.starts[1], wanted),
        "audio_language": lambda: recording.audio[0].language == wanted,
        "silent": lambda: (out.peak == 0) == wanted,
        "finite": lambda: out.finite == wanted,
        "raw_absent": lambda: not any(c in out.words + (recording.title or "") for c in wanted),
    }
    return name in holds and not holds[name]()


def _faults(expect: dict[str, Any], out: Outcome) -> list[str]:
    """What differs from the wanted outcome."""
    warned = any(f.level == "warning" for f in out.findings)
    faults = [name for name, wanted in expect["checks"].items() if _failed(name, wanted, out)]
    if expect["outcome"] == "refused":
        right = isinstance(out.error, KINDS[expect["exit"]])
        return faults + ([] if right else [f"wanted {expect['exit']}, got {out.error!r}"])
    if out.error is not None:
        faults.append(f"refused: {out.error}")
    if warned != (expect["outcome"] == "ok_with_warning"):
        faults.append(f"warnings: {[f.message for f in out.findings]}")
    return faults


@pytest.mark.parametrize("entry", _entries())
def test_recording_gives_the_outcome_a_careful_user_expects(
    entry: dict[str, Any],
    maker: ModuleType,
    net: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Right outcome, right times; nothing else opened, no connection, nothing printed, memory bounded."""
    folder = hostile_folder()
    assert folder is not None
    stored = {"file": str(folder / entry.get("file", ""))}
    made = maker.make(entry["make"], tmp_path / "case", net.port) if "make" in entry else stored
    if made.get("needs") == "non-root" and os.geteuid() == 0:
        pytest.skip("root may read every file")
    if "cwd" in made:
        monkeypatch.chdir(made["cwd"])
    with maker.OpenWatch(made.get("watch", [])) as files:
        out = _process(made["file"])
        assert not files.opened()
    assert not net.calls
    expected = [entry["expect"], *entry["expect"].get("or", [])]
    faults = [_faults(expect, out) for expect in expected]
    assert [] in faults, faults
    _check_order(out)
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 < MEMORY_MB


def _check_order(out: Outcome) -> None:
    assert out.times == sorted(set(out.times))
    assert out.starts == sorted(out.starts)
    assert all(t >= 0 for t in out.times + out.starts)
    if out.recording is not None:
        assert max(out.sound_end, out.pictures_end) <= out.recording.duration + 0.1
