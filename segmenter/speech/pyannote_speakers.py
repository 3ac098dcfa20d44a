"""Speakers found by a pyannote.audio pipeline that lies on this machine; imported only through the table of diarizers.

The pipeline (https://github.com/pyannote/pyannote-audio, MIT; its weights ask for an agreement) wants the whole sound. It
is kept in a file that the system pages in as needed, so that memory does not grow with the recording.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

# The pipeline is a local one: the library must not look for anything else. Read at import.
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from pyannote.audio import Pipeline

from segmenter.errors import ModelMissing
from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.records import Turn
from segmenter.speech.vad import Piece


class PyannoteSpeakers:
    """A pipeline's folder, or its configuration file.

    Raises:
        ModelMissing: there is no pipeline, or its models are not there.
    """

    def __init__(self, path: str) -> None:
        try:
            self._pipeline = Pipeline.from_pretrained(path)
        except Exception as error:  # the package raises what its readers of YAML, weights and repositories raise
            raise ModelMissing(f"this is no pyannote pipeline: {error}", path=path) from error
        if self._pipeline is None:
            raise ModelMissing("this is no pyannote pipeline", path=path)

    def listener(self) -> _Listener:
        return _Listener(self._pipeline)


@dataclass(slots=True)
class _Listener:
    pipeline: Any
    folder: tempfile.TemporaryDirectory[str] = field(default_factory=lambda: tempfile.TemporaryDirectory(prefix="segmenter-"))
    samples: int = 0

    def hear(self, piece: Piece) -> None:
        first = round(piece.start * SAMPLE_RATE_HZ)
        with self._path.open("r+b" if self.samples else "wb") as file:
            file.seek(first * piece.samples.itemsize)  # what a hole in the sound skips reads as silence
            file.write(piece.samples.tobytes())
        self.samples = first + len(piece.samples)

    def turns(self, count: int | None) -> tuple[Turn, ...]:
        if not self.samples:
            return ()
        with self.folder:
            sound = torch.from_numpy(np.memmap(self._path, np.float32, "r+", shape=(1, self.samples)))
            found = self.pipeline({"waveform": sound, "sample_rate": SAMPLE_RATE_HZ}, num_speakers=count)
        annotation = getattr(found, "speaker_diarization", found)  # since 4.0 one of several results
        spans = sorted((float(span.start), float(span.end), label) for span, _, label in annotation.itertracks(yield_label=True))
        names = {label: f"S{i}" for i, label in enumerate(dict.fromkeys(label for _, _, label in spans), 1)}
        return tuple(Turn(names[label], max(0.0, start), end) for start, end, label in spans)

    @property
    def _path(self) -> Path:
        return Path(self.folder.name) / "sound.f32"
