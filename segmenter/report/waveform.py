"""How loud a recording is over time, for drawing."""

from __future__ import annotations

import numpy as np
from av.error import FFmpegError
from numpy.typing import NDArray

from segmenter.errors import InputError
from segmenter.media.audio import SAMPLE_RATE_HZ, AudioBlocks
from segmenter.progress import Progress, silent
from segmenter.records import Recording

_RATE_HZ = 20  # shows every syllable
_BEND = 0.7
_MOST = 60_000  # ten hours at 1.7 Hz: 80 kB in the page


def peaks(recording: Recording, progress: Progress = silent) -> NDArray[np.uint8]:
    """The greatest amplitude in each of equal parts of [0, duration], 0 to 255, bent so that quiet speech is visible.

    Empty without sound, or where the file cannot be read any more.
    """
    if not recording.audio or recording.duration <= 0:
        return np.empty(0, np.uint8)
    count = min(_MOST, max(1, round(recording.duration * _RATE_HZ)))
    loudest = np.zeros(count, np.float32)
    try:
        for block in AudioBlocks(recording, recording.audio[0], lambda _: None):
            progress("waveform", min(block.start, recording.duration), recording.duration)
            _raise(loudest, block.start, block.samples, count / recording.duration)
    except (InputError, FFmpegError):
        return np.empty(0, np.uint8)
    progress("waveform", recording.duration, recording.duration)
    return np.asarray(np.clip(loudest, 0, 1) ** _BEND * 255, np.uint8)


def _raise(loudest: NDArray[np.float32], start: float, samples: NDArray[np.float32], rate_hz: float) -> None:
    """Lifts the parts that a block of sound covers to its amplitudes."""
    times = start + np.arange(len(samples)) / SAMPLE_RATE_HZ
    parts = np.minimum((times * rate_hz).astype(np.int64), len(loudest) - 1)
    firsts = np.flatnonzero(np.diff(parts, prepend=-1))
    covered = parts[firsts]
    loudest[covered] = np.maximum(loudest[covered], np.maximum.reduceat(np.abs(samples), firsts))
