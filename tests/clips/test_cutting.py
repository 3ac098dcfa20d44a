"""Clips of films whose pictures are numbered: which pictures are in them, when they are shown, and what is heard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import pytest
from reels import SOUND_HZ, chirp, film, heard, lag, look_at, number_of, picture, play, seen, steps, wanted

from segmenter.clips.cutting import cut
from segmenter.clips.lane import Unfit
from segmenter.clips.modes import MODES
from segmenter.errors import BadInput
from segmenter.formats.clips_json import ClipFile
from segmenter.media.frames import VideoFrames

FRAME_S = 0.04


def made(source: Path, start: float, end: float, mode: str) -> tuple[ClipFile, Path]:
    folder = source.parent / mode
    folder.mkdir(exist_ok=True)
    clip = cut(look_at(source), wanted(start, end), mode, folder)
    assert [p.name for p in folder.iterdir()] == [clip.file]
    return clip, folder / clip.file


def shown(times: list[float], start: float, end: float) -> list[tuple[float, int]]:
    """What a clip of [start, end) must show: the picture that is there at its beginning, and all that follow."""
    first = max(i for i, t in enumerate(times) if t <= start + 0.0005)
    return [(max(0.0, times[i] - start), i) for i in range(first, len(times)) if times[i] < end - 0.0005]


def assert_shows(path: Path, expected: list[tuple[float, int]]) -> None:
    found = seen(path)
    assert [number for _, number in found] == [number for _, number in expected]
    assert [time for time, _ in found] == pytest.approx([time for time, _ in expected], abs=0.002)


@pytest.fixture(scope="module")
def reel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve seconds at 25 pictures a second with B-frames, a keyframe each second, and sound."""
    return film(tmp_path_factory.mktemp("reel") / "reel.mp4", steps(300, FRAME_S), sound="aac", seconds=12)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("start", "end"), [(0, 12), (3.32, 8.68), (3.0, 8.0), (2.35, 11.41), (0, 4.5), (9.1, 12)])
def test_the_pictures_are_those_of_the_passage(reel: Path, mode: str, start: float, end: float) -> None:
    """exact and smart to the picture; copy from the keyframe before, saying how much earlier, up to three pictures more."""
    clip, path = made(reel, start, end, mode)
    assert clip.mode == mode
    assert (clip.wanted_start, clip.wanted_end) == (start, end)
    if mode == "copy":
        assert clip.start == pytest.approx(int(start), abs=0.001)
        assert end - 0.001 <= clip.end <= end + 4 * FRAME_S
        found = seen(path)
        assert [n for _, n in found[:-3]] == list(range(int(start) * 25, int(start) * 25 + len(found) - 3))
        assert [t + clip.start for t, _ in found] == pytest.approx([n * FRAME_S for _, n in found], abs=0.002)
    else:
        assert_shows(path, shown(steps(300, FRAME_S), start, end))
        assert clip.start == start
        assert look_at(path).duration == pytest.approx(end - start, abs=FRAME_S)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("start", [0.0, 3.32])
def test_the_sound_stays_with_the_picture(reel: Path, mode: str, start: float) -> None:
    """Priming and what warms the decoder up are not heard; to the sample where re-encoded, a packet's part where copied."""
    clip, path = made(reel, start, 8.68, mode)
    begins, samples = heard(path)
    assert abs(lag(path, reel, clip.start)) <= 0.001
    assert begins <= 1024 / 48000 + 0.001
    assert begins + len(samples) / 16000 == pytest.approx(clip.end - clip.start, abs=0.13 if mode == "copy" else 0.03)


@pytest.mark.parametrize("mode", MODES)
def test_a_variable_frame_rate_keeps_its_times(tmp_path: Path, mode: str) -> None:
    """The last picture stays until the end, a picture that is already there is shown from the beginning."""
    times = [0, 0.1, 0.3, 1.5, 1.54, 1.7, 2.9, 3.0, 3.1, 5.0, 5.04, 6.5, 6.6, 8.0]
    source = film(tmp_path / "a.mp4", times, options={"g": "4"})
    clip, path = made(source, 1.0, 7.5, mode)
    assert look_at(path).duration == pytest.approx(clip.end - clip.start, abs=0.01)
    if mode == "copy":
        assert [t + clip.start for t, _ in seen(path)] == pytest.approx([times[n] for _, n in seen(path)], abs=0.002)
    else:
        assert_shows(path, shown(times, 1.0, 7.5))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_rotation_is_kept(tmp_path: Path, mode: str, rotation: int) -> None:
    source = film(tmp_path / "a.mp4", steps(100, FRAME_S), rotation=rotation)
    _, path = made(source, 0.5, 3.5, mode)
    assert look_at(path).video[0].rotation == rotation
    upright = [next(iter(VideoFrames(r, r.video[0], lambda _: None))).image.shape for r in map(look_at, (source, path))]
    assert upright[0] == upright[1]


