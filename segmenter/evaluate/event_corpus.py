"""Recordings with known events: the file of the truth, and the events that are found in its recordings.

The truth is one JSON file beside its recordings: an object with an entry per file name, each with `duration` and `events`
(objects with `start` and `end`), in seconds; or the entry of one recording alone, which then names its `file`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from segmenter.errors import BadInput, SettingsError
from segmenter.evaluate import tracks
from segmenter.files import read_bytes
from segmenter.formats import segments_json, sightings
from segmenter.formats.faults import table, told
from segmenter.formats.folder import finished
from segmenter.formats.mot import MotSightings
from segmenter.formats.sightings import KeptSightings
from segmenter.pipeline import Segmenter
from segmenter.records import Segmentation, Span
from segmenter.settings import Settings

_LIMIT_BYTES = 100_000_000
_FORM = 'wanted: {"name.mp4": {"duration": 60.0, "events": [{"start": 1.5, "end": 4.0}]}}'


@dataclass(frozen=True, slots=True)
class Known:
    """A recording whose events are known."""

    path: Path
    duration: float
    events: tuple[Span, ...]

    @property
    def name(self) -> str:
        return self.path.name


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a recording, and the file of what was seen in it."""

    segmentation: Segmentation
    sightings: Path


Finder = Callable[[Known], Found]


def read(path: Path) -> list[Known]:
    """The recordings of a file of true events.

    Raises:
        NotAFile, TooLarge: see `files.read_bytes`.
        BadInput: it is no such file.
    """
    with told(path, "no file of true events", _FORM):
        data = table(json.loads(read_bytes(path, _LIMIT_BYTES)))
        entries = {str(data["file"]): data} if "file" in data else data
    found = []
    for name, entry in entries.items():
        with told(path, f"no file of true events: the entry {name!r}", _FORM):
            found.append(_known(path.parent / name, table(entry)))
    return found


def _known(path: Path, entry: Mapping[str, Any]) -> Known:
    duration = float(entry["duration"])
    if not (isfinite(duration) and duration > 0):
        raise ValueError(f"a duration of {duration} s")
    return Known(path, duration, tuple(Span(float(event["start"]), float(event["end"])) for event in entry["events"]))


def chosen(known: Sequence[Known], names: Sequence[str]) -> list[Known]:
    """Those of that name, with or without the ending; all where no name is given.

    Raises:
        SettingsError: there is none of a name.
    """
    for name in names:
        if not any(name in (one.name, one.path.stem) for one in known):
            there = ", ".join(one.name for one in known)
            raise SettingsError(f"the truth has no recording {name!r}", hint=f"it has: {there}")
    return [one for one in known if not names or {one.name, one.path.stem} & set(names)]


def by_looking(settings: Settings, place: Path) -> Finder:
    """Finds events as `segmenter run` does, without listening; `place` is a folder for what is seen."""
    segmenter = Segmenter(settings.changed("speech", enabled=False))

    def find(known: Known) -> Found:
        seen = place / f"{known.name}.{sightings.NAME}"
        return Found(segmenter.segment(known.path, sightings_to=seen), seen)

    return find


def from_results(folder: Path) -> Finder:
    """Takes events from what `segmenter run` has written into `folder`, or into folders in it.

    Raises:
        NotAFile: there is nothing.
        BadInput: a file is no segmentation.
    """
    results = [Found(segments_json.read(run / segments_json.NAME), run / sightings.NAME) for run in finished(folder)]
    by_name = {Path(result.segmentation.recording.path).name: result for result in results}

    def find(known: Known) -> Found:
        if known.name not in by_name:
            raise BadInput(f"no results of {known.name} in it", path=folder)
        return by_name[known.name]

    return find


def mot_truth(folder: Path, known: Known) -> Path | None:
    """The true tracks of a recording, `NAME.txt` or, as the MOT Challenge lays them out, `NAME/gt/gt.txt`."""
    places = (folder / f"{known.path.stem}.txt", folder / known.path.stem / "gt" / "gt.txt")
    return next((place for place in places if place.is_file()), None)


def compared_tracks(found: Found, truth: Path) -> Any:
    """What `tracks.figures` takes.

    Raises:
        InputError: the truth or the sightings cannot be used.
    """
    true = MotSightings(truth, found.segmentation.recording)
    return tracks.accumulate(KeptSightings(found.sightings), list(true), most_apart_s=1 / true.origin.rate_hz)
