"""Nothing is invented: without a voice there are no sentences and every writer copes; a loop is cut, marked, and stays alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import av
import numpy as np
import pytest
from conftest import REPOSITORY
from numpy.typing import NDArray
from sounds import blocks_of, samples_of

from segmenter import Settings, weights
from segmenter.errors import ModelMissing
from segmenter.evaluate.speech import error_rate
from segmenter.formats import folder
from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.pipeline import Segmenter
from segmenter.records import Sentence, Span
from segmenter.settings import SpeechSettings
from segmenter.speech.transcriber import TRANSCRIBERS, Window
from segmenter.speech.understanding import understand
from segmenter.speech.vad import VoiceActivity
from segmenter.speech.windows import windows
from segmenter.table import load

Sound = NDArray[np.float32]
FULL_SCALE = 32767


def silence(at: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0 * at


def white_noise(at: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.1 * np.random.default_rng(0).standard_normal(len(at))


def hum(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mains at 50 Hz with its overtones."""
    return sum((0.2 / n * np.sin(2 * np.pi * 50 * n * at) for n in (1, 2, 3, 5)), silence(at))


def music(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """A melody of plucked tones over a held chord, two tones a second."""
    steps = np.random.default_rng(1).choice([0, 2, 4, 5, 7, 9, 11, 12], 10_000)
    note = 220 * 2 ** (steps[(at * 2).astype(int)] / 12)
    pluck = np.exp(-4 * (at * 2 % 1)) * (np.sin(2 * np.pi * note * at) + 0.4 * np.sin(4 * np.pi * note * at))
    chord = sum((0.05 * np.sin(2 * np.pi * tone * at) for tone in (110, 138.6, 164.8)), silence(at))
    mixed: NDArray[np.float64] = 0.2 * pluck + chord
    return mixed


def arpeggios(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Broken chords over held ones that tremble like a voice."""
    root = np.array([110, 146.8, 98, 130.8])[(at / 4).astype(int) % 4]
    tone = root * np.array([1, 1.25, 1.5, 2, 2.5, 3])[(at * 4).astype(int) % 6]
    pluck = np.exp(-5 * (at * 4 % 1)) * sum((np.sin(2 * np.pi * n * tone * at) / n for n in (1, 2, 4)), silence(at))
    held = sum((np.sin(2 * np.pi * root * step * at) for step in (1, 1.2, 1.5, 2)), silence(at))
    mixed: NDArray[np.float64] = 0.2 * pluck + 0.04 * held * (1 + 0.3 * np.sin(2 * np.pi * 5 * at))
    return mixed


SOUNDS: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "silence": silence,
    "white noise": white_noise,
    "hum": hum,
    "music": music,
}


def write_sound(path: Path, make: Callable[[NDArray[np.float64]], NDArray[np.float64]], minutes: int) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("flac", rate=SAMPLE_RATE_HZ, layout="mono")
        for minute in range(minutes):
            at = 60.0 * minute + np.arange(60 * SAMPLE_RATE_HZ) / SAMPLE_RATE_HZ
            samples = (np.clip(make(at), -1, 1) * FULL_SCALE).astype(np.int16)
            frame = av.AudioFrame.from_ndarray(samples[None], "s16", "mono")
            frame.sample_rate, frame.pts = SAMPLE_RATE_HZ, minute * 60 * SAMPLE_RATE_HZ
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.mark.parametrize("minutes", [1, 10])
@pytest.mark.parametrize("name", SOUNDS)
def test_without_a_voice_there_is_no_sentence(name: str, minutes: int, tmp_path: Path) -> None:
    path = write_sound(tmp_path / "sound.flac", SOUNDS[name], minutes)
    try:
        found = Segmenter(Settings().changed("speech", model="tiny.en")).segment(path)
    except ModelMissing as error:
        pytest.skip(str(error))
    assert found.sentences == ()
    assert "no_speech" in {finding.code for finding in found.health}
    assert found.recording.duration == pytest.approx(60 * minutes, abs=0.1)
    written = folder.write(found, tmp_path / "out")
    assert (written / "transcript.vtt").read_text(encoding="utf-8").strip() == "WEBVTT"


def test_what_is_taken_for_a_voice_in_music_is_doubted_and_written(tmp_path: Path) -> None:
    path = write_sound(tmp_path / "sound.flac", arpeggios, 1)
    try:
        found = Segmenter(Settings().changed("speech", model="tiny.en")).segment(path)
    except ModelMissing as error:
        pytest.skip(str(error))
    assert [sentence.text for sentence in found.sentences if not sentence.doubts] == []
    assert {finding.code for finding in found.health} & {"no_speech", "doubtful_sentences"}
    assert (folder.write(found, tmp_path / "out") / "transcript.vtt").read_text(encoding="utf-8").startswith("WEBVTT")


def test_a_loop_stays_in_its_window() -> None:
    """Twenty minutes in, a window of a made loop; the talk right behind it is untouched."""
    settings = SpeechSettings(model="tiny.en")
    try:
        model = weights.locate("faster-whisper/tiny.en")
    except ModelMissing as error:
        pytest.skip(str(error))
    transcriber = load("transcriber", TRANSCRIBERS, "faster-whisper")(model.path, settings, 1)
    sound = samples_of(REPOSITORY / "samples" / "standup.opus")[: 20 * SAMPLE_RATE_HZ]
    (talk,) = windows(VoiceActivity().listen(blocks_of(sound, 160_000, 1260.0)), settings)
    phrase = sound[round(2.5 * SAMPLE_RATE_HZ) : round(4.0 * SAMPLE_RATE_HZ)]
    again = np.tile(phrase, 16)
    loop = Window(1230.0, again, (Span(1230.0, 1230.0 + len(again) / SAMPLE_RATE_HZ),))
    alone = understand(transcriber.transcribe([talk], "en"), settings)
    behind = [s for s in understand(transcriber.transcribe([loop, talk], "en"), settings) if s.start >= 1260]
    assert error_rate(text_of(alone), text_of(behind), "en") < 0.05
    assert not any(s.doubts for s in behind)
    assert behind[0].start == pytest.approx(alone[0].start, abs=0.05)
    assert all(s.doubts for s in understand(transcriber.transcribe([loop], "en"), settings))


def text_of(sentences: Sequence[Sentence]) -> str:
    return " ".join(sentence.text for sentence in sentences)
