"""Pictures by presentation time, upright."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from recordings import Writer, look_at, nothing_said, see, steps, tone

from segmenter.media.frames import Frame, VideoFrames, taken


def _film(path: Path, times: list[float], **options: int) -> Path:
    writer = Writer(path)
    writer.video(**options)  # type: ignore[arg-type]
    writer.show(times)
    return writer.close()


@pytest.mark.parametrize(("rotation", "corner"), [(0, (0, 0)), (90, (0, 1)), (180, (1, 1)), (270, (1, 0))])
def test_pictures_come_upright(tmp_path: Path, rotation: int, corner: tuple[int, int]) -> None:
    """The white quarter in the coded picture's upper left goes round clockwise."""
    recording, _ = look_at(_film(tmp_path / "a.mp4", list(steps(5, 0.2)), rotation=rotation))
    for frame in see(recording):
        height, width = frame.image.shape[:2]
        assert (width, height) == ((48, 64) if rotation % 180 else (64, 48))
        quarters = frame.image.reshape(2, height // 2, 2, width // 2, 3).mean(axis=(1, 3, 4))
        assert np.unravel_index(quarters.argmax(), (2, 2)) == corner
        assert frame.image.flags.c_contiguous


def test_variable_frame_rate_keeps_its_times(tmp_path: Path) -> None:
    times = [0, 0.1, 0.2, 1.2, 1.3, 4.7, 60.0]
    recording, _ = look_at(_film(tmp_path / "a.mp4", times))
    assert [f.time for f in see(recording)] == pytest.approx(times, abs=0.001)


@pytest.mark.parametrize("rate_hz", [10, 25, 29.97, 60])
def test_a_step_gives_the_same_looks_at_any_rate(tmp_path: Path, rate_hz: float) -> None:
    """At most one picture in each fifth of a second, and none missed."""
    recording, _ = look_at(_film(tmp_path / "a.mp4", list(steps(round(6 * rate_hz), 1 / rate_hz))))
    times = [f.time for f in see(recording, step_s=0.2)]
    assert len(times) == 30
    assert times == pytest.approx(steps(30, 0.2), abs=1 / rate_hz)


def test_fewer_pictures_than_steps_are_all_given(tmp_path: Path) -> None:
    recording, _ = look_at(_film(tmp_path / "a.mkv", list(steps(5, 1.0))))
    assert [f.time for f in see(recording, step_s=0.2)] == pytest.approx([0, 1, 2, 3, 4])


def test_a_look_brings_the_pictures_since_the_look_before(tmp_path: Path) -> None:
    recording, _ = look_at(_film(tmp_path / "a.mp4", list(steps(30, 1 / 30))))
    looks = see(recording, step_s=0.1)
    shown = [frame.time for look in looks for frame in (*look.between, look)]
    assert shown == pytest.approx(steps(28, 1 / 30), abs=0.001)  # those after the last look come with no other
    assert [len(look.between) for look in looks] == [0, *[2] * 9]


def test_of_many_pictures_between_two_looks_the_last_ones_are_kept() -> None:
    pixels = np.zeros((2, 2, 3), np.uint8)
    _, look = taken((Frame(i / 100, pixels) for i in range(150)), step_s=1.0)
    assert look.between[-1].time == 0.94
    assert len(look.between) < 20


def test_all_decoded_pictures_are_counted_and_the_end_is_the_last_ones(tmp_path: Path) -> None:
    recording, _ = look_at(_film(tmp_path / "a.mp4", list(steps(25, 0.1))))
    frames = VideoFrames(recording, recording.video[0], nothing_said, step_s=1.0)
    assert len(list(frames)) == 3
    assert frames.count == 25
    assert frames.end == pytest.approx(recording.video[0].end, abs=0.01)


@pytest.mark.parametrize(("rotation", "size"), [(0, (32, 24)), (90, (32, 43))])
def test_a_width_scales_the_upright_picture_down(tmp_path: Path, rotation: int, size: tuple[int, int]) -> None:
    recording, _ = look_at(_film(tmp_path / "a.mp4", [0, 0.2], rotation=rotation))
    assert {f.image.shape[1::-1] for f in see(recording, width_px=32)} == {size}
    assert {f.image.shape[1] for f in see(recording, width_px=500)} == {48 if rotation else 64}


def test_a_later_start_is_kept(tmp_path: Path) -> None:
    """The sound begins 1.5 s before the picture."""
    writer = Writer(tmp_path / "a.mkv")
    writer.video()
    writer.audio()
    writer.play(4.087, tone(4, 16000, 1))
    writer.show(steps(5, 0.2, 5.587))
    recording, _ = look_at(writer.close())
    assert [f.time for f in see(recording)] == pytest.approx(steps(5, 0.2, 1.5), abs=0.002)


@pytest.mark.parametrize(("rotation", "corner"), [(0, (0, 0)), (90, (0, 1)), (180, (1, 1)), (270, (1, 0))])
def test_grey_pictures_come_upright_and_small(tmp_path: Path, rotation: int, corner: tuple[int, int]) -> None:
    recording, _ = look_at(_film(tmp_path / "a.mp4", list(steps(2, 0.2)), rotation=rotation))
    for frame in see(recording):
        grey = frame.grey(16)
        assert grey.shape == ((16, 12) if rotation % 180 else (12, 16))
        assert grey.dtype == np.uint8
        quarters = grey.reshape(2, grey.shape[0] // 2, 2, grey.shape[1] // 2).mean(axis=(1, 3))
        assert np.unravel_index(quarters.argmax(), (2, 2)) == corner


def test_grey_levels_are_those_of_the_coloured_picture(tmp_path: Path) -> None:
    """Black is 0 and white 255, whatever range the file keeps them in."""
    recording, _ = look_at(_film(tmp_path / "a.mp4", list(steps(2, 0.2))))
    for frame in see(recording):
        assert np.abs(frame.grey(64).astype(float) - frame.image.mean(axis=2)).mean() < 3


def test_pixels_that_are_given_are_taken_as_they_are() -> None:
    pixels = np.full((30, 40, 3), 200, np.uint8)
    frame = Frame(1.5, pixels)
    assert frame.image is pixels
    assert frame.grey(20).shape == (15, 20)
    assert frame.grey(20) == pytest.approx(200, abs=1)
    assert frame.grey(400).shape == (30, 40)
