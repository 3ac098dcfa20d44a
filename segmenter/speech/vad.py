"""Where somebody speaks: Silero VAD, streamed.

The network (Silero VAD v6, https://github.com/snakers4/silero-vad, MIT) answers for each frame of 512 samples with
the probability of a voice, and carries its state from frame to frame. Here it runs on the sound as it comes, so that
memory does not grow with the recording; after a hole it starts anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segmenter.media.audio import SAMPLE_RATE_HZ, AudioBlock

FRAME_SAMPLES = 512
FRAME_S = FRAME_SAMPLES / SAMPLE_RATE_HZ
PAUSE_FRAMES = 4  # 0.13 s: shorter dips lie inside words
DOUBTED_FRAMES = 10  # 0.32 s: so long the network may doubt a beginning voice
LEVEL_FRAMES = 31  # 1 s: what it says without a voice is told from so much of the pause

_RISE = 0.1  # above the pause's level: a voice may begin; without one the network seldom strays so far
_BREATH = 1e-3  # of the power of the voice that follows, about: /f/ and /s/ have more
_CONTEXT_SAMPLES = 64  # the end of the frame before, which the network wants in front of each frame
_PIECE_SAMPLES = 480 * FRAME_SAMPLES  # 15.36 s; the same pieces whatever the blocks, so the same answers to the bit
_HOLE_S = 0.005  # smaller steps are rounded timestamps (Matroska counts milliseconds)

Frames = tuple[int, int]  # [first, behind the last)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Up to 15.36 s of sound: `samples` are mono 16 kHz float32, shape (n,), the first one at `start` seconds.

    `voice` is the probability of a voice in each frame, shape (ceil(n / 512),). Pieces with the same number `run`
    follow each other without a hole.
    """

    run: int
    start: float
    samples: NDArray[np.float32]
    voice: NDArray[np.float32]


class VoiceActivity:
    """The voice-activity detector; one object may listen to one recording after the other."""

    def __init__(self) -> None:
        import onnxruntime
        from faster_whisper.utils import get_assets_path

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # it costs 0.3 % of the recording's length
        options.enable_cpu_mem_arena = False  # the arena would keep its greatest size for ever
        model = Path(get_assets_path()) / "silero_vad_v6.onnx"
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])

    def listen(self, blocks: Iterable[AudioBlock]) -> Iterator[Piece]:
        """The same sound in pieces, with the probability of a voice in each frame."""
        for run, group in groupby(_numbered(blocks), key=lambda numbered: numbered[0]):
            state, before = _silent_state(), np.zeros(_CONTEXT_SAMPLES, np.float32)
            for start, samples in _regrouped(block for _, block in group):
                voice, state = self._hear(samples, before, state)
                before = samples[-_CONTEXT_SAMPLES:]
                yield Piece(run, start, samples, voice)

    def _hear(self, samples: NDArray[np.float32], before: NDArray[np.float32], state: dict[str, Any]) -> tuple[Any, Any]:
        frames = np.pad(samples, (0, -len(samples) % FRAME_SAMPLES)).reshape(-1, FRAME_SAMPLES)
        context = np.vstack([before, frames[:-1, -_CONTEXT_SAMPLES:]])
        voice, h, c = self._session.run(None, {"input": np.hstack([context, frames]), **state})
        return voice.reshape(-1), {"h": h, "c": c}


def _silent_state() -> dict[str, Any]:
    return {name: np.zeros((1, 1, 128), np.float32) for name in ("h", "c")}


def _numbered(blocks: Iterable[AudioBlock]) -> Iterator[tuple[int, AudioBlock]]:
    """Each block with the number of its run, counted up at every hole."""
    run, expected = 0, None
    for block in blocks:
        if expected is not None and abs(block.start - expected) > _HOLE_S:
            run += 1
        expected = block.start + len(block.samples) / SAMPLE_RATE_HZ
        yield run, block


def _regrouped(blocks: Iterable[AudioBlock], size: int = _PIECE_SAMPLES) -> Iterator[tuple[float, NDArray[np.float32]]]:
    """The sound of one run in pieces of `size` samples with their starts; only the last one is shorter."""
    start, held = 0.0, np.zeros(0, np.float32)
    for block in blocks:
        start = block.start - len(held) / SAMPLE_RATE_HZ
        held = np.concatenate([held, block.samples])
        while len(held) >= size:
            yield start, held[:size]
            start, held = start + size / SAMPLE_RATE_HZ, held[size:]
    if len(held):
        yield start, held


def speech(voice: Sequence[float] | NDArray[np.float32], on: float, off: float, speaking: bool = False) -> list[Frames]:
    """Spans of frames in which somebody speaks: from `on` or above until below `off` for at least PAUSE_FRAMES.

    `speaking` says that the first frame continues a span. A span that has not ended reaches to the last frame that
    was not below `off`: with more frames it may grow, never shrink.
    """
    spans: list[Frames] = []
    first, end = (0 if speaking else None), 0
    for i, probability in enumerate(voice):
        if first is not None and i - end >= PAUSE_FRAMES:
            spans.append((first, end))
            first = None
        if probability >= (on if first is None else off):
            first, end = (i if first is None else first), i + 1
    if first is not None:
        spans.append((first, end))
    return [(first, end) for first, end in spans if first < end]


def power(samples: NDArray[np.float32]) -> NDArray[np.float64]:
    """The mean square of each frame, shape (ceil(n / 512),)."""
    frames = np.pad(samples, (0, -len(samples) % FRAME_SAMPLES)).reshape(-1, FRAME_SAMPLES)
    return np.asarray(np.mean(np.square(frames, dtype=np.float64), axis=1))


def beginning(voice: NDArray[np.float32], power: NDArray[np.float64], pause: int, span: Frames) -> int:
    """The frame in which a span's voice begins, behind the pause from frame `pause` on.

    The network doubts a sound without voice, such as the /k/ or /s/ before a vowel, and a first word after long silence;
    but it rises above what it said in the pause. In music and noise that is more than in silence, so it is measured. It
    rises for a breath as well, which is far less loud.
    """
    begins = first = span[0]
    if pause < first:
        level = float(np.median(voice[max(pause, first - LEVEL_FRAMES) : first])) + _RISE
        breath = _BREATH * power[first : min(first + DOUBTED_FRAMES, span[1])].max()
        for frame in range(first - 1, max(pause + PAUSE_FRAMES, first - DOUBTED_FRAMES) - 1, -1):
            if begins - frame <= PAUSE_FRAMES and voice[frame] >= level and power[frame] >= breath:
                begins = frame
    return begins
