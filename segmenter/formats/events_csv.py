"""Events as a table for spreadsheets: one row an event, times in seconds and for reading."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from segmenter.errors import well_formed
from segmenter.records import Event
from segmenter.timeline import clock, milliseconds

COLUMNS = ("event", "start", "end", "duration", "from", "to", "labels", "tracks", "moved", "stood", "continues")


def write(events: Iterable[Event], path: Path) -> None:
    """`labels` are separated by blanks, `tracks` is how many; `moved` and `stood` are those of all tracks together."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(COLUMNS)
        for event in events:
            out.writerow([event.id, *_times(event), *_company(event), event.continues])


def _times(event: Event) -> list[str]:
    start, end = milliseconds(event.start), milliseconds(event.end)
    return [*(f"{ms / 1000:.3f}" for ms in (start, end, end - start)), clock(event.start), clock(event.end)]


def _company(event: Event) -> list[str | int]:
    seconds = (sum(track.moved for track in event.tracks), sum(track.stood for track in event.tracks))
    return [well_formed(" ".join(event.labels)), len(event.tracks), *(f"{one:.3f}" for one in seconds)]
