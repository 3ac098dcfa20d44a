"""What comes out: boundaries, the chunks between them, and everything that a run found out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from segmenter.records.media import Recording
from segmenter.records.spans import Finding, check, check_share
from segmenter.records.speech import Passage, Sentence, TopicBreak, TopicCurve, Turn
from segmenter.records.vision import Event

Kind = Literal["talk", "event", "both", "idle"]
Reason = Literal["topic", "opens", "closes", "speaker", "silence", "limit", "start", "end"]


@dataclass(frozen=True, slots=True)
class Boundary:
    """A cut. `moved_from` is where the evidence lay, when a sentence made the cut move."""

    time: float
    strength: float
    reasons: tuple[Reason, ...]
    moved_from: float | None = None

    def __post_init__(self) -> None:
        check(self, self.time, self.time)
        check_share(self, "strength", self.strength)


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of the recording; together the chunks tile [0, duration].

    `sentences` are the first and last index (both inclusive) into the segmentation's sentences, or None;
    `events` and `tracks` are the ids of those that are in view during the chunk, `labels` what these tracks are.
    """

    id: str
    start: float
    end: float
    kind: Kind
    text: str
    sentences: tuple[int, int] | None
    events: tuple[int, ...]
    tracks: tuple[int, ...]
    labels: tuple[str, ...]
    speakers: tuple[str, ...]
    opened_by: tuple[Reason, ...]
    closed_by: tuple[Reason, ...]
    title: str = ""

    def __post_init__(self) -> None:
        check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class ModelFile:
    """Weights that took part: `name` as asked for, `sha256` of the file (of the main file of a folder)."""

    name: str
    path: str
    sha256: str
    source: str


@dataclass(frozen=True, slots=True)
class Segmentation:
    """Everything a run found out. `models` maps a role (transcriber, embedder, tracker, diarizer) to its weights.

    `turns` are who speaks when, as heard in the sound or read from a file; empty where nobody asked. `passages` are the
    topic rule's own chunks where they overlap or lie in each other, which `chunks` never do; else empty.
    """

    recording: Recording
    settings: Mapping[str, object]
    models: Mapping[str, ModelFile]
    sentences: tuple[Sentence, ...]
    topic_breaks: tuple[TopicBreak, ...]
    events: tuple[Event, ...]
    boundaries: tuple[Boundary, ...]
    chunks: tuple[Chunk, ...]
    health: tuple[Finding, ...]
    timings: Mapping[str, float] = field(default_factory=dict)  # seconds of work per stage
    topic_curve: TopicCurve | None = None
    turns: tuple[Turn, ...] = ()
    passages: tuple[Passage, ...] = ()
