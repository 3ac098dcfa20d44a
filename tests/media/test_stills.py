"""Single pictures: the same as by decoding everything."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from recordings import Writer, look_at, picture, see, steps

from segmenter.media.stills import pictures_at
from segmenter.records import Mend

TIMES = [0.0, 0.05, 3.0, 3.01, 17.46, 40.0, 55.99, 56.0, 59.9, 90.0]


@pytest.mark.parametrize("name", ["a.mp4", "a.mkv", "a.ts"])
def test_a_picture_is_the_one_that_is_shown_then(tmp_path: Path, name: str) -> None:
    """In jumps from keyframe to keyframe as in one pass, before the first picture and after the last."""
    writer = Writer(tmp_path / name)
    writer.video()
    writer.show(steps(600, 0.1))
    recording, _ = look_at(writer.close())
    every = list(see(recording))
    for time, found in zip(TIMES, pictures_at(recording, recording.video[0], TIMES, 320), strict=True):
        shown = [f for f in every if f.time <= time + 0.0006] or every[:1]
        assert found is not None
        assert found.time == pytest.approx(shown[-1].time, abs=1e-6)
        assert np.array_equal(found.image, shown[-1].image)


def test_without_timestamps_times_follow_the_rate(tmp_path: Path) -> None:
    path = tmp_path / "a.h264"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        for i in range(300):
            shade = np.full((64, 64, 3), i % 100 * 2, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(shade, format="rgb24")))
        container.mux(stream.encode())
    recording, _ = look_at(path)
    found = list(pictures_at(recording, recording.video[0], [0.0, 3.0, 27.5]))
    assert [frame and round(frame.time, 3) for frame in found] == [0.0, 3.0, 27.5]
    assert [round(frame.image.mean()) for frame in found if frame] == pytest.approx([0, 60, 150], abs=3)


def test_where_times_are_mended_nothing_is_skipped(tmp_path: Path) -> None:
    """Seeking goes by the file's own times, which are wrong there."""
    writer = Writer(tmp_path / "a.mkv")
    writer.video()
    writer.show(steps(300, 0.1))
    recording, _ = look_at(writer.close())
    shifted = replace(recording, mends=(Mend(recording.video[0].index, 100, 5.0),))
    (found,) = pictures_at(shifted, shifted.video[0], [25.04], 320)
    assert found is not None
    assert found.time == pytest.approx(25.0, abs=0.01)


def test_pictures_are_scaled_to_the_width(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "a.mp4")
    writer.video(size=(64, 48))
    writer.show([0.0, 1.0])
    recording, _ = look_at(writer.close())
    (found,) = pictures_at(recording, recording.video[0], [0.5], 32)
    assert found is not None
    assert found.image.shape == (24, 32, 3)
    assert picture().width == 64
