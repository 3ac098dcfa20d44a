"""Voice activity: the streamed network says what the whole-file one says, and spans follow from it by hysteresis."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sounds import blocks_of, samples_of

from segmenter.media.audio import SAMPLE_RATE_HZ, AudioBlock
from segmenter.speech.vad import (
    DOUBTED_FRAMES,
    FRAME_SAMPLES,
    LEVEL_FRAMES,
    PAUSE_FRAMES,
    VoiceActivity,
    beginning,
    power,
    speech,
)

ON, OFF = 0.5, 0.35


@pytest.fixture(scope="module")
def detector() -> VoiceActivity:
    return VoiceActivity()


@pytest.fixture(scope="module")
def jfk(shared: Path) -> NDArray[np.float32]:
    return samples_of(shared / "speech" / "jfk.flac")


@pytest.mark.parametrize("size", [512, 7001, 160_000, 10_000_000])
def test_any_block_size_gives_the_same_to_the_bit(detector: VoiceActivity, jfk: NDArray[np.float32], size: int) -> None:
    sound = np.concatenate([jfk, jfk])  # more than one piece
    whole = list(detector.listen([AudioBlock(0.0, sound)]))
    streamed = list(detector.listen(blocks_of(sound, size)))
    assert len(whole) == 2
    assert [p.start for p in streamed] == pytest.approx([p.start for p in whole], abs=1e-9)
    assert all(np.array_equal(a.voice, b.voice) for a, b in zip(streamed, whole, strict=True))
    assert np.array_equal(np.concatenate([p.samples for p in streamed]), sound)


def test_it_says_what_faster_whisper_says_about_the_whole_file(detector: VoiceActivity, jfk: NDArray[np.float32]) -> None:
    from faster_whisper.vad import get_vad_model

    voice = np.concatenate([p.voice for p in detector.listen(blocks_of(jfk, 16_000))])
    expected = get_vad_model()(np.pad(jfk, (0, -len(jfk) % FRAME_SAMPLES)))
    assert voice == pytest.approx(expected.reshape(-1), abs=1e-4)


def test_after_a_hole_the_state_starts_anew(detector: VoiceActivity, jfk: NDArray[np.float32]) -> None:
    first, second = jfk[: 5 * SAMPLE_RATE_HZ], jfk[5 * SAMPLE_RATE_HZ :]
    broken = list(detector.listen([AudioBlock(1.0, first), AudioBlock(60.0, second)]))
    alone = list(detector.listen([AudioBlock(0.0, second)]))
    assert [(p.run, p.start) for p in broken] == [(0, 1.0), (1, 60.0)]
    assert np.array_equal(broken[1].voice, alone[0].voice)


def test_rounded_timestamps_are_no_hole(detector: VoiceActivity, jfk: NDArray[np.float32]) -> None:
    rounded = [AudioBlock(round(b.start, 3), b.samples) for b in blocks_of(jfk, 1001)]
    assert {piece.run for piece in detector.listen(rounded)} == {0}


def test_no_sound_gives_no_piece(detector: VoiceActivity) -> None:
    assert list(detector.listen([])) == []
    assert list(detector.listen([AudioBlock(0.0, np.zeros(0, np.float32))])) == []


def test_speech_begins_at_on_and_ends_below_off() -> None:
    assert speech([0.4, 0.5, 0.36, 0.36, 0.2, 0.2, 0.2, 0.2, 0.4, 0.49], ON, OFF) == [(1, 4)]


def test_a_dip_shorter_than_a_pause_lies_inside_a_word() -> None:
    dip = [0.1] * (PAUSE_FRAMES - 1)
    assert speech([0.9, *dip, 0.4, 0.1], ON, OFF) == [(0, PAUSE_FRAMES + 1)]
    assert speech([0.9, *dip, 0.1, 0.9], ON, OFF) == [(0, 1), (PAUSE_FRAMES + 1, PAUSE_FRAMES + 2)]


def test_a_span_that_was_cut_goes_on() -> None:
    assert speech([0.4, 0.4, 0.1], ON, OFF, speaking=True) == [(0, 2)]
    assert speech([0.4, 0.4, 0.1], ON, OFF) == []
    assert speech([0.1] * 10, ON, OFF, speaking=True) == []


@given(st.lists(st.floats(0, 1, width=32), max_size=200))
def test_laws_of_speech_spans(voice: list[float]) -> None:
    """Disjoint with pauses between, every loud frame inside, the first frame loud, and more frames never shrink one."""
    spans = speech(voice, ON, OFF)
    assert all(b[0] - a[1] >= PAUSE_FRAMES for a, b in pairwise(spans))
    assert all(any(a <= i < b for a, b in spans) for i, p in enumerate(voice) if p >= ON)
    assert all(voice[a] >= ON and voice[b - 1] >= OFF for a, b in spans)
    for n in range(len(voice)):
        shorter = speech(voice[:n], ON, OFF)
        assert shorter[:-1] == spans[: max(0, len(shorter) - 1)]
        assert not shorter or (shorter[-1][0] == spans[len(shorter) - 1][0] and shorter[-1][1] <= spans[len(shorter) - 1][1])


QUIET = [0.02] * 40


def begins(voice: list[float], pause: int, span: tuple[int, int], *, loud: dict[int, float] | None = None) -> int:
    """The beginning in sound that is equally loud everywhere, but for the frames in `loud`."""
    levels = np.ones(len(voice))
    levels[list(loud or {})] = list((loud or {}).values())
    return beginning(np.array(voice, np.float32), levels, pause, span)


def test_a_beginning_that_the_network_doubts_belongs_to_the_voice() -> None:
    """What Silero says about the /f/ and the /t/ of "Второй", between which it hears nothing."""
    assert begins([*QUIET, 0.37, 0.21, 0.09, 0.1, 0.88], 0, (44, 45)) == 40
    assert begins([*QUIET, 0.45, *[0.05] * PAUSE_FRAMES, 0.9], 0, (45, 46)) == 45


def test_a_beginning_is_doubted_for_a_third_of_a_second_at_most() -> None:
    assert begins([*QUIET, *[0.3] * 15, 0.9], 0, (55, 56)) == 55 - DOUBTED_FRAMES


def test_what_the_network_says_throughout_the_pause_is_no_beginning() -> None:
    """Under music it says 0.2 all the time; a voice rises above that."""
    music = [0.2, 0.25] * 20
    assert begins([*music, 0.9], 0, (40, 41)) == 40
    assert begins([*music, 0.4, 0.9], 0, (41, 42)) == 40


def test_a_breath_is_no_beginning() -> None:
    """What Silero says about a breath and a voice that is 33 dB louder."""
    breath = [0.15, 0.34, 0.44, 0.45, 0.42, 0.33, 0.23, 0.17]
    assert begins([*QUIET, *breath, 0.52, 0.9], 0, (48, 50), loud={49: 2000.0}) == 48
    assert begins([*QUIET, *breath, 0.52, 0.9], 0, (48, 50), loud={49: 500.0}) == 40


def test_a_fading_end_is_no_beginning_and_a_pause_stays_a_pause() -> None:
    assert begins([0.9, 0.3, 0.25, 0.2, 0.2, 0.05, 0.05, 0.05, 0.05, 0.05, 0.3, 0.9], 1, (11, 12)) == 10
    assert begins([0.9, 0.05, 0.05, 0.05, 0.3, 0.05, 0.05, 0.3, 0.9], 1, (8, 9)) == 7


def test_without_a_pause_a_span_begins_where_it_is_sure() -> None:
    assert begins([0.9, 0.9], 0, (0, 2)) == 0
    assert begins([0.9, 0.9], 1, (1, 2)) == 1


@given(st.lists(st.floats(0, 1, width=32), max_size=200))
def test_laws_of_beginnings(voice: list[float]) -> None:
    """Each lies behind the pause before, near the sure frame, and hangs on no frame behind it or long before it."""
    spans = speech(voice, ON, OFF)
    for pause, (first, end) in zip([0, *(end for _, end in spans)], spans, strict=False):
        found = begins(voice, pause, (first, end))
        assert max(min(pause + PAUSE_FRAMES, first), first - DOUBTED_FRAMES) <= found <= first
        assert begins(voice[:end], pause, (first, end)) == found
        gone = max(0, first - LEVEL_FRAMES)
        assert begins(voice[gone:], max(0, pause - gone), (first - gone, end - gone)) == found - gone


def test_power_is_the_mean_square_of_each_frame() -> None:
    sound = np.concatenate([np.zeros(FRAME_SAMPLES), np.full(FRAME_SAMPLES, 0.5), np.ones(FRAME_SAMPLES // 2)]).astype(np.float32)
    assert power(sound).tolist() == [0.0, 0.25, 0.5]
