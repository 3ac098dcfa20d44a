"""The way of a recording: the one page that knows the order of the stages.

probe ─┬─ audio blocks ─ windows ─ words ─ sentences ─ vectors ─┬─ topic breaks ─┬─ boundaries ─ chunks
       └─ frames ─ sightings ─ events ──────────────────────────┴────────────────┘
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from threading import Event as Signal
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from segmenter import table, weights
from segmenter.chunks.boundaries import boundaries, too_long
from segmenter.chunks.tile import tile
from segmenter.chunks.titles import titled
from segmenter.errors import BadInput
from segmenter.formats import transcripts
from segmenter.media.audio import AudioBlock, AudioBlocks
from segmenter.media.frames import Frame, VideoFrames
from segmenter.media.probe import probe
from segmenter.parallel import side_by_side, until
from segmenter.progress import Progress, silent
from segmenter.records import Event, Finding, ModelFile, Recording, Segmentation, Sentence, Word
from segmenter.settings import Settings
from segmenter.speech.doubts import doubtful
from segmenter.speech.sentences import split
from segmenter.speech.transcriber import TRANSCRIBERS
from segmenter.speech.understanding import understand
from segmenter.speech.vad import VoiceActivity
from segmenter.speech.windows import windows
from segmenter.topics import breaks
from segmenter.topics.curve import curve
from segmenter.topics.embedder import EMBEDDERS
from segmenter.vision.events import events
from segmenter.vision.tracker import TRACKERS

_Part = TypeVar("_Part", AudioBlock, Frame)
Words = tuple[Word, ...]
Models = dict[str, ModelFile]


def segment(
    path: str | Path, settings: Settings | None = None, *, transcript: str | Path | None = None, progress: Progress = silent
) -> Segmentation:
    """Cut one recording into chunks, as `Segmenter.segment` does; for several, keep a `Segmenter`: it keeps its models."""
    return Segmenter(settings).segment(path, transcript=transcript, progress=progress)


@dataclass(slots=True)
class _Half:
    """What one of the two halves, speech or vision, found."""

    sentences: tuple[Sentence, ...] = ()
    vectors: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 1), np.float32))
    events: tuple[Event, ...] = ()
    ends: dict[int, float] = field(default_factory=dict)  # stream index -> where what could be decoded ends
    findings: list[Finding] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)


class Segmenter:
    """Cuts recordings into chunks, one after the other, with the same settings.

    Models are loaded when a recording first needs them, and kept; all state of one recording lives in one call.

    Raises:
        SettingsError: a name in the settings is unknown.
        PackageMissing: a back end's package is not installed.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._loaded: dict[str, Any] = {}
        table.check("transcriber", TRANSCRIBERS, self.settings.speech.transcriber)
        table.check("embedder", EMBEDDERS, self.settings.topics.embedder)
        table.check("topic rule", breaks.RULES, self.settings.topics.rule)
        table.check("tracker", TRACKERS, self.settings.vision.tracker)

    def segment(self, path: str | Path, *, transcript: str | Path | None = None, progress: Progress = silent) -> Segmentation:
        """Cut one recording into chunks.

        Args:
            path: a local recording; or a transcript (SRT, WebVTT, Whisper JSON) where there is no recording.
            transcript: what was said, so that nothing need be transcribed.
            progress: is told how many seconds of the recording have gone through each stage.

        Raises:
            InputError: the recording or the transcript cannot be used.
            ModelMissing: weights that this recording needs are not on this machine.
        """
        found: list[Finding] = []
        recording, words = _open(path, transcript, found.append)
        models = self._locate(recording, words)
        said, seen = side_by_side(
            lambda stop: self._listen(recording, words, models, stop, progress),
            lambda stop: self._look(recording, models, stop, progress),
        )
        recording = _with_decoded_length(recording, {**said.ends, **seen.ends})
        topics = breaks.find(said.sentences, said.vectors, self.settings.topics)
        cuts = boundaries(said.sentences, topics, seen.events, recording.duration, self.settings.chunks)
        chunks = tile(cuts, said.sentences, seen.events, recording, self.settings.chunks.snap_s)
        return Segmentation(
            recording=recording,
            settings=self.settings.as_dict(),
            models=models,
            sentences=said.sentences,
            topic_breaks=topics,
            events=seen.events,
            boundaries=cuts,
            chunks=titled(chunks, said.sentences, seen.events),
            health=(*found, *said.findings, *seen.findings, *too_long(cuts, self.settings.chunks)),
            timings={**said.timings, **seen.timings},
            topic_curve=curve(said.sentences, said.vectors, self.settings.topics),
        )

    def _locate(self, recording: Recording, words: Words | None) -> Models:
        """Every weight that this recording needs: a missing one must not cost an hour of transcription."""
        speech, vision, models = self.settings.speech, self.settings.vision, Models()
        hears = speech.enabled and bool(recording.audio) and words is None
        if hears:
            models["transcriber"] = weights.locate(speech.model, speech.transcriber)
        if hears or words:
            models["embedder"] = weights.locate(self.settings.topics.embedder)
        if vision.enabled and recording.video and vision.tracker == "yolo":
            models["tracker"] = weights.locate(vision.weights)
        return models

    def _listen(self, recording: Recording, words: Words | None, models: Models, stop: Signal, progress: Progress) -> _Half:
        """Sound, or a ready transcript, to sentences and their vectors."""
        half = _Half()
        if words is not None:
            half.sentences = split(words, self.settings.speech)
        elif "transcriber" in models:
            self._transcribe(recording, models["transcriber"], half, stop, progress)
        half.findings += doubtful(half.sentences)
        texts = [half.sentences[i].text for i in breaks.trusted(half.sentences)]
        if texts:
            with _timed(half.timings, "topics"):
                embedder = self._part("embedder", EMBEDDERS, self.settings.topics.embedder, models["embedder"].path)
                half.vectors = embedder.embed(texts)
        return half

    def _transcribe(self, recording: Recording, model: ModelFile, half: _Half, stop: Signal, progress: Progress) -> None:
        settings, stream = self.settings.speech, recording.audio[0]
        sound = AudioBlocks(recording, stream, half.findings.append)
        with _timed(half.timings, "speech"):
            blocks = until(stop, _reported(sound, "speech", stream.end, progress))
            spoken = windows(VoiceActivity().listen(blocks), settings)
            first = next(spoken, None)
            if first is None:  # nobody speaks, so no model need be loaded
                half.findings.append(Finding("no_speech", "no speech was heard", level="note"))
            else:
                transcriber = self._part(
                    "transcriber", TRANSCRIBERS, settings.transcriber, model.path, settings, _threads(recording)
                )
                half.sentences = understand(transcriber.transcribe(chain([first], spoken), settings.language), settings)
        half.ends[stream.index] = sound.end

    def _look(self, recording: Recording, models: Models, stop: Signal, progress: Progress) -> _Half:
        """Pictures to events."""
        half, settings = _Half(), self.settings.vision
        if not (settings.enabled and recording.video):
            return half
        stream = recording.video[0]
        weights_of_tracker = [models["tracker"].path] if "tracker" in models else []
        with _timed(half.timings, "vision"):
            tracker = self._part("tracker", TRACKERS, settings.tracker, *weights_of_tracker, settings)
            pictures = VideoFrames(recording, stream, half.findings.append, step_s=1 / tracker.rate_hz)
            frames = until(stop, _reported(pictures, "vision", stream.end, progress))
            half.events, left_out = events(tracker.track(frames), stream.end, settings)
        half.findings += left_out
        half.ends[stream.index] = pictures.end
        return half

    def _part(self, kind: str, rows: Mapping[str, table.Row], name: str, *arguments: Any) -> Any:
        """The back end of that kind, made at first use."""
        if kind not in self._loaded:
            self._loaded[kind] = table.load(kind, rows, name)(*arguments)
        return self._loaded[kind]


