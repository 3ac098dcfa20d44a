"""Which pictures stand for a recording: of each chunk and event, and of each track where it is seen best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from segmenter.formats.stills_json import chunk_name, event_name, opening_name, track_name
from segmenter.records import Box, Chunk, Event, Segmentation, Track

# A track is largest and surest in one look out of several a second; in between it may be sharper.
AROUND_S = (-0.2, -0.1, 0.0, 0.1, 0.2)
MOST_TRACKS = 8  # of one event, the clearest: a crowd needs no more


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture to take: the whole one at `time`; or what is in `box`, from the sharpest of several looks around it."""

    name: str
    time: float
    box: Box | None = None

    def looks(self) -> list[float]:
        return [self.time] if self.box is None else [max(0.0, self.time + around) for around in AROUND_S]


def shots(segmentation: Segmentation) -> list[Shot]:
    """Of each chunk its key picture; of each event that, its opening, and its tracks cut out.

    The key picture is the largest and surest view in the chunk or event, else its middle.
    """
    best = {(event.id, track.id): track for event in segmentation.events for track in event.tracks}
    found = [Shot(chunk_name(i), _key_time(_inside(chunk, best), chunk)) for i, chunk in enumerate(segmentation.chunks)]
    for event in segmentation.events:
        found += [Shot(event_name(event.id), _key_time(event.tracks, event)), Shot(opening_name(event.id), event.start)]
        clearest = sorted(event.tracks, key=_clarity, reverse=True)[:MOST_TRACKS]
        found += [Shot(track_name(event.id, track.id), track.best.time, track.best.box) for track in clearest]
    return found


def _inside(chunk: Chunk, best: dict[tuple[int, int], Track]) -> list[Track]:
    tracks = (track for (event, _), track in best.items() if event in chunk.events)
    return [track for track in tracks if chunk.start <= track.best.time < chunk.end]


def _key_time(tracks: Sequence[Track], span: Chunk | Event) -> float:
    best = max(tracks, key=_clarity, default=None)
    return (span.start + span.end) / 2 if best is None else best.best.time


def _clarity(track: Track) -> float:
    left, top, right, bottom = track.best.box
    return (right - left) * (bottom - top) * track.best.confidence
