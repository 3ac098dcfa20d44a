"""Decoded sound of any kind, piece by piece -> mono 16 kHz samples laid out by their timestamps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from av import AudioFrame, AudioResampler
from numpy.typing import NDArray

SAMPLE_RATE_HZ = 16_000
JITTER_S = 0.05  # timestamps are rounded and clocks drift: so little early or late is no hole and no overlap
_FRAME_SAMPLES = 4_000  # of the resampled sound at a time: packets of 20 ms one by one would cost a third more
LOUDEST = 8.0  # the sum of eight channels, full scale; only a damaged float file is louder

# A recorder with three or six microphones often says 2.1 or 5.1: its "bass" channel may hold a voice.
_OPTIONS = {"lfe_mix_level": "1"}

Samples = NDArray[np.float32]


class Joiner:
    """Joins what follows without a hole; begins anew, at the true time, where the timestamps or the format say so."""

    def __init__(self, block_samples: int) -> None:
        self._block = block_samples
        self._resampler: AudioResampler | None = None
        self._format: tuple[str, str, int] | None = None
        self._heard = 0.0  # where the sound taken so far ends
        self._start, self._given = 0.0, 0  # of the running stretch: its start, and the samples already given away
        self._cut = 0  # samples to leave out, because they would overlap
        self._waiting: list[Samples] = []
        self._count = 0
        self.end = 0.0  # where the samples given so far end, in seconds
        self.not_finite = 0

    def take(self, time: float | None, frame: AudioFrame) -> Iterator[tuple[float, Samples]]:
        """Take the next frame, heard from `time` (None: at once after the one before); give full blocks with their starts."""
        time = self._heard if time is None else time
        lasts, late = frame.samples / frame.sample_rate, time - self._heard
        if late + lasts <= 0 and late < -JITTER_S:
            return
        kind = (frame.format.name, frame.layout.name, frame.sample_rate)
        if kind != self._format or abs(late) > JITTER_S:
            yield from self.flush()
            self._begin(time, kind)
        frame.pts = None  # the resampler counts on by itself
        assert self._resampler is not None
        self._heard += lasts
        self._add(self._resampler.resample(frame))
        while self._count >= self._block:
            yield self._give(self._block)

    def flush(self) -> Iterator[tuple[float, Samples]]:
        """Give what is left of the running stretch."""
        if self._resampler is not None:
            self._add(self._resampler.resample(None))
            self._resampler = None
        while self._count:
            yield self._give(min(self._count, self._block))

    def _begin(self, time: float, kind: tuple[str, str, int]) -> None:
        follows = self._format is not None and abs(time - self._heard) <= JITTER_S
        self._heard = max(self.end, self._heard) if follows else time
        self._start, self._given = max(self.end, self._heard), 0
        self._cut = round((self._start - self._heard) * SAMPLE_RATE_HZ)
        self._format = kind
        self._resampler = AudioResampler(
            format="flt", layout="mono", rate=SAMPLE_RATE_HZ, frame_size=_FRAME_SAMPLES, options=_OPTIONS
        )

    def _add(self, frames: list[AudioFrame]) -> None:
        for frame in frames:
            samples = np.asarray(frame.to_ndarray(), np.float32).reshape(-1)
            skip = min(self._cut, len(samples))
            self._cut -= skip
            self._waiting.append(samples[skip:])
            self._count += len(samples) - skip

    def _give(self, count: int) -> tuple[float, Samples]:
        joined = np.concatenate(self._waiting)
        self._waiting, self._count = [joined[count:]], len(joined) - count
        start = self._start + self._given / SAMPLE_RATE_HZ
        self._given += count
        self.end = self._start + self._given / SAMPLE_RATE_HZ
        return start, self._sound(joined[:count])

    def _sound(self, samples: Samples) -> Samples:
        finite = np.isfinite(samples)
        if not finite.all():
            self.not_finite += int(np.count_nonzero(~finite))
            samples = np.where(finite, samples, np.float32(0))
        return np.clip(samples, -LOUDEST, LOUDEST)
