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
from segmenter.speech.vad import FRAME_SAMPLES, PAUSE_FRAMES, VoiceActivity, speech

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
