"""What is in a file: its streams, and how its times are to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from segmenter.records.spans import check

TimeSource = Literal["container", "stream", "counted"]


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
        check(self, self.start, self.end)


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
        check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str
    start: float
    end: float

    def __post_init__(self) -> None:
        check(self, self.start, self.end)


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
        check(self, 0.0, self.duration)