def _open(path: str | Path, transcript: str | Path | None, report: Callable[[Finding], None]) -> tuple[Recording, Words | None]:
    """The recording, and its words where a transcript has them."""
    if transcripts.is_transcript(path):
        words = transcripts.read(path, None, report)
        return transcripts.as_recording(path, words), words
    recording = probe(path, report)
    return recording, None if transcript is None else transcripts.read(transcript, recording.duration, report)


def _with_decoded_length(recording: Recording, ends: Mapping[int, float]) -> Recording:
    """What was decoded says how long the recording is, whatever its packets promised."""
    counted = {stream.index: stream.end for stream in recording.audio} | {stream.index: stream.end for stream in recording.video}
    duration = max({**counted, **ends}.values(), default=recording.duration)
    if duration <= 0:
        raise BadInput("nothing in it can be decoded", path=recording.path, hint="the file is damaged")
    return replace(recording, duration=duration)


def _threads(recording: Recording) -> int:
    """For the transcriber: all cores, or half of them where vision runs beside it."""
    cores = os.cpu_count() or 1
    return max(1, cores // 2) if recording.video else cores


def _reported(parts: Iterable[_Part], stage: str, total: float, progress: Progress) -> Iterator[_Part]:
    for part in parts:
        progress(stage, min(part.start if isinstance(part, AudioBlock) else part.time, total), total)
        yield part
    progress(stage, total, total)


@contextmanager
def _timed(timings: dict[str, float], stage: str) -> Iterator[None]:
    began = time.perf_counter()
    try:
        yield
    finally:
        timings[stage] = time.perf_counter() - began
