"""Sentences stand where they are said, however the recording is made: within 0.1 s of the true times."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import REPOSITORY
from films import RATE_HZ, Film, Sound
from sounds import samples_of

from segmenter import weights
from segmenter.errors import BadInput, ModelMissing
from segmenter.evaluate.speech import edge_errors
from segmenter.media.audio import AudioBlocks
from segmenter.media.probe import probe
from segmenter.records import Finding, Sentence
from segmenter.settings import SpeechSettings
from segmenter.speech.transcriber import TRANSCRIBERS, Transcriber
from segmenter.speech.understanding import understand
from segmenter.speech.vad import VoiceActivity
from segmenter.speech.windows import windows
from segmenter.table import load

SETTINGS = SpeechSettings(model="tiny.en")
LENGTH_S = 15.0  # three sentences, the last one from 11.408 to 14.805 s
NEAR_S = 0.1


@pytest.fixture(scope="module")
def said() -> Sound:
    return samples_of(REPOSITORY / "samples" / "standup.opus")[: round(LENGTH_S * RATE_HZ)]


@pytest.fixture(scope="module")
def transcriber() -> Transcriber:
    try:
        model = weights.locate("faster-whisper/tiny.en")
    except ModelMissing as error:
        pytest.skip(str(error))
    made: Transcriber = load("transcriber", TRANSCRIBERS, "faster-whisper")(model.path, SETTINGS, 1)
    return made


def truth(delay: float = 0.0, hole: float = 0.0) -> list[Sentence]:
    """What is said, `delay` later, and `hole` later still from the second sentence on."""
    known = json.loads((REPOSITORY / "samples" / "standup.json").read_text(encoding="utf-8"))["sentences"][:3]
    delays = [delay, delay + hole, delay + hole]
    return [Sentence(s["text"], s["start"] + d, s["end"] + d) for s, d in zip(known, delays, strict=True)]


def check(path: Path, transcriber: Transcriber, expected: list[Sentence], track: str | None = None) -> list[Finding]:
    """All sentences are there, and all their edges near the true ones; what probing and decoding found is given back."""
    findings: list[Finding] = []
    recording = probe(path, findings.append, track)
    blocks = AudioBlocks(recording, recording.audio[0], findings.append)
    made = understand(transcriber.transcribe(windows(VoiceActivity().listen(blocks), SETTINGS), "en"), SETTINGS)
    errors = edge_errors(expected, made, "en")
    assert (len(errors.starts), len(errors.ends)) == (len(expected), len(expected)), [s.text for s in made]
    assert max(np.abs([*errors.starts, *errors.ends])) < NEAR_S, errors
    return findings


def test_sound_that_starts_later_than_the_picture(tmp_path: Path, said: Sound, transcriber: Transcriber) -> None:
    film = Film(tmp_path / "late.mkv")
    picture, sound = film.picture(), film.sound()
    film.show(picture, np.arange(0, 20, 0.5))
    film.play(sound, (4.087, said))
    check(film.close(), transcriber, truth(delay=4.087))


def test_a_hole_in_the_sound(tmp_path: Path, said: Sound, transcriber: Transcriber) -> None:
    film, cut = Film(tmp_path / "hole.mkv"), round(6.4 * RATE_HZ)
    film.play(film.sound(), (0.0, said[:cut]), (11.4, said[cut:]))
    findings = check(film.close(), transcriber, truth(hole=5.0))
    assert "audio_hole" in {finding.code for finding in findings}


def test_damaged_packets_in_the_middle(tmp_path: Path, said: Sound, transcriber: Transcriber) -> None:
    """Half a second of the second sentence is lost; the edges of all stay."""
    film = Film(tmp_path / "damaged.mkv")
    film.play(film.sound(), (0.0, said), damaged=(8.0, 8.5))
    assert {f.level for f in check(film.close(), transcriber, truth())} == {"warning", "note"}


def test_pictures_at_a_variable_rate(tmp_path: Path, said: Sound, transcriber: Transcriber) -> None:
    film = Film(tmp_path / "variable.mkv")
    picture, sound = film.picture(), film.sound()
    film.show(picture, np.cumsum([0.0, *np.random.default_rng(1).choice([0.017, 0.04, 0.9], 60)]))
    film.play(sound, (0.0, said))
    check(film.close(), transcriber, truth())


def test_a_telephone_s_rate(tmp_path: Path, said: Sound, transcriber: Transcriber) -> None:
    film = Film(tmp_path / "telephone.mkv")
    film.play(film.sound(rate_hz=8000), (0.0, said))
    check(film.close(), transcriber, truth())


def test_six_channels(tmp_path: Path, said: Sound, transcriber: Transcriber) -> None:
    film = Film(tmp_path / "surround.mkv")
    film.play(film.sound("5.1", 48000), (0.0, said))
    check(film.close(), transcriber, truth())


@pytest.mark.parametrize("track", ["2", "deu", "de"])
def test_the_track_that_was_asked_for(tmp_path: Path, said: Sound, transcriber: Transcriber, track: str) -> None:
    film = Film(tmp_path / "tracks.mkv")
    first, second = film.sound(language="eng"), film.sound(language="deu")
    film.play(first, (0.0, np.zeros_like(said)))
    film.play(second, (0.5, said))
    findings = check(film.close(), transcriber, truth(delay=0.5), track)
    assert "2 audio tracks: 2 (deu) is used, 1 (eng) not" in {finding.message for finding in findings}


def test_a_track_that_is_not_there(tmp_path: Path, said: Sound) -> None:
    film = Film(tmp_path / "tracks.mkv")
    film.play(film.sound(language="eng"), (0.0, said))
    path = film.close()
    with pytest.raises(BadInput, match=r"no audio track '2' \(there are: 1 \(eng\)\)"):
        probe(path, list[Finding]().append, "2")


@pytest.mark.parametrize("picture_s", [7.0, 30.0])
def test_sound_longer_or_shorter_than_the_picture(
    tmp_path: Path, said: Sound, transcriber: Transcriber, picture_s: float
) -> None:
    film = Film(tmp_path / "lengths.mkv")
    picture, sound = film.picture(), film.sound()
    film.show(picture, np.arange(0, picture_s, 0.5))
    film.play(sound, (0.0, said))
    check(film.close(), transcriber, truth())
