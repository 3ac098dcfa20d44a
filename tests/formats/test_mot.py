"""MOT Challenge text, in and out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.errors import BadInput
from segmenter.formats import mot
from segmenter.formats.mot import MotSightings
from segmenter.formats.scale import Scale
from segmenter.records import Box, Observation, Recording, Sighting, VideoStream

STREAM = VideoStream(0, "h264", 640, 480, 0, 0.0, 4.0, "stream", average_rate_hz=10.0)
RECORDING = Recording("a.mp4", "id", 4.0, "container", video=(STREAM,))
SCALE = Scale(10.0, 640, 480)


def read(path: Path, *lines: str, recording: Recording = RECORDING) -> MotSightings:
    path.write_text("\n".join(lines), encoding="utf-8")
    return MotSightings(path, recording)


def test_a_frame_becomes_a_time_and_pixels_become_fractions(tmp_path: Path) -> None:
    seen = list(read(tmp_path / "a.txt", "11,3,64,48,128,96,0.75,-1,-1,-1"))
    assert [o.time for o in seen] == pytest.approx([i / 10 for i in range(40)])
    assert [i for i, o in enumerate(seen) if o.sightings] == [10]
    (sighting,) = seen[10].sightings
    assert (sighting.track, sighting.label, sighting.confidence) == (3, "object", 0.75)
    assert sighting.box == pytest.approx(Box(0.1, 0.1, 0.3, 0.3))


def test_a_turned_recording_is_measured_upright(tmp_path: Path) -> None:
    turned = replace(RECORDING, video=(replace(STREAM, rotation=90),))
    (sighting,) = next(iter(read(tmp_path / "a.txt", "1,3,48,64,96,128,1", recording=turned))).sightings
    assert sighting.box == pytest.approx(Box(0.1, 0.1, 0.3, 0.3))


def test_ground_truth_names_what_it_follows_and_what_to_ignore(tmp_path: Path) -> None:
    lines = ["1,1,0,0,64,48,1,1,1.0", "1,2,0,0,64,48,1,3,0.5", "1,3,0,0,64,48,0,1,1.0", "1,4,0,0,64,48,1,11,1.0"]
    source = read(tmp_path / "gt.txt", *lines)
    assert [(s.track, s.label) for s in next(iter(source)).sightings] == [(1, "person"), (2, "car")]
    assert [(f.level, "considered: 2" in f.message) for f in source.findings] == [("note", True)]


GOOD = "1,1,0,0,64,48,1"


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "1,2,3",
        "1,2,0,0,-64,48,1",
        "1,2,0,0,64,0,1",
        "1,2,0,0,1e300,48,1",
        "1,2,nan,0,64,48,1",
        "1,2,0,0,inf,48,1",
        "0,2,0,0,64,48,1",
        "-7,2,0,0,64,48,1",
        "1.5,2,0,0,64,48,1",
        "1e18,2,0,0,64,48,1",
        "1,1e30,0,0,64,48,1",
        "41,2,0,0,64,48,1",
        "1,2,700,0,64,48,1",
        "1,2,-100,0,64,48,1",
        GOOD,
        "1,2,0,0,64,48,1,nan",
        "1,2,0,0,64,48,1,1e400",
    ],
)
def test_an_impossible_line_is_left_out_and_told(tmp_path: Path, line: str) -> None:
    source = read(tmp_path / "a.txt", GOOD, line)
    assert [s.track for s in next(iter(source)).sightings] == [1]
    assert sum(len(o.sightings) for o in source) == 1
    assert [(f.code, f.level) for f in source.findings] == [("mot_left_out", "warning")]


def test_a_box_is_clipped_to_the_picture(tmp_path: Path) -> None:
    (sighting,) = next(iter(read(tmp_path / "a.txt", "1,2,-64,-48,128,960,1"))).sightings
    assert sighting.box == pytest.approx(Box(0, 0, 0.1, 1))


@pytest.mark.parametrize("text", ["hello", "1,2,3\n4,5,6", "WEBVTT\n\n00:01.000 --> 00:02.000\nHello", "\n"])
def test_another_file_is_no_mot_text(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match="no MOT text"):
        read(tmp_path / "a.txt", text)


def test_a_recording_without_pictures_has_no_frames(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no pictures"):
        read(tmp_path / "a.txt", GOOD, recording=replace(RECORDING, video=()))


@st.composite
def observations(draw: st.DrawFn) -> list[Observation]:
    """Boxes of a pixel at least, at frames of the recording."""
    made = []
    for frame in range(40):
        tracks = draw(st.lists(st.integers(1, 9), max_size=2, unique=True))
        corners = [
            (draw(st.integers(0, 600)), draw(st.integers(0, 400)), draw(st.integers(1, 39)), draw(st.integers(1, 79)))
            for _ in tracks
        ]
        boxes = [Box(x / 640, y / 480, (x + w) / 640, (y + h) / 480) for x, y, w, h in corners]
        seen = [Sighting(t, "object", draw(st.integers(1, 10000)) / 10000, b) for t, b in zip(tracks, boxes, strict=True)]
        made.append(Observation(frame / 10, tuple(seen)))
    return made


@given(observations())
def test_written_and_read_back_it_is_the_same(tmp_path_factory: pytest.TempPathFactory, seen: list[Observation]) -> None:
    path = tmp_path_factory.mktemp("mot") / "a.txt"
    mot.write(seen, SCALE, path)
    if not any(o.sightings for o in seen):
        assert path.read_text() == ""
        return
    for before, after in zip(seen, MotSightings(path, RECORDING), strict=True):
        assert after.time == pytest.approx(before.time)
        assert [(s.track, s.confidence) for s in after.sightings] == [(s.track, s.confidence) for s in before.sightings]
        for a, b in zip(before.sightings, after.sightings, strict=True):
            assert b.box == pytest.approx(a.box, abs=1e-4)
