"""Speakers told apart in real sound, with the real networks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from segmenter import weights
from segmenter.errors import ModelMissing
from segmenter.evaluate.speakers import diarization_error
from segmenter.formats import rttm
from segmenter.media.audio import SAMPLE_RATE_HZ, AudioBlock, AudioBlocks
from segmenter.media.probe import probe
from segmenter.records import Turn
from segmenter.settings import Settings
from segmenter.speech.embedded_speakers import EmbeddedSpeakers, completed, silences
from segmenter.speech.pitch import median_pitch
from segmenter.speech.speaker_activity import FIRST_FRAME_SAMPLE
from segmenter.speech.speaker_encoder import SpeakerEncoder, filter_banks
from segmenter.speech.turns import FRAME_SAMPLES, runs
from segmenter.speech.vad import VoiceActivity


@pytest.fixture(scope="module")
def diarizer() -> EmbeddedSpeakers:
    try:
        return EmbeddedSpeakers(weights.locate(Settings().speech.speaker_model).path)
    except ModelMissing as missing:
        pytest.skip(str(missing))


def blocks(path: Path, until: float) -> list[AudioBlock]:
    recording = probe(path, lambda _: None)
    return [block for block in AudioBlocks(recording, recording.audio[0], lambda _: None) if block.start < until]


def told_apart(diarizer: EmbeddedSpeakers, sound: Iterable[AudioBlock], count: int | None = None) -> tuple[Turn, ...]:
    listener = diarizer.listener()
    for piece in VoiceActivity().listen(sound):
        listener.hear(piece)
    return listener.turns(count)


def truth(path: Path, until: float) -> list[Turn]:
    return [replace(turn, end=min(turn.end, until)) for turn in rttm.read(path, None, lambda _: None) if turn.start < until]


@pytest.fixture(scope="module")
def minute(shared: Path) -> list[AudioBlock]:
    """The first minute of a meeting of three."""
    return blocks(shared / "speech" / "tts_meeting_a.opus", 60.0)


@pytest.fixture(scope="module")
def three(diarizer: EmbeddedSpeakers, minute: list[AudioBlock]) -> tuple[Turn, ...]:
    return told_apart(diarizer, minute)


def test_a_minute_of_three_people_has_three_speakers(three: tuple[Turn, ...], shared: Path) -> None:
    assert list(dict.fromkeys(turn.speaker for turn in three)) == ["S1", "S2", "S3"]
    assert diarization_error(truth(shared / "speech" / "tts_meeting_a.rttm", 60.0), three).rate < 0.10


def test_turns_are_in_order_and_inside_the_sound(three: tuple[Turn, ...]) -> None:
    assert list(three) == sorted(three, key=lambda turn: turn.start)
    assert max(turn.end for turn in three) <= 60.0


def test_a_later_start_shifts_every_turn(diarizer: EmbeddedSpeakers, minute: list[AudioBlock]) -> None:
    later = told_apart(diarizer, [AudioBlock(block.start + 3600, block.samples) for block in minute[:3]])
    now = told_apart(diarizer, minute[:3])
    assert [turn.speaker for turn in later] == [turn.speaker for turn in now]
    assert [turn.start for turn in later] == pytest.approx([turn.start + 3600 for turn in now], abs=1e-6)


def test_one_reader_is_one_speaker(diarizer: EmbeddedSpeakers, shared: Path) -> None:
    found = told_apart(diarizer, blocks(shared / "speech" / "two_cities.opus", 30.0))
    assert {turn.speaker for turn in found} == {"S1"}


def test_the_number_of_speakers_can_be_given(diarizer: EmbeddedSpeakers, minute: list[AudioBlock]) -> None:
    assert len({turn.speaker for turn in told_apart(diarizer, minute[:3], count=2)}) == 2


def test_real_telephone_speech_with_both_at_once(diarizer: EmbeddedSpeakers, shared: Path) -> None:
    name = shared / "speech" / "phone_call_two_speakers"
    found = told_apart(diarizer, blocks(name.with_suffix(".flac"), 30.0))
    assert diarization_error(truth(name.with_suffix(".rttm"), 30.0), found).rate < 0.15
    assert any(b.start < a.end for a, b in pairwise(found))


def test_a_silence_between_two_sentences_of_one_speaker_ends_the_turn(diarizer: EmbeddedSpeakers, shared: Path) -> None:
    """The network hears one turn through pauses of 0.30 to 0.40 s."""
    name = shared / "speech" / "tts_hindi_short"
    found = told_apart(diarizer, blocks(name.with_suffix(".opus"), 13.0))
    assert len(found) > 1
    assert diarization_error(truth(name.with_suffix(".rttm"), 13.0), found).rate < 0.08


def test_a_hole_in_the_sound_stays_a_hole(diarizer: EmbeddedSpeakers, minute: list[AudioBlock]) -> None:
    """Ten seconds, a hole of thirty, ten seconds: nobody speaks in the hole, and who spoke before speaks after it."""
    first, second = minute[0], AudioBlock(40.0, minute[0].samples)
    found = told_apart(diarizer, [first, second])
    assert not any(turn.end > 10.1 and turn.start < 40.0 for turn in found)
    before, after = ([t for t in found if (t.start < 20) == early] for early in (True, False))
    assert [t.speaker for t in before] == [t.speaker for t in after]
    assert [t.start + 40 - first.start for t in before] == pytest.approx([t.start for t in after], abs=1e-6)


@pytest.mark.parametrize("kind", ["silence", "noise"])
def test_without_a_voice_nobody_speaks(diarizer: EmbeddedSpeakers, kind: str) -> None:
    noise = np.random.default_rng(0).normal(0, 0.03, 30 * SAMPLE_RATE_HZ).astype(np.float32)
    assert told_apart(diarizer, [AudioBlock(0.0, noise * (kind == "noise"))]) == ()


def test_a_sound_shorter_than_a_frame_is_nobody(diarizer: EmbeddedSpeakers) -> None:
    assert told_apart(diarizer, [AudioBlock(0.0, np.zeros(100, np.float32))]) == ()


def test_what_are_no_weights_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.pt").write_bytes(b"no weights")
    with pytest.raises(ModelMissing, match="not the weights"):
        SpeakerEncoder(str(tmp_path / "x.pt"))


def tone(hertz: float, seconds: float = 1.0) -> np.ndarray:
    at = np.arange(round(seconds * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ
    return np.asarray(0.3 * sum(np.sin(2 * np.pi * hertz * k * at) / k for k in (1, 2, 3, 4, 5)), np.float32)


@pytest.mark.parametrize("hertz", [80.0, 120.0, 210.0, 330.0])
def test_the_pitch_of_a_known_tone(hertz: float) -> None:
    assert 2 ** median_pitch(tone(hertz)) == pytest.approx(hertz, rel=0.02)


def test_noise_and_what_is_too_short_have_no_pitch() -> None:
    assert np.isnan(median_pitch(np.random.default_rng(0).normal(0, 0.1, SAMPLE_RATE_HZ).astype(np.float32)))
    assert np.isnan(median_pitch(tone(120.0, 0.05)))


def test_a_tones_energy_lies_in_the_band_of_its_frequency() -> None:
    """1000 Hz are 1000 mel by definition, and the 80 bands are equally wide from 31.7 to 2840 mel: it lies in band 27."""
    at = np.arange(SAMPLE_RATE_HZ) / SAMPLE_RATE_HZ
    sweep = np.concatenate([np.sin(2 * np.pi * 1000 * at), np.sin(2 * np.pi * 3000 * at)]).astype(np.float32)
    first = filter_banks(sweep)[:90].mean(axis=0)
    assert first.shape == (80,)
    assert first.argmax() == 27


def test_loudness_changes_no_features() -> None:
    sound = tone(150.0) + np.random.default_rng(0).normal(0, 0.01, SAMPLE_RATE_HZ).astype(np.float32)
    np.testing.assert_allclose(filter_banks(sound), filter_banks(np.float32(4.0) * sound), atol=1e-3)


def test_edges_that_the_voice_detector_alone_hears_go_to_the_nearest_speaker() -> None:
    active = np.zeros((100, 2), np.bool_)
    active[20:30, 0] = active[34:60, 1] = True
    voice = np.zeros(100, np.float32)
    voice[10:90] = 0.9
    filled = completed(active, voice)
    assert [np.flatnonzero(filled[:, who])[[0, -1]].tolist() for who in (0, 1)] == [[10, 31], [32, 74]]
    voice[:] = 0.4
    assert (completed(active, voice) == active).all()
    assert not completed(np.zeros((100, 2), np.bool_), voice + 0.5).any()


FRAMES = 300


def paused(first: int, end: int, faint: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """A voice with a pause in frames [first, end), in which a steady tone sounds; faint noise under all; and what hears it."""
    sound = np.random.default_rng(0).normal(0, 0.001, FIRST_FRAME_SAMPLE + FRAMES * FRAME_SAMPLES)
    silent = slice(FIRST_FRAME_SAMPLE + first * FRAME_SAMPLES, FIRST_FRAME_SAMPLE + end * FRAME_SAMPLES)
    voiced = np.resize(tone(150.0), len(sound))
    voiced[silent] *= faint
    voice = np.full(FRAMES, 0.9, np.float32)
    voice[first:end] = 0.02
    return (sound + voiced).astype(np.float32), voice


def test_a_pause_at_the_floor_of_the_sound_is_silence() -> None:
    ((first, end),) = runs(silences(*paused(100, 130)))
    assert (first, end) == (101, 129)  # a level is told from three frames


def test_a_short_pause_is_none() -> None:
    assert not silences(*paused(100, 117)).any()


def test_where_something_sounds_or_a_voice_may_be_heard_there_is_no_silence() -> None:
    quiet, voice = paused(100, 130)
    assert not silences(quiet, np.maximum(voice, np.float32(0.2))).any()
    far = paused(100, 130, faint=0.05)[0]
    far[: 60 * FRAME_SAMPLES] *= 0.01  # the floor is heard elsewhere
    assert not silences(far, voice).any()


def test_a_sound_without_level_is_silent_where_no_voice_is_heard() -> None:
    assert silences(np.zeros(FIRST_FRAME_SAMPLE + FRAMES * FRAME_SAMPLES, np.float32), np.zeros(FRAMES, np.float32)).all()
    assert silences(np.zeros(1000, np.float32), np.zeros(1, np.float32)).tolist() == [False]
