"""Recordings as blocks of sound, for the tests of the speech room."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from segmenter.media.audio import SAMPLE_RATE_HZ, AudioBlock, AudioBlocks
from segmenter.media.probe import probe
from segmenter.records import Finding


def samples_of(path: Path) -> NDArray[np.float32]:
    findings: list[Finding] = []
    recording = probe(path, findings.append)
    return np.concatenate([block.samples for block in AudioBlocks(recording, recording.audio[0], findings.append)])


def blocks_of(samples: NDArray[np.float32], size: int, start: float = 0.0) -> Iterator[AudioBlock]:
    for at in range(0, len(samples), size):
        yield AudioBlock(start + at / SAMPLE_RATE_HZ, samples[at : at + size])
