"""Sound by its timestamps: mono, 16 kHz, in bounded blocks."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from recordings import Writer, hear, look_at, nothing_said, tone

from segmenter.media.audio import SAMPLE_RATE_HZ, AudioBlock, AudioBlocks
from segmenter.media.joining import Joiner
from segmenter.records import Finding


def _end(block: AudioBlock) -> float:
    return block.start + len(block.samples) / SAMPLE_RATE_HZ


def _pitch_hz(samples: np.ndarray) -> float:
    return float(np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE_HZ)[np.abs(np.fft.rfft(samples)).argmax()])


@pytest.mark.parametrize(("rate_hz", "layout", "channels"), [(8000, "mono", 1), (44100, "stereo", 2), (48000, "5.1", 6)])
def test_any_rate_and_layout_becomes_mono_16_khz_at_its_true_length(
    tmp_path: Path, rate_hz: int, layout: str, channels: int
) -> None:
    writer = Writer(tmp_path / "a.mkv")
    writer.audio(rate_hz=rate_hz, layout=layout)
    writer.play(0, tone(3, rate_hz, channels))
    blocks = hear(look_at(writer.close())[0])
    samples = np.concatenate([b.samples for b in blocks])
    assert samples.dtype == np.float32
    assert len(samples) / SAMPLE_RATE_HZ == pytest.approx(3, abs=0.01)
    assert _pitch_hz(samples) == pytest.approx(300, abs=1)


@pytest.mark.parametrize(("layout", "channels"), [("stereo", 2), ("5.1", 6)])
def test_a_voice_in_one_channel_stays_audible(tmp_path: Path, layout: str, channels: int) -> None:
    """Film speech sits in the centre; a cheap microphone fills the right channel only; a recorder calls one "bass"."""
    for only in range(channels):
        writer = Writer(tmp_path / f"{only}.wav")
        writer.audio(layout=layout)
        writer.play(0, tone(0.5, 16000, channels, only))
        (block,) = hear(look_at(writer.close())[0])
        assert np.abs(block.samples).max() > 0.2


def test_a_hole_is_a_distance_between_blocks(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "a.mkv")
    writer.audio()
    writer.play(4.087, tone(2, 16000, 1))
    writer.play(86404, tone(2, 16000, 1))
    blocks = hear(look_at(writer.close())[0])
    assert [round(b.start, 1) for b in blocks] == [0.0, pytest.approx(86399.9)]
    assert [round(_end(b) - b.start, 2) for b in blocks] == [2, 2]


@pytest.mark.parametrize(("name", "codec"), [("a.mp3", "libmp3lame"), ("a.ac3", "ac3")])
def test_what_follows_damage_keeps_its_time_in_formats_without_times(tmp_path: Path, name: str, codec: str) -> None:
    path = _tone_at_six(tmp_path / name, codec)
    content = bytearray(path.read_bytes())
    middle = len(content) // 3
    content[middle : middle + 8000] = np.random.default_rng(1).bytes(8000)
    path.write_bytes(content)
    assert _first_sound(path) == pytest.approx(6, abs=0.1)


def test_a_tag_between_the_frames_of_glued_recordings_takes_no_time(tmp_path: Path) -> None:
    path = _tone_at_six(tmp_path / "a.mp3", "libmp3lame")
    content = path.read_bytes()
    with av.open(str(path)) as container:
        cut = next(packet.pos for packet in container.demux(audio=0) if packet.pos and packet.pos > len(content) // 3)
    tag = b"ID3\x04\x00\x00\x00\x01\x00\x00" + bytes(1 << 14)  # its length in groups of seven bits
    path.write_bytes(content[:cut] + tag + content[cut:])
    assert _first_sound(path) == pytest.approx(6, abs=0.1)


def _tone_at_six(path: Path, codec: str) -> Path:
    """Six seconds of silence, then three of a tone."""
    writer = Writer(path)
    writer.audio(rate_hz=48000, codec=codec)
    writer.play(0, np.concatenate([np.zeros((1, 6 * 48000), np.float32), tone(3, 48000, 1)], axis=1), piece=1152)
    return writer.close()


def _first_sound(path: Path) -> float:
    recording, _ = look_at(path)
    findings: list[Finding] = []
    for block in AudioBlocks(recording, recording.audio[0], findings.append):
        loud = np.flatnonzero(np.abs(block.samples) > 0.2)
        loud = loud[block.start + loud / SAMPLE_RATE_HZ > 4]  # the damage itself may crack
        if len(loud):
            return block.start + float(loud[0]) / SAMPLE_RATE_HZ
    raise AssertionError("no sound")


def test_blocks_are_bounded_and_follow_each_other_exactly(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "a.mka")
    writer.audio(rate_hz=44100)
    writer.play(0, tone(5, 44100, 1))
    blocks = hear(look_at(writer.close())[0], block_s=0.5)
    assert len(blocks) == 10 or (len(blocks) == 11 and len(blocks[-1].samples) < 100)
    assert all(len(b.samples) <= 8000 for b in blocks)
    for before, after in pairwise(blocks):
        assert after.start == pytest.approx(_end(before), abs=1e-6)


def test_jitter_of_the_timestamps_breaks_no_block() -> None:
    joiner = Joiner(16000 * 60)
    rng = np.random.default_rng(1)
    given = [b for i in range(100) for b in joiner.take(i * 0.064 + rng.uniform(-0.02, 0.02), _frame(1024))]
    given += joiner.flush()
    assert [len(samples) for _, samples in given] == [102400]


def test_overlapping_sound_never_gives_overlapping_blocks() -> None:
    """The second and third frames begin before the first one has ended."""
    joiner = Joiner(16000)
    given = [b for time in (0.0, 0.4, 0.1, 2.0) for b in joiner.take(time, _frame(16000))]
    given += joiner.flush()
    ends = [start + len(samples) / 16000 for start, samples in given]
    assert all(start >= end - 1e-9 for (start, _), end in zip(given[1:], ends, strict=False))
    assert ends[-1] == pytest.approx(3.0)
    assert sum(len(samples) for _, samples in given) / 16000 == pytest.approx(2.4, abs=0.001)


def test_a_slow_clock_is_followed_not_summed_up() -> None:
    """A sound card that runs 0.1 % slow: after an hour the last sample still lies where its timestamp says."""
    joiner = Joiner(16000 * 30)
    given = [b for i in range(3600) for b in joiner.take(i * 1.001, _frame(16000))]
    given += joiner.flush()
    last, samples = given[-1]
    assert last + len(samples) / 16000 == pytest.approx(3599 * 1.001 + 1, abs=0.06)


def test_the_file_is_closed_when_the_consumer_breaks_off(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "a.wav")
    writer.audio()
    writer.play(0, tone(3, 16000, 1))
    recording, _ = look_at(writer.close())
    before = _open_files()
    for _ in AudioBlocks(recording, recording.audio[0], nothing_said, block_s=0.1):
        assert _open_files() == before + 1
        break
    assert _open_files() == before


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0


def _frame(samples: int) -> av.AudioFrame:
    frame = av.AudioFrame.from_ndarray(np.full((1, samples), 0.1, np.float32), format="flt", layout="mono")
    frame.sample_rate = 16000
    return frame
