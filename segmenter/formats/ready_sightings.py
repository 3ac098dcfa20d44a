"""Sightings that are given with a recording: as an earlier run kept them, or as MOT text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from segmenter.errors import BadInput
from segmenter.formats.mot import MotSightings
from segmenter.formats.sightings import KeptSightings, Source
from segmenter.records import Finding, Recording

_MOT = {".txt", ".csv"}


def read(path: str | Path, recording: Recording, report: Callable[[Finding], None]) -> Source:
    """What the file says was seen in the recording. What is doubtful goes to `report`.

    Raises:
        InputError: the file cannot be used, or the recording has no pictures that fit it.
    """
    if not recording.video:
        raise BadInput("no pictures in it: there is nothing to be seen", path=recording.path, hint="leave --sightings out")
    source = MotSightings(path, recording) if Path(path).suffix.lower() in _MOT else KeptSightings(Path(path))
    what = f"nobody looked, sightings were read: tracker {source.origin.tracker}, weights {source.origin.model or 'none'}"
    report(Finding("ready_sightings", what, level="note"))
    if source.origin.recording != recording.id:
        report(Finding("sightings_of_another", "the sightings were made from another file, or another version of this one"))
    return source
