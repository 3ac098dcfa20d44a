"""What probing says about recordings written with known content."""

from __future__ import annotations

import hashlib
from pathlib import Path

import av
import pytest
from recordings import TICK, Writer, look_at, picture, steps, tone

from segmenter.errors import BadInput, NotAFile
from segmenter.media.probe import probe
from segmenter.records import Finding


def test_streams_keep_their_distance_and_time_begins_with_the_first(tmp_path: Path) -> None:
    """A file that starts at 4.087 s is shown from 0; the sound that starts 1.5 s later starts later here too."""
    writer = Writer(tmp_path / "a.mkv")
    writer.video()
    writer.audio()
    writer.show(steps(20, 0.2, 4.087))
    writer.play(5.587, tone(2.0, 16000, 1))
    recording, findings = look_at(writer.close())
    assert recording.zero == pytest.approx(4.087, abs=0.002)
    assert recording.video[0].start == 0
    assert recording.video[0].end == pytest.approx(4.0, abs=0.21)
    assert recording.audio[0].start == pytest.approx(1.5, abs=0.002)
    assert recording.audio[0].end == pytest.approx(3.5, abs=0.01)
    assert recording.duration == max(recording.video[0].end, recording.audio[0].end)
    assert findings == []


def test_the_id_is_the_content(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "a.wav")
    writer.audio()
    writer.play(0, tone(1, 16000, 1))
    path = writer.close()
    copy = tmp_path / "copy.bin"
    copy.write_bytes(path.read_bytes())
    assert look_at(path)[0].id == look_at(copy)[0].id == hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_rotation_counts_clockwise(tmp_path: Path, rotation: int) -> None:
    writer = Writer(tmp_path / "a.mp4")
    writer.video(rotation=rotation)
    writer.show(steps(5, 0.2))
    stream = look_at(writer.close())[0].video[0]
    assert (stream.rotation, stream.width_px, stream.height_px) == (rotation, 64, 48)


def test_rates_are_average_and_base(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "a.mp4")
    writer.video()
    writer.show([0, 0.1, 0.2, 0.3, 1.3, 2.3, 3.3, 4.3])
    stream = look_at(writer.close())[0].video[0]
    assert stream.average_rate_hz == pytest.approx(8 / stream.end)
    assert stream.base_rate_hz == pytest.approx(10, rel=0.01)


def test_of_two_audio_tracks_the_default_one_is_used_and_the_other_named(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "a.mkv")
    writer.audio("first", language="deu")
    writer.audio("second", language="eng")
    first, second = writer.container.streams.audio
    first.disposition, second.disposition = av.stream.Disposition(0), av.stream.Disposition.default
    writer.play(0, tone(1, 16000, 1), "first")
    writer.play(0, tone(1, 16000, 1), "second")
    recording, findings = look_at(writer.close())
    assert [s.language for s in recording.audio] == ["eng", "deu"]
    (several,) = [f for f in findings if f.level == "warning"]
    assert several.code == "several_audio_tracks"
    assert "deu" in several.message


def test_chapters_and_title_are_read_on_the_recordings_clock(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "a.mkv")
    writer.container.metadata["title"] = "Plan\x1b[2J"
    chapter = {"id": 1, "start": 3000, "end": 4000, "time_base": TICK, "metadata": {"title": "Pumps"}}
    writer.container.set_chapters([chapter])  # type: ignore[list-item]
    writer.audio()
    writer.play(2.5, tone(3, 16000, 1))
    recording, _ = look_at(writer.close())
    (found,) = recording.chapters
    assert found.title == "Pumps"
    assert (found.start, found.end) == pytest.approx((0.5, 1.5))
    assert recording.title == "Plan\\x1b[2J"


def test_cover_art_is_counted_and_is_no_video(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "a.mp4")
    writer.audio(codec="aac")
    cover = writer.container.add_stream("mjpeg", rate=1)
    cover.width, cover.height, cover.pix_fmt = 64, 48, "yuvj420p"
    cover.disposition = av.stream.Disposition.attached_pic
    for packet in [*cover.encode(picture().reformat(format="yuvj420p")), *cover.encode(None)]:
        writer.container.mux(packet)
    writer.play(0, tone(1, 16000, 1))
    recording, findings = look_at(writer.close())
    assert (recording.video, recording.attached_pictures) == ((), 1)
    assert [f.code for f in findings] == ["no_video"]
    assert findings[0].level == "note"


def test_a_hole_in_the_sound_is_told_with_its_place(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "a.mkv")
    writer.audio()
    writer.play(0, tone(2, 16000, 1))
    writer.play(7, tone(2, 16000, 1))
    recording, findings = look_at(writer.close())
    (hole,) = [f for f in findings if f.level == "warning"]
    assert hole.code == "audio_hole"
    assert (hole.start, hole.end) == pytest.approx((2, 7), abs=0.1)
    assert recording.duration == pytest.approx(9, abs=0.1)


def test_glued_recordings_lie_one_behind_the_other_with_sound_and_picture_together(tmp_path: Path) -> None:
    """Bytes of two transport streams in one file: time begins again at the seam."""
    writer = Writer(tmp_path / "a.ts")
    writer.video()
    writer.audio(codec="aac")
    for second in range(4):
        writer.show(steps(5, 0.2, second))
        writer.play(second, tone(1, 16000, 1), piece=1000)
    once = writer.close()
    glued = tmp_path / "glued.ts"
    glued.write_bytes(once.read_bytes() * 3)
    alone, together = look_at(once)[0], look_at(glued)
    recording, findings = together
    assert recording.duration == pytest.approx(3 * alone.duration, abs=0.3)
    assert [f.code for f in findings] == ["times_jump_back"]
    sound, pictures = ([m.shift for m in recording.mends if m.stream == index] for index in (recording.audio[0].index, 0))
    assert sound == pictures
    assert len(sound) == 2
    assert recording.audio[0].end == pytest.approx(recording.video[0].end, abs=0.3)


def test_cut_file_is_told_and_counted(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "a.wav")
    writer.audio()
    writer.play(0, tone(4, 16000, 1))
    path = writer.close()
    path.write_bytes(path.read_bytes()[: 44 + 2 * 16000])
    recording, findings = look_at(path)
    assert recording.duration == pytest.approx(1.0, abs=0.01)
    assert [f.code for f in findings if f.level == "warning"] == ["truncated"]


@pytest.mark.parametrize("name", ["gone.mp4", "http://127.0.0.1/a.mp4", "a\0b.mp4", "x" * 300])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotAFile):
        probe(name, _ignore)


def test_text_is_no_recording(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    path.write_text("Minutes of the meeting, übermorgen\n" * 300, encoding="utf-8")
    with pytest.raises(BadInput, match="plain text"):
        probe(path, _ignore)


def _ignore(finding: Finding) -> None:
    """Nothing is to be told."""
