"""The way of a recording: the one page that knows the order of the stages.

probe ─┬─ audio blocks ─ windows ─ words ─ sentences ─ vectors ─┬─ topic breaks ─┬─ boundaries ─ chunks
       └─ frames ─ sightings ─ events ──────────────────────────┴────────────────┘
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from segmenter.formats import rttm, transcripts
from segmenter.formats.transcripts import Transcript
from segmenter.media.audio import AudioBlock, AudioBlocks
from segmenter.media.frames import Frame, VideoFrames
from segmenter.media.probe import probe
from segmenter.parallel import side_by_side, until
from segmenter.progress import Progress, silent
from segmenter.records import Event, Finding, ModelFile, Recording, Segmentation, Sentence, Turn
from segmenter.settings import Settings
from segmenter.speech import languages
from segmenter.speech.doubts import doubtful
from segmenter.speech.speakers import DIARIZERS, Listener, overheard
from segmenter.speech.transcriber import TRANSCRIBERS
from segmenter.speech.understanding import understand, understand_ready
from segmenter.speech.vad import VoiceActivity
from segmenter.speech.windows import windows
from segmenter.topics import breaks
from segmenter.topics import embedder as embedders
from segmenter.topics.curve import curve
from segmenter.vision.events import events
from segmenter.vision.pace import paced
from segmenter.vision.tracker import TRACKERS

_Part = TypeVar("_Part", AudioBlock, Frame)
Turns = tuple[Turn, ...]
Models = dict[str, ModelFile]


def segment(
    path: str | Path,
    settings: Settings | None = None,
    *,
    transcript: str | Path | None = None,
    turns: str | Path | None = None,
    progress: Progress = silent,
) -> Segmentation:
    """Cut one recording into chunks, as `Segmenter.segment` does; for several, keep a `Segmenter`: it keeps its models."""
    return Segmenter(settings).segment(path, transcript=transcript, turns=turns, progress=progress)


@dataclass(slots=True)
class _Half:
    """What one of the two halves, speech or vision, found."""

    turns: tuple[Turn, ...] = ()
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
        if self.settings.speech.speakers:
            table.check("diarizer", DIARIZERS, self.settings.speech.diarizer)
        table.check("embedder", embedders.EMBEDDERS, self.settings.topics.embedder)
        table.check("topic rule", breaks.RULES, self.settings.topics.rule)
        table.check("tracker", TRACKERS, self.settings.vision.tracker)

    def segment(
        self,
        path: str | Path,
        *,
        transcript: str | Path | None = None,
        turns: str | Path | None = None,
        progress: Progress = silent,
    ) -> Segmentation:
        """Cut one recording into chunks.

        Args:
            path: a local recording; or a transcript (SRT, WebVTT, Whisper JSON) where there is no recording.
            transcript: what was said, so that nothing need be transcribed.
            turns: who speaks when, as RTTM, so that nobody need be told apart.
            progress: is told how many seconds of the recording have gone through each stage.

        Raises:
            InputError: the recording or the transcript cannot be used.
            ModelMissing: weights that this recording needs are not on this machine.
        """
        found: list[Finding] = []
        recording, words = _open(path, transcript, self.settings.speech.audio_track, found.append)
        told = None if turns is None else rttm.read(turns, recording.duration, found.append)
        models = self._locate(recording, words, told)
        said, seen = side_by_side(
            lambda stop: self._listen(recording, words, told, models, stop, progress),
            lambda stop: self._look(recording, models, stop, progress),
        )
        recording = _with_decoded_length(recording, {**said.ends, **seen.ends})
        chapters = [chapter.start for chapter in recording.chapters]
        topics = breaks.decide(said.sentences, said.vectors, self.settings.topics, chapters)
        cuts = boundaries(said.sentences, topics.breaks, seen.events, recording.duration, self.settings.chunks)
        chunks = tile(cuts, said.sentences, seen.events, recording, self.settings.chunks.snap_s)
        return Segmentation(
            recording=recording,
            settings=self.settings.as_dict(),
            models=models,
            sentences=said.sentences,
            turns=said.turns,
            topic_breaks=topics.breaks,
            events=seen.events,
            boundaries=cuts,
            chunks=titled(chunks, said.sentences, seen.events),
            health=(*found, *said.findings, *seen.findings, *too_long(cuts, self.settings.chunks)),
            timings={**said.timings, **seen.timings},
            topic_curve=curve(topics, said.sentences),
        )

    def _locate(self, recording: Recording, words: Transcript | None, turns: Turns | None) -> Models:
        """Every weight that this recording needs: a missing one must not cost an hour of transcription."""
        speech, vision, models = self.settings.speech, self.settings.vision, Models()
        hears = speech.enabled and bool(recording.audio) and words is None
        if hears:
            models["transcriber"] = weights.locate(speech.model, speech.transcriber)
        if speech.enabled and recording.audio and speech.speakers and turns is None:
            models["diarizer"] = weights.locate(speech.speaker_model)
        embeds = breaks.needs_vectors(self.settings.topics.rule) and embedders.EMBEDDERS[self.settings.topics.embedder].weights
        if (hears or (words and words.words)) and embeds:
            models["embedder"] = weights.locate(self.settings.topics.embedder)
        if vision.enabled and recording.video and vision.tracker == "yolo":
            models["tracker"] = weights.locate(vision.weights)
        return models

    def _listen(
        self,
        recording: Recording,
        words: Transcript | None,
        turns: Turns | None,
        models: Models,
        stop: Signal,
        progress: Progress,
    ) -> _Half:
        """Sound, or a ready transcript, to sentences and their vectors."""
        half = _Half(turns=turns or ())
        listener = self._listener(models.get("diarizer"))
        if words is not None:
            if listener is not None:
                self._tell_apart(recording, listener, half, stop, progress)
            half.sentences = understand_ready(words.words, self.settings.speech, words.language, half.turns)
        elif "transcriber" in models:
            self._transcribe(recording, models["transcriber"], listener, half, stop, progress)
        half.findings += [*doubtful(half.sentences), *self._unread(half.sentences)]
        texts = [half.sentences[i].text for i in breaks.trusted(half.sentences)]
        if texts and breaks.needs_vectors(self.settings.topics.rule):
            with _timed(half.timings, "topics"):
                half.vectors = self._embedder(models.get("embedder")).embed(texts)
        return half

    def _listener(self, model: ModelFile | None) -> Listener | None:
        """Who tells the speakers of the next recording apart; None where nobody asked."""
        if model is None:
            return None
        listener: Listener = self._part("diarizer", DIARIZERS, self.settings.speech.diarizer, model.path).listener()
        return listener

    def _tell_apart(self, recording: Recording, listener: Listener, half: _Half, stop: Signal, progress: Progress) -> None:
        """Sound to turns, where the words are known."""
        stream = recording.audio[0]
        sound = AudioBlocks(recording, stream, half.findings.append)
        with _timed(half.timings, "speech"):
            for piece in VoiceActivity().listen(until(stop, _reported(sound, "speech", stream.end, progress))):
                listener.hear(piece)
            half.turns = listener.turns(self.settings.speech.speaker_count)
        half.ends[stream.index] = sound.end

    def _transcribe(
        self, recording: Recording, model: ModelFile, listener: Listener | None, half: _Half, stop: Signal, progress: Progress
    ) -> None:
        settings, stream = self.settings.speech, recording.audio[0]
        sound = AudioBlocks(recording, stream, half.findings.append)
        with _timed(half.timings, "speech"):
            blocks = until(stop, _reported(sound, "speech", stream.end, progress))
            pieces = VoiceActivity().listen(blocks)
            spoken = windows(overheard(pieces, listener.hear) if listener else pieces, settings)
            first = next(spoken, None)
            if first is None:  # nobody speaks, so no model need be loaded
                half.findings.append(Finding("no_speech", "no speech was heard", level="note"))
            else:
                transcriber = self._part(
                    "transcriber", TRANSCRIBERS, settings.transcriber, model.path, settings, self._threads(recording)
                )
                passages = list(transcriber.transcribe(chain([first], spoken), settings.language))
                half.findings += languages.report(passages)
                half.turns = listener.turns(settings.speaker_count) if listener else half.turns
                half.sentences = understand(passages, settings, half.turns)
        half.ends[stream.index] = sound.end

    def _look(self, recording: Recording, models: Models, stop: Signal, progress: Progress) -> _Half:
        """Pictures to events."""
        half = _Half()
        if not (self.settings.vision.enabled and recording.video):
            return half
        stream = recording.video[0]
        patient, half.findings = paced(self.settings.vision, stream.average_rate_hz)
        weights_of_tracker = [models["tracker"].path] if "tracker" in models else []
        with _timed(half.timings, "vision"):
            tracker = self._part("tracker", TRACKERS, patient.tracker, *weights_of_tracker, self.settings.vision)
            pictures = VideoFrames(recording, stream, half.findings.append, step_s=1 / tracker.rate_hz)
            frames = until(stop, _reported(pictures, "vision", stream.end, progress))
            half.events, left_out = events(tracker.track(frames), stream.end, patient)
        half.findings += left_out
        half.ends[stream.index] = pictures.end
        return half

    def _embedder(self, model: ModelFile | None) -> embedders.Embedder:
        if "embedder" not in self._loaded:
            self._loaded["embedder"] = embedders.make(self.settings.topics, model)
        made: embedders.Embedder = self._loaded["embedder"]
        return made

    def _unread(self, sentences: Sequence[Sentence]) -> list[Finding]:
        """A warning where most of the text is in languages that the embedder does not know."""
        row = embedders.EMBEDDERS[self.settings.topics.embedder]
        if not (row.languages and breaks.needs_vectors(self.settings.topics.rule)):
            return []
        other = [s for s in sentences if s.language and s.language not in row.languages]
        if 2 * sum(len(s.text) for s in other) <= sum(len(s.text) for s in sentences):
            return []
        spoken = ", ".join(dict.fromkeys(s.language or "" for s in other))
        known = f"the embedder {self.settings.topics.embedder} knows {', '.join(row.languages)} alone"
        return [Finding("embedder_language", f"most of the text is in {spoken}, and {known}: topic breaks are less sure")]

    def _threads(self, recording: Recording) -> int:
        """For the transcriber: all cores, or half of them where vision runs beside it."""
        cores = os.cpu_count() or 1
        return max(1, cores // 2) if recording.video and self.settings.vision.enabled else cores

    def _part(self, kind: str, rows: Mapping[str, table.Row], name: str, *arguments: Any) -> Any:
        """The back end of that kind, made at first use."""
        if kind not in self._loaded:
            self._loaded[kind] = table.load(kind, rows, name)(*arguments)
        return self._loaded[kind]


def _open(
    path: str | Path, transcript: str | Path | None, audio_track: str | None, report: Callable[[Finding], None]
) -> tuple[Recording, Transcript | None]:
    """The recording, and its words where a transcript has them."""
    if transcripts.is_transcript(path):
        words = transcripts.read_all(path, None, report)
        return transcripts.as_recording(path, words.words), words
    recording = probe(path, report, audio_track)
    return recording, None if transcript is None else transcripts.read_all(transcript, recording.duration, report)


def _with_decoded_length(recording: Recording, ends: Mapping[int, float]) -> Recording:
    """What was decoded says how long the recording is, whatever its packets promised."""
    counted = {stream.index: stream.end for stream in recording.audio} | {stream.index: stream.end for stream in recording.video}
    duration = max({**counted, **ends}.values(), default=recording.duration)
    if duration <= 0:
        raise BadInput("nothing in it can be decoded", path=recording.path, hint="the file is damaged")
    return replace(recording, duration=duration)


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
