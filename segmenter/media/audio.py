"""The sound of a recording as mono 16 kHz blocks with their true starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from segmenter.media.decoding import Damage, decoded
from segmenter.media.joining import SAMPLE_RATE_HZ as SAMPLE_RATE_HZ
from segmenter.media.joining import Joiner
from segmenter.media.opening import opened
from segmenter.records import AudioStream, Finding, Recording


@dataclass(frozen=True, slots=True, eq=False)
class AudioBlock:
    """`samples` are mono 16 kHz float32, shape (n,), finite; the first one is heard at `start` seconds."""

    start: float
    samples: NDArray[np.float32]


class AudioBlocks:
    """The blocks of one audio stream in order, never overlapping, at most `block_s` long.

    A block that follows without a hole begins where the one before ends. A hole in the timestamps is a distance
    between blocks, not zeros; sound that would overlap earlier sound is left out. Packets that cannot be decoded are
    skipped, counted and reported at the end. After iteration `end` is where the decoded sound ends, in seconds.
    """

    def __init__(
        self, recording: Recording, stream: AudioStream, report: Callable[[Finding], None], block_s: float = 10.0
    ) -> None:
        self._recording, self._stream, self._report = recording, stream, report
        self._block_samples = max(1, round(block_s * SAMPLE_RATE_HZ))
        self.end = 0.0

    def __iter__(self) -> Iterator[AudioBlock]:
        damage, joiner = Damage("sound"), Joiner(self._block_samples)
        with opened(self._recording.path) as container:
            for time, frame in decoded(container, self._recording, self._stream, damage):
                for start, samples in joiner.take(time, frame):
                    yield AudioBlock(start, samples)
            for start, samples in joiner.flush():
                yield AudioBlock(start, samples)
        self.end = joiner.end
        damage.tell(self._report)
        if joiner.not_finite:
            message = f"{joiner.not_finite} samples are not finite (NaN, inf): damaged, heard as silence"
            self._report(Finding("sound_not_finite", message))
