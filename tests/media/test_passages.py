"""A passage of a stream: nothing before it is read, and the pictures are those that are shown during it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from recordings import Writer, look_at, steps

from segmenter.media.decoding import Damage
from segmenter.media.passages import packets_from, pictures, seconds
from segmenter.records import Mend, Recording

GROUP_S = 25.0  # x264 sets a keyframe every 250 pictures at least


def recording(path: Path) -> Recording:
    """A minute and a half at ten pictures a second, whose first is shown at 0."""
    writer = Writer(path)
    writer.video()
    writer.show(steps(900, 0.1))
    return look_at(writer.close())[0]


@pytest.mark.parametrize("name", ["a.mp4", "a.mkv", "a.ts"])
@pytest.mark.parametrize("time", [0.0, 24.95, 25.0, 61.3, 89.9])
def test_reading_begins_with_a_keyframe_near_before(tmp_path: Path, name: str, time: float) -> None:
    found = recording(tmp_path / name)
    first = next(packet for packet in packets_from(found, found.video[0].index, time) if packet.is_keyframe)
    begins = seconds(first, first.pts, found)
    assert begins <= time + 0.001
    assert begins >= time - GROUP_S - (35.0 if name == "a.ts" else 0.1)  # without an index it is looked for further back


@pytest.mark.parametrize("name", ["a.mp4", "a.mkv", "a.ts"])
@pytest.mark.parametrize(
    ("start", "end", "first", "count"), [(0, 2, 0.0, 20), (30.05, 31, 30.05, 10), (60, 60.5, 60.0, 5), (89, 99, 89.0, 10)]
)
def test_pictures_are_those_shown_meanwhile(
    tmp_path: Path, name: str, start: float, end: float, first: float, count: int
) -> None:
    """The one that is there at the start belongs to it, from the start on; each lasts until the next, the last to the end."""
    found = recording(tmp_path / name)
    shown = list(pictures(found, found.video[0], start, end, Damage("picture")))
    assert len(shown) == count
    assert shown[0].start == pytest.approx(first, abs=0.001)
    assert shown[-1].end == pytest.approx(min(end, 90.0), abs=0.1)
    assert all(a.end == b.start for a, b in pairwise(shown))


def test_where_times_are_mended_it_is_read_from_the_beginning(tmp_path: Path) -> None:
    found = recording(tmp_path / "a.mkv")
    index = found.video[0].index
    shifted = replace(found, mends=(Mend(index, 100, 5.0),))
    first = next(packets_from(shifted, index, 60.0))
    assert seconds(first, first.pts, shifted) == pytest.approx(0.0, abs=0.001)


def test_a_stream_without_times_is_read_from_the_beginning(tmp_path: Path) -> None:
    """Raw H.264 states none: they are counted at the nominal rate."""
    writer = Writer(tmp_path / "a.h264")
    writer.video()
    writer.show(steps(100, 0.1))
    found, _ = look_at(writer.close())
    length = found.duration
    shown = list(pictures(found, found.video[0], length / 2, length, Damage("picture")))
    assert len(shown) == pytest.approx(50, abs=1)
    assert shown[0].start == pytest.approx(length / 2)
