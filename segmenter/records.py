"""What flows from stage to stage: frozen records, checked when made.

Times are seconds on the recording's own clock: 0 is what a player shows as 0, the earliest presentation time in
the container. Spans are half-open, [start, end). Boxes are fractions of the upright picture. Arrays never live
here: vectors travel beside the sentences, row i for sentence i.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, NamedTuple

from segmenter.zoning import Crossing, ZoneVisit

Level = Literal["note", "warning"]
Kind = Literal["talk", "event", "both", "idle"]
Reason = Literal["topic", "opens", "closes", "speaker", "silence", "limit", "start", "end"]
TimeSource = Literal["container", "stream", "counted"]


def _check(owner: object, start: float, end: float) -> None:
    if not (isfinite(start) and isfinite(end) and 0 <= start <= end):
        raise ValueError(f"{type(owner).__name__}: 0 <= start <= end does not hold for [{start}, {end}]")


def _check_share(owner: object, name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{type(owner).__name__}: {name} must lie between 0 and 1, not {value}")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time, [start, end)."""

    start: float
    end: float

    def __post_init__(self) -> None:
        _check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Finding:
    """What the user should know. A warning says that something was lost, damaged or assumed; a note does not."""

    code: str
    message: str
    start: float | None = None
    end: float | None = None
    level: Level = "warning"


@dataclass(frozen=True, slots=True)
class AudioStream:
    index: int
    codec: str
    sample_rate_hz: int
    channels: int
    start: float
    end: float
    end_source: TimeSource
    language: str | None = None
    title: str | None = None
    default: bool = False

    def __post_init__(self) -> None:
        _check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class VideoStream:
    index: int
    codec: str
    width_px: int  # as coded
    height_px: int
    rotation: int  # clockwise degrees to turn the coded picture for showing: 0, 90, 180, 270
    start: float
    end: float
    end_source: TimeSource
    average_rate_hz: float | None = None  # frames over time
    base_rate_hz: float | None = None  # the rate that all timestamps are multiples of
    default: bool = False

    def __post_init__(self) -> None:
        _check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str
    start: float
    end: float

    def __post_init__(self) -> None:
        _check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Mend:
    """From packet number `packet` of a stream on, `shift` seconds are added to the file's times; None: they are not believed."""

    stream: int
    packet: int
    shift: float | None


@dataclass(frozen=True, slots=True)
class Recording:
    """What is in the file. `id` is a hash of its content; cover art is counted apart and is no video.

    Of several audio or video streams, the first one here is the one that is used. The recording's clock is the
    file's own, `mends` applied, less `zero`.
    """

    path: str
    id: str
    duration: float
    duration_source: TimeSource
    container: str = ""
    audio: tuple[AudioStream, ...] = ()
    video: tuple[VideoStream, ...] = ()
    chapters: tuple[Chapter, ...] = ()
    attached_pictures: int = 0
    title: str | None = None
    zero: float = 0.0  # what the file itself calls the time that is 0 here
    mends: tuple[Mend, ...] = ()  # where the file's times jump back or slip

    def __post_init__(self) -> None:
        _check(self, 0.0, self.duration)


# --- speech ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Word:
    """One word as the transcriber wrote it, punctuation and leading blank included: joined, words give the text."""

    text: str
    start: float
    end: float
    probability: float | None = None
    speaker: str | None = None

    def __post_init__(self) -> None:
        _check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Sentence:
    """`doubts` are reasons not to trust the sentence: it stays visible but takes no part in topics."""

    text: str
    start: float
    end: float
    speaker: str | None = None
    language: str | None = None
    doubts: tuple[str, ...] = ()
    words: tuple[Word, ...] = ()

    def __post_init__(self) -> None:
        _check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody speaks without a longer pause; turns of different speakers may overlap."""

    speaker: str
    start: float
    end: float

    def __post_init__(self) -> None:
        _check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class TopicBreak:
    """A new topic begins with the sentence after `after_sentence`; `time` is that sentence's start."""

    after_sentence: int
    time: float
    strength: float
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check(self, self.time, self.time)
        _check_share(self, "strength", self.strength)


@dataclass(frozen=True, slots=True)
class TopicCurve:
    """What the topic rule saw at each gap between sentences: the higher the score, the likelier a break.

    `measure` says what the scores are, `times` are the starts of the sentences after the gaps, `threshold` is what a
    score must exceed, None where more than one number decides.
    """

    measure: str
    times: tuple[float, ...]
    scores: tuple[float, ...]
    threshold: float | None = None


# --- vision ----------------------------------------------------------------------------------------------------


class Box(NamedTuple):
    """Fractions of the upright picture, 0 to 1."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Sighting:
    track: int
    label: str
    confidence: float
    box: Box


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen in one frame; empty where nothing was: without it no event closes on time."""

    time: float
    sightings: tuple[Sighting, ...] = ()

    def __post_init__(self) -> None:
        _check(self, self.time, self.time)


@dataclass(frozen=True, slots=True)
class View:
    time: float
    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class Track:
    """One object from its first to its last sighting. `best` is its clearest view: largest and surest."""

    id: int
    label: str
    start: float
    end: float
    best: View
    moved: float = 0.0  # seconds, together with
    stood: float = 0.0  # these the time from start to end

    def __post_init__(self) -> None:
        _check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Event:
    """Somebody or something is in view: from the first sighting until all tracks have left."""

    id: int
    start: float
    end: float
    tracks: tuple[Track, ...] = ()
    labels: tuple[str, ...] = ()
    continues: int | None = None  # the event before, where that one had become too long
    zones: tuple[ZoneVisit, ...] = ()
    crossings: tuple[Crossing, ...] = ()

    def __post_init__(self) -> None:
        _check(self, self.start, self.end)


# --- chunks ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Boundary:
    """A cut. `moved_from` is where the evidence lay, when a sentence made the cut move."""

    time: float
    strength: float
    reasons: tuple[Reason, ...]
    moved_from: float | None = None

    def __post_init__(self) -> None:
        _check(self, self.time, self.time)
        _check_share(self, "strength", self.strength)


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
        _check(self, self.start, self.end)


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

    `turns` are who speaks when, as heard in the sound or read from a file; empty where nobody asked.
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
