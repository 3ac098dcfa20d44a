"""Ways to get from a recording to timed words: this project's own and the usual ones beside it, each for a process of its own.

All read the same weights. Packages are imported inside, so that each process pays for its own alone.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from shutil import which
from typing import Any

Words = list[tuple[str, float, float]]  # text with its leading blank, start and end in seconds
Hear = Callable[[Path, str, str, int], Words]  # recording, weights, language, threads


@dataclass(frozen=True, slots=True)
class Listener:
    """`family` is the format of the weights that it reads, as the catalogue calls it."""

    family: str
    hear: Hear


def _segmenter(transcriber: str = "faster-whisper", **changes: Any) -> Hear:
    def hear(path: Path, model: str, language: str, threads: int) -> Words:
        from segmenter import table
        from segmenter.media.audio import AudioBlocks
        from segmenter.media.probe import probe
        from segmenter.records import Finding
        from segmenter.settings import SpeechSettings
        from segmenter.speech.transcriber import TRANSCRIBERS
        from segmenter.speech.understanding import understand
        from segmenter.speech.vad import VoiceActivity
        from segmenter.speech.windows import windows

        findings: list[Finding] = []
        settings = SpeechSettings(transcriber=transcriber, language=language, **changes)
        recording = probe(path, findings.append)
        blocks = AudioBlocks(recording, recording.audio[0], findings.append)
        back_end = table.load("transcriber", TRANSCRIBERS, transcriber)(model, settings, threads)
        passages = back_end.transcribe(windows(VoiceActivity().listen(blocks), settings), language)
        return [(word.text, word.start, word.end) for sentence in understand(passages, settings) for word in sentence.words]

    return hear


def _whisper(*options: str) -> Hear:
    """The `whisper` command. Where there is no ffmpeg program, PyAV decodes for it, which is no slower."""

    def hear(path: Path, model: str, language: str, threads: int) -> Words:
        import whisper.audio
        from whisper.transcribe import cli

        if which("ffmpeg") is None:
            whisper.audio.load_audio = _decoded
        with tempfile.TemporaryDirectory() as folder:
            sys.argv = [
                "whisper",
                str(path),
                "--model",
                model,
                "--language",
                language,
                "--fp16",
                "False",
                "--threads",
                str(threads),
            ]
            sys.argv += ["--word_timestamps", "True", "--output_format", "json", "--output_dir", folder, *options]
            cli()
            segments = json.loads((Path(folder) / f"{path.stem}.json").read_text(encoding="utf-8"))["segments"]
        return [(w["word"], w["start"], w["end"]) for s in segments for w in s["words"]]

    return hear


def _decoded(path: str) -> Any:
    from faster_whisper.audio import decode_audio

    return decode_audio(path)


def _faster_whisper(batch_size: int = 0) -> Hear:
    """faster-whisper as its README shows it, one window after the other or in batches; greedy, int8."""

    def hear(path: Path, model: str, language: str, threads: int) -> Words:
        from faster_whisper import BatchedInferencePipeline, WhisperModel

        loaded = WhisperModel(model, "cpu", compute_type="int8", cpu_threads=threads)
        options = {"language": language, "beam_size": 1, "word_timestamps": True}
        if batch_size:
            segments, _ = BatchedInferencePipeline(loaded).transcribe(str(path), batch_size=batch_size, **options)
        else:
            segments, _ = loaded.transcribe(str(path), **options)
        return _flat(segments)

    return hear


def _flat(segments: Iterable[Any]) -> Words:
    words = chain.from_iterable(segment.words for segment in segments)
    return [(word.word, float(word.start), float(word.end)) for word in words]


LISTENERS: dict[str, Listener] = {
    "whisper command": Listener("openai-whisper", _whisper()),
    "whisper command, greedy": Listener("openai-whisper", _whisper("--beam_size", "None")),
    "faster-whisper": Listener("faster-whisper", _faster_whisper()),
    "faster-whisper, batched": Listener("faster-whisper", _faster_whisper(batch_size=8)),
    "segmenter": Listener("faster-whisper", _segmenter()),
    "segmenter --word-times off": Listener("faster-whisper", _segmenter(word_times=False)),
    "segmenter --accurate": Listener("faster-whisper", _segmenter(beam_size=5)),
}
