"""The back ends that the settings name: their names checked at once, their weights found, each made at first use and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from segmenter import table, weights
from segmenter.records import ModelFile, Recording, Sentence
from segmenter.settings import Settings
from segmenter.speech.speakers import DIARIZERS, Diarizer
from segmenter.speech.transcriber import TRANSCRIBERS, Transcriber
from segmenter.topics import breaks
from segmenter.topics import engines as embedding_engines
from segmenter.topics.choosing import Embedders, check_names
from segmenter.topics.embedder import EMBEDDERS, Embedder
from segmenter.topics.reaching import check_server
from segmenter.vision.engine import ENGINES
from segmenter.vision.tracker import TRACKERS, Tracker
from segmenter.vision.yolo import ASSOCIATIONS

Models = dict[str, ModelFile]


class Kit:
    """Back ends for one recording after the other.

    Raises:
        SettingsError: a name in the settings is unknown.
        PackageMissing: a back end's package is not installed.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._made: dict[str, tuple[tuple[Any, ...], Any]] = {}  # kind -> what it was made with, and the back end
        self._embedders = Embedders(settings.topics)
        table.check("transcriber", TRANSCRIBERS, settings.speech.transcriber)
        if settings.speech.speakers:
            table.check("diarizer", DIARIZERS, settings.speech.diarizer)
        check_names(settings.topics)
        if settings.topics.engine != "auto":
            table.check("embedding engine", embedding_engines.ENGINES, settings.topics.engine)
        table.check("topic rule", breaks.RULES, settings.topics.rule)
        table.check("tracker", TRACKERS, settings.vision.tracker)
        table.check("association", ASSOCIATIONS, settings.vision.association)
        table.check("engine", ENGINES, settings.vision.engine)

    def locate(self, recording: Recording, has_words: bool, has_turns: bool, has_sightings: bool) -> Models:
        """Every weight that this recording needs: a missing one must not cost an hour of transcription, nor a dead server.

        `has_words`, `has_turns`, `has_sightings` say that a transcript, who speaks when, what is seen is given.

        Raises:
            ModelMissing: one is not on this machine.
            ServerError: a server that will be needed cannot be used.
        """
        speech, topics, vision, models = self.settings.speech, self.settings.topics, self.settings.vision, Models()
        sounds = speech.enabled and bool(recording.audio)
        if sounds and not has_words:
            models["transcriber"] = weights.locate(speech.model, speech.transcriber)
        if sounds and speech.speakers and not has_turns:
            models["diarizer"] = weights.locate(speech.speaker_model)
        if (sounds or has_words) and breaks.needs_vectors(topics.rule) and EMBEDDERS[topics.embedder].weights:
            models["embedder"] = weights.locate(topics.embedder)
        if vision.enabled and recording.video and not has_sightings and TRACKERS[vision.tracker].weights:
            models["tracker"] = weights.locate(vision.weights)
        if sounds or has_words:
            check_server(topics)
        return models

    def transcriber(self, models: Models, threads: int) -> Transcriber:
        settings = self.settings.speech
        made: Transcriber = self._once(
            "transcriber", TRANSCRIBERS, settings.transcriber, models["transcriber"].path, settings, threads
        )
        return made

    def diarizer(self, models: Models) -> Diarizer:
        made: Diarizer = self._once("diarizer", DIARIZERS, self.settings.speech.diarizer, models["diarizer"].path)
        return made

    def embedder(self, models: Models, sentences: Sequence[Sentence]) -> Embedder:
        """The one that knows the text's language; `models` then holds its weights."""
        choice = self._embedders.suited(sentences)
        if choice.model is not None:
            models["embedder"] = choice.model
        return choice.embedder

    def tracker(self, models: Models) -> Tracker:
        settings = self.settings.vision
        weights_of_it = [models["tracker"].path] if "tracker" in models else []
        made: Tracker = self._once("tracker", TRACKERS, settings.tracker, *weights_of_it, settings)
        return made

    def _once(self, kind: str, rows: Mapping[str, table.Row], name: str, *arguments: Any) -> Any:
        """Made at first use, and again where it must be made otherwise: with more threads, now that no picture is beside."""
        if kind not in self._made or self._made[kind][0] != arguments:
            self._made[kind] = (arguments, table.load(kind, rows, name)(*arguments))
        return self._made[kind][1]
