"""The clips of a run: in its folder whole, listed, linked, and made anew by the commands."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from reels import film, look_at, steps
from typer.testing import CliRunner

from segmenter import Segmentation, load
from segmenter.chunks.boundaries import boundaries
from segmenter.chunks.tile import tile
from segmenter.cli.app import app
from segmenter.clips import files
from segmenter.errors import SettingsError
from segmenter.formats import clips_json, folder
from segmenter.records import Box, Event, Finding, Recording, Track, View
from segmenter.settings import ChunkSettings, ClipSettings, Settings


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(tmp_path_factory.mktemp("source") / "yard.mp4", steps(500, 0.04), sound="aac", seconds=20)


def event(number: int, start: float, end: float) -> Event:
    track = Track(number, "person", start, end, View(start, Box(0.2, 0.2, 0.4, 0.8), 0.9))
    return Event(number, start, end, (track,), ("person",))


def found(recording: Recording, *events: Event) -> Segmentation:
    cuts = boundaries((), (), events, recording.duration, ChunkSettings())
    chunks = tile(cuts, (), events, recording, 1.0)
    return Segmentation(recording, Settings().as_dict(), {}, (), (), events, cuts, chunks, ())


@pytest.fixture
def run(source: Path, tmp_path: Path) -> Path:
    """The folder of a finished run with two events, 1.2 s apart."""
    return folder.write(found(look_at(source), event(1, 4.0, 8.0), event(2, 9.2, 12.0)), tmp_path / "out")


def command(*words: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [str(word) for word in words])
    return done.exit_code, done.stdout, done.stderr


def test_each_event_has_a_clip_that_is_listed_and_linked(run: Path) -> None:
    code, out, _ = command("clips", run, "--pre", "1", "--post", "2")
    clips = clips_json.read(run / "clips")
    assert code == 0
    assert [(c.kind, c.id, c.mode, c.start, c.end) for c in clips] == [
        ("event", 1, "exact", 3.0, 8.6),  # the rolls meet in the middle
        ("event", 2, "exact", 8.6, 14.0),
    ]
    assert out.splitlines() == [str(run / "clips" / clip.file) for clip in clips]
    assert {path.name for path in (run / "clips").iterdir()} == {clips_json.NAME, *(clip.file for clip in clips)}
    for clip in clips:
        assert look_at(run / "clips" / clip.file).duration == pytest.approx(clip.end - clip.start, abs=0.04)
    rows = [json.loads(line) for line in (run / "chunks.jsonl").read_text("utf-8").splitlines()]
    assert [row["clips"] for row in rows] == [
        [f"clips/{clip.file}" for clip in clips if clip.id in row["events"]] for row in rows
    ]
    assert any(row["clips"] for row in rows)


def test_chunks_can_have_clips_too(run: Path) -> None:
    assert command("clips", run, "--of", "chunks", "--mode", "copy")[0] == 0
    clips, chunks = clips_json.read(run / "clips"), load(run).chunks
    assert [(c.kind, c.id) for c in clips] == [("chunk", chunk.id) for chunk in chunks]
    assert [c.wanted_start for c in clips] == pytest.approx([chunk.start for chunk in chunks], abs=0.001)


def test_copies_say_how_much_earlier_they_begin(run: Path) -> None:
    _, out, told = command("clips", run, "--mode", "copy", "--pre", "0.5", "--json")
    assert "event-0001_00-00-04_person.mp4: begins 0.5 s earlier" in told
    first = json.loads(out.splitlines()[0])
    assert (first["start"], first["wanted_start"], first["mode"]) == (3.0, 3.5, "copy")


def test_the_report_links_to_the_clips_whichever_comes_first(run: Path) -> None:
    for words in (("report", run), ("clips", run), ("report", run)):
        assert command(*words)[0] == 0
    page = (run / "report.html").read_text("utf-8")
    assert all(f"clips/{clip.file}" in page for clip in clips_json.read(run / "clips"))


def test_a_run_cuts_them_at_once(source: Path, tmp_path: Path) -> None:
    """Settings say how; a run without them leaves none of an earlier one."""
    (tmp_path / "s.toml").write_text('[clips]\nof = "chunks"\nmode = "smart"\n')
    words = ("run", source, "--no-speech", "--tracker", "motion", "--no-report", "-o", tmp_path / "out")
    assert command(*words, "--clips", "--config", tmp_path / "s.toml")[0] == 0
    clips = clips_json.read(tmp_path / "out" / "yard" / "clips")
    assert {(clip.kind, clip.mode) for clip in clips} == {("chunk", "smart")}
    assert command(*words)[0] == 0
    assert not (tmp_path / "out" / "yard" / "clips").exists()


def test_an_unknown_mode_is_told_before_any_work(run: Path, source: Path, tmp_path: Path) -> None:
    code, _, told = command("clips", run, "--mode", "magic")
    assert code == 2
    assert "exact, copy, smart" in told
    assert not (run / "clips").exists()
    (tmp_path / "s.toml").write_text('[clips]\nmode = "magic"\n')
    done = CliRunner().invoke(app, ["run", str(source), "--clips", "--config", str(tmp_path / "s.toml")])
    assert isinstance(done.exception, SettingsError)


def test_where_the_recording_is_gone_earlier_clips_stay(run: Path, source: Path) -> None:
    assert command("clips", run)[0] == 0
    before = sorted(path.name for path in (run / "clips").iterdir())
    moved = source.rename(source.with_suffix(".gone"))
    code, _, told = command("clips", run, "--of", "chunks")
    moved.rename(source)
    assert code == 1
    assert "no such file" in told
    assert sorted(path.name for path in (run / "clips").iterdir()) == before


def test_one_that_fails_is_reported_and_the_others_are_there(source: Path, tmp_path: Path) -> None:
    """The second event lies behind the end of what the file holds."""
    recording = replace(look_at(source), duration=60.0)
    lost: list[Finding] = []
    files.write(found(recording, event(1, 4, 6), event(2, 40, 50)), tmp_path / "clips", ClipSettings(), lost.append)
    assert [clip.id for clip in clips_json.read(tmp_path / "clips")] == [1]
    assert len(list((tmp_path / "clips").iterdir())) == 2
    assert [(finding.code, finding.start) for finding in lost] == [("clip_failed", 38.0)]


def test_a_transcript_alone_has_none(tmp_path: Path) -> None:
    recording = Recording("said.srt", "0", 20.0, "counted")
    files.write(found(recording, event(1, 4, 6)), tmp_path / "clips", ClipSettings(), lambda _: None)
    assert clips_json.read(tmp_path / "clips") == ()
