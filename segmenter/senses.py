"""The two halves that are slow and need models: listening and looking, each a stream through its own stages."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from threading import Event as Signal
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import ServerError
from segmenter.formats import sightings
from segmenter.formats.transcripts import Transcript
from segmenter.kit import Kit, Models
from segmenter.media.audio import AudioBlock, AudioBlocks
from segmenter.media.frames import Frame, VideoFrames
from segmenter.parallel import until
from segmenter.progress import Progress
from segmenter.records import Event, Finding, Observation, Recording, Sentence, Turn
from segmenter.speech import languages, unheard
from segmenter.speech.doubts import doubtful
from segmenter.speech.speakers import Listener, overheard
from segmenter.speech.turns import told_by
from segmenter.speech.understanding import understand, understand_ready
from segmenter.speech.vad import VoiceActivity
from segmenter.speech.windows import windows
from segmenter.speech.written_language import language_of, taken_for_english
from segmenter.topics import breaks
from segmenter.topics.choosing import unread
from segmenter.vision.events import events
from segmenter.vision.pace import paced

_Part = TypeVar("_Part", AudioBlock, Frame)


@dataclass(frozen=True, slots=True)
class Job:
    """One recording, and what is given with it: a transcript, who speaks when, what is seen (None: to be found out).

    What is found out by looking is written into the file `sightings_to`.
    """

    recording: Recording
    words: Transcript | None
    turns: tuple[Turn, ...] | None
    sightings: sightings.Source | None
    models: Models
    progress: Progress
    sightings_to: Path | None = None


@dataclass(slots=True)
class Half:
    """What one of the two halves found."""

    turns: tuple[Turn, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    vectors: NDArray[np.float32] | None = field(default_factory=lambda: np.empty((0, 1), np.float32))  # None: the server failed
    events: tuple[Event, ...] = ()
    ends: dict[int, float] = field(default_factory=dict)  # stream index -> where what could be decoded ends
    findings: list[Finding] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)


def listen(job: Job, kit: Kit, stop: Signal) -> Half:
    """Sound, or a ready transcript, to sentences and their vectors."""
    half = Half(turns=job.turns or ())
    listener = kit.diarizer(job.models).listener() if "diarizer" in job.models else None
    if job.words is not None:
        if listener is not None:
            _tell_apart(job, kit, listener, half, stop)
        language = language_of(job.words, kit.settings.speech.language)
        half.sentences = understand_ready(job.words.words, kit.settings.speech, language, half.turns, job.words.figures)
        half.findings += taken_for_english(half.sentences)
        half.turns = half.turns or told_by(job.words.words)
    elif "transcriber" in job.models:
        _transcribe(job, kit, listener, half, stop)
    half.findings += doubtful(half.sentences)
    texts = [half.sentences[i].text for i in breaks.trusted(half.sentences)]
    if texts and breaks.needs_vectors(kit.settings.topics.rule):
        half.findings += unread(kit.settings.topics, half.sentences)
        with _timed(half, "topics"):
            half.vectors = _embedded(job, kit, half, texts)
    return half


def _embedded(job: Job, kit: Kit, half: Half, texts: list[str]) -> NDArray[np.float32] | None:
    """None where a server fails: what was heard until then must not be lost with it."""
    try:
        return kit.embedder(job.models, half.sentences).embed(texts)
    except ServerError as error:
        half.findings.append(breaks.failed(error))
        return None


def _tell_apart(job: Job, kit: Kit, listener: Listener, half: Half, stop: Signal) -> None:
    """Sound to turns, where the words are known."""
    with _timed(half, "speech"):
        for piece in VoiceActivity().listen(_sound(job, half, stop)):
            listener.hear(piece)
        half.turns = listener.turns(kit.settings.speech.speaker_count)


def _transcribe(job: Job, kit: Kit, listener: Listener | None, half: Half, stop: Signal) -> None:
    """Sound to sentences: windows in which somebody speaks, passages, sentences."""
    settings = kit.settings.speech
    with _timed(half, "speech"):
        pieces = VoiceActivity().listen(_sound(job, half, stop))
        spoken = windows(overheard(pieces, listener.hear) if listener else pieces, settings)
        first = next(spoken, None)
        if first is None:  # nobody speaks, so no model need be loaded
            half.findings.append(Finding("no_speech", "no speech was heard", level="note"))
            return
        transcriber = kit.transcriber(job.models, _threads(job, kit))
        passages = list(transcriber.transcribe(chain([first], spoken), settings.language))
        half.findings += [*languages.report(passages), *unheard.report(passages)]
        half.turns = listener.turns(settings.speaker_count) if listener else half.turns
        half.sentences = understand(passages, settings, half.turns)


def look(job: Job, kit: Kit, stop: Signal) -> Half:
    """Pictures, or ready sightings, to events."""
    half = Half()
    if not (kit.settings.vision.enabled and job.recording.video):
        return half
    stream = job.recording.video[0]
    settings, half.findings = paced(kit.settings.vision, stream.average_rate_hz)
    with _timed(half, "vision"):
        source = _Looking(job, kit, stop) if job.sightings is None else job.sightings
        with sightings.writing(job.sightings_to, source.origin) as file:
            half.events, left_out = events(file.note(until(stop, source)), stream.end, settings)
            file.close(source)
    half.findings += [*source.findings, *left_out]
    half.ends[stream.index] = source.end
    return half


class _Looking:
    """Pictures to sightings: the `Source` that looks."""

    def __init__(self, job: Job, kit: Kit, stop: Signal) -> None:
        self._tracker = kit.tracker(job.models)
        model = job.models["tracker"].name if "tracker" in job.models else None
        self.origin = sightings.Origin(job.recording.id, kit.settings.vision.tracker, model, self._tracker.rate_hz)
        self.findings: list[Finding] = [*self._tracker.findings]
        stream = job.recording.video[0]
        self._pictures = VideoFrames(job.recording, stream, self.findings.append, step_s=1 / self._tracker.rate_hz)
        self._frames = until(stop, _reported(self._pictures, "vision", stream.end, job.progress))

    def __iter__(self) -> Iterator[Observation]:
        yield from self._tracker.track(self._frames)

    @property
    def end(self) -> float:
        return self._pictures.end


def _sound(job: Job, half: Half, stop: Signal) -> Iterator[AudioBlock]:
    """The blocks of the track that is used; says how far it is, and notes in the end where they ended."""
    stream = job.recording.audio[0]
    blocks = AudioBlocks(job.recording, stream, half.findings.append)
    yield from until(stop, _reported(blocks, "speech", stream.end, job.progress))
    half.ends[stream.index] = blocks.end


def _threads(job: Job, kit: Kit) -> int:
    """For the transcriber: all cores, or half of them where vision runs beside it."""
    cores = os.cpu_count() or 1
    return max(1, cores // 2) if job.recording.video and kit.settings.vision.enabled else cores


def _reported(parts: Iterable[_Part], stage: str, total: float, progress: Progress) -> Iterator[_Part]:
    for part in parts:
        progress(stage, min(part.start if isinstance(part, AudioBlock) else part.time, total), total)
        yield part
    progress(stage, total, total)


@contextmanager
def _timed(half: Half, stage: str) -> Iterator[None]:
    began = time.perf_counter()
    try:
        yield
    finally:
        half.timings[stage] = time.perf_counter() - began
