"""What is seen: sightings in single pictures, and the tracks and events made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from segmenter.records.spans import check
from segmenter.zoning import Crossing, ZoneVisit


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
        check(self, self.time, self.time)


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
        check(self, self.start, self.end)


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
        check(self, self.start, self.end)
