"""The pictures of a run as units: each file once, with the moment it was taken and what is in view."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from segmenter.chunks.titles import described
from segmenter.formats import stills_json
from segmenter.formats.stills_json import Links, chunk_name, event_name, opening_name, track_name
from segmenter.records import Event, Segmentation, Sentence, Span
from segmenter.retrieval.records import Identified, Unit
from segmenter.timeline import HasSpan, length


class Subject(NamedTuple):
    """What a picture shows."""

    text: str
    labels: tuple[str, ...] = ()
    tracks: tuple[int, ...] = ()


def still_of(stills: Links, folder: Path | None, name: str) -> str:
    """The file that shows it, relative to the folder of the run; empty where there is none."""
    file = f"{stills_json.FOLDER}/{stills[name]['file']}" if name in stills else ""
    return file if folder and file and (folder / file).is_file() else ""


def still_units(found: Segmentation, folder: Path | None, chunk_of: Callable[[HasSpan], str]) -> list[Unit]:
    """A unit for each picture in the run's folder, by time; it lasts no time at all. `chunk_of` gives the id of what holds it."""
    stills = stills_json.read(folder / stills_json.FOLDER) if folder else {}
    titles = {chunk_name(i): chunk.title for i, chunk in enumerate(found.chunks)}
    events, identified, own = _of_events(found.events), Identified(), found.recording.id
    units: list[Unit] = []
    for name, taken in sorted(stills.items(), key=lambda item: (item[1]["time"], item[0])):
        file, time = still_of(stills, folder, name), min(max(taken["time"], 0.0), found.recording.duration)
        shown = events.get(name) or _in_view(found.events, time, titles.get(name, ""))
        if not file or taken["file"] != name:
            continue  # gone, or the same picture as another
        units.append(
            Unit(
                identified(own, "still", time, time),
                own,
                "still",
                time,
                time,
                len(units),
                shown.text,
                chunk=chunk_of(Span(time, time)),
                speakers=_speaking(found.sentences, time),
                labels=shown.labels,
                extra={"still": file, "tracks": list(shown.tracks)},
            )
        )
    return units


def _of_events(events: Sequence[Event]) -> dict[str, Subject]:
    """What the pictures of events and their tracks show, by name."""
    shown = {name: _seen(event) for event in events for name in (event_name(event.id), opening_name(event.id))}
    tracks = ((event.id, track) for event in events for track in event.tracks)
    return shown | {track_name(event, track.id): Subject(track.label, (track.label,), (track.id,)) for event, track in tracks}


def _in_view(events: Sequence[Event], time: float, text: str) -> Subject:
    """Events are disjoint and rise in time: at most one is going on."""
    at = bisect_right(events, time, key=lambda event: event.start) - 1
    return _seen(events[at])._replace(text=text) if at >= 0 and time < events[at].end else Subject(text)


def _seen(event: Event) -> Subject:
    labels = [track.label for track in event.tracks] or event.labels
    return Subject(described(labels, length(event)), event.labels, tuple(track.id for track in event.tracks))


def _speaking(said: Sequence[Sentence], time: float) -> tuple[str, ...]:
    at = bisect_right(said, time, key=lambda sentence: sentence.start) - 1
    speaker = said[at].speaker if at >= 0 and time < said[at].end else None
    return (speaker,) if speaker else ()
