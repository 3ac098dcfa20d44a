"""How high a voice is: its median pitch, as a pure function of sound."""

from __future__ import annotations

from math import nan

import numpy as np
from numpy.typing import NDArray

from segmenter.media.audio import SAMPLE_RATE_HZ

_FRAME, _HOP = 1024, 256  # 64 ms, so that a low voice swings three times; every 16 ms
_SHORTEST, _LONGEST = SAMPLE_RATE_HZ // 400, SAMPLE_RATE_HZ // 57  # periods in samples: voices swing 57 to 400 times a second
_VOICED = 0.6  # correlation of a frame with itself one period later, at least
_LOUD = 0.3  # of the median frame's energy, at least
_OCTAVE_COST = 0.02  # for twice the period: what repeats once a period repeats as well every two
_LEAST_FRAMES = 6

_WINDOW = np.hanning(_FRAME)


def median_pitch(samples: NDArray[np.float32]) -> float:
    """The median over voiced frames in octaves, log2 of hertz; NaN where fewer than six frames are voiced.

    By autocorrelation, the window's own divided out (Boersma 1993, "Accurate short-term analysis").
    """
    if len(samples) < _FRAME:
        return nan
    frames = np.lib.stride_tricks.sliding_window_view(samples, _FRAME)[::_HOP]
    frames = frames - frames.mean(axis=1, keepdims=True)
    energy = (frames**2).sum(axis=1)
    correlation = _autocorrelation(frames * _WINDOW) / _autocorrelation(_WINDOW[None])
    periods = correlation[:, _SHORTEST:_LONGEST]
    voiced = (periods.max(axis=1) > _VOICED) & (energy > _LOUD * np.median(energy))
    if voiced.sum() < _LEAST_FRAMES:
        return nan
    octaves = np.log2(SAMPLE_RATE_HZ / np.arange(_SHORTEST, _LONGEST))
    best = (periods[voiced] + _OCTAVE_COST * octaves).argmax(axis=1)
    return float(np.median(octaves[best]))


def _autocorrelation(frames: NDArray[np.floating]) -> NDArray[np.float64]:
    """Per row, from no shift (1) to the longest period, shape (rows, longest)."""
    spectrum = np.abs(np.fft.rfft(frames, 2 * _FRAME)) ** 2
    raw = np.fft.irfft(spectrum)[:, :_LONGEST]
    return np.asarray(raw / np.maximum(raw[:, :1], 1e-12))