@pytest.mark.parametrize("mode", MODES)
def test_ten_bits_and_colours_of_high_dynamic_range_are_kept(tmp_path: Path, mode: str) -> None:
    """BT.2020 primaries and matrix, PQ transfer, limited range."""
    colours = {"color_primaries": 9, "color_trc": 16, "colorspace": 9, "color_range": 1}
    source = film(
        tmp_path / "a.mkv",
        steps(100, FRAME_S),
        codec="libx265",
        pix_fmt="yuv420p10le",
        options={"preset": "ultrafast", "x265-params": "log-level=none"},
        colours=colours,
    )
    clip, path = made(source, 0.5, 3.5, mode)
    with av.open(str(path)) as container:
        context = container.streams.video[0].codec_context
        assert {name: getattr(context, name) for name in colours} == colours
        assert context.pix_fmt == "yuv420p10le"
    assert clip.mode == ("exact" if mode == "smart" else mode)
    assert ("hevc cannot be joined" in clip.note) == (mode == "smart")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "codec"), [("a.mp4", "mov_text"), ("a.mkv", "subrip")])
def test_subtitles_are_timed_anew(tmp_path: Path, mode: str, name: str, codec: str) -> None:
    """One is shown when the clip begins, one inside, one when it ends, two are outside."""
    texts = [(0.0, 0.5, "before"), (1.0, 2.5, "into"), (3.0, 3.4, "inside"), (4.5, 6.0, "out of"), (7.0, 7.5, "after")]
    source = film(tmp_path / name, steps(200, FRAME_S), subtitles=(codec, texts))
    clip, path = made(source, 2.0, 5.0, mode)
    assert path.suffix == source.suffix
    start, end = clip.start, 5.0
    wanted_texts = [(max(0, s - start), min(e, end) - start, t) for s, e, t in texts if s < end and e > start]
    assert [text for _, _, text in _texts(path)] == [text for _, _, text in wanted_texts]
    for found, expected in zip(_texts(path), wanted_texts, strict=True):
        assert found[:2] == pytest.approx(expected[:2], abs=0.01)


def _texts(path: Path) -> list[tuple[float, float, str]]:
    with av.open(str(path)) as container:
        (stream,) = container.streams.subtitles
        found = []
        for packet in container.demux(stream):
            words = bytes(packet)[2:] if stream.codec_context.name == "mov_text" else bytes(packet)
            if words and packet.pts is not None:
                start = float(packet.pts * packet.time_base)
                found.append((start, start + float((packet.duration or 0) * packet.time_base), words.decode()))
    return found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("name", "options", "suffix"),
    [
        ("a.mkv", {"sound": "libopus", "seconds": 8.0}, ".mp4"),
        ("a.ts", {"sound": "aac", "seconds": 8.0}, ".mp4"),
        ("a.avi", {"codec": "mpeg4", "sound": "pcm_s16le", "seconds": 8.0, "options": {"bf": "0"}}, None),
        ("a.webm", {"codec": "libvpx-vp9", "options": {"deadline": "realtime", "cpu-used": "8"}}, ".mp4"),
    ],
)
def test_other_containers_give_the_same_pictures(
    tmp_path: Path, mode: str, name: str, options: dict[str, Any], suffix: str | None
) -> None:
    source = film(tmp_path / name, steps(200, FRAME_S), **options)
    clip, path = made(source, 2.52, 6.2, mode)
    assert suffix is None or path.suffix == suffix
    found = seen(path)
    if clip.mode == "copy":
        times = {number: time for time, number in seen(source)}
        assert [t + clip.start for t, _ in found] == pytest.approx([times[n] for _, n in found], abs=0.002)
    else:
        assert_shows(path, shown([t for t, _ in seen(source)], 2.52, 6.2))
    if "sound" in options:
        assert abs(lag(path, source, clip.start)) <= 0.002


def test_a_recording_without_a_whole_group_inside_is_encoded_and_says_so(reel: Path) -> None:
    clip, _ = made(reel, 3.2, 3.9, "smart")
    assert clip.mode == "exact"
    assert "no keyframe lies inside" in clip.note


def test_an_odd_size_loses_less_than_a_pixel(tmp_path: Path) -> None:
    source = film(tmp_path / "a.webm", steps(50, FRAME_S), codec="libvpx-vp9", size=(193, 97), options={"deadline": "realtime"})
    _, path = made(source, 0.5, 1.5, "exact")
    video = look_at(path).video[0]
    assert (video.width_px, video.height_px) == (192, 96)
    assert_shows(path, shown([t for t, _ in seen(source)], 0.5, 1.5))


@pytest.mark.parametrize("mode", MODES)
def test_sound_alone(tmp_path: Path, mode: str) -> None:
    source = tmp_path / "a.m4a"
    _sound_only(source, 8.0)
    clip, path = made(source, 2.5, 5.25, mode)
    assert look_at(path).duration == pytest.approx(2.75, abs=0.05)
    assert abs(lag(path, source, clip.start)) <= 0.001


def _sound_only(path: Path, seconds: float) -> None:
    with av.open(str(path), "w") as container:
        play(container, container.add_stream("aac", rate=SOUND_HZ, layout="mono"), chirp(seconds))


def test_a_clip_that_fails_its_check_is_not_left(reel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segmenter.clips.checking._decodes", _fails)
    with pytest.raises(BadInput, match="event 1"):
        cut(look_at(reel), wanted(1, 2), "copy", tmp_path)
    assert list(tmp_path.iterdir()) == []


def _fails(*_: object) -> None:
    raise Unfit("does not decode")


def test_numbers_are_read_as_they_were_drawn() -> None:
    assert [number_of(picture(n, 192, 96)) for n in (0, 1, 77, 4095)] == [0, 1, 77, 4095]
