"""Events one a line, each written when it has ended: `events.jsonl` of a source that is watched."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from segmenter.formats.clips_json import FOLDER, ClipFile
from segmenter.formats.faults import FAULTS
from segmenter.formats.segments_json import outward
from segmenter.records import Event

NAME = "events.jsonl"


def row(event: Event, utc: datetime | None, clip: ClipFile | None) -> dict[str, Any]:
    """Plain values, times in seconds rounded to milliseconds; `utc` is when the event started, None: not known."""
    ended = utc and utc + timedelta(seconds=event.end - event.start)
    fields = outward(asdict(event), "event")
    shown = (None, None, None) if clip is None else (f"{FOLDER}/{clip.file}", round(clip.start, 3), round(clip.end, 3))
    named = dict(zip(("clip", "clip_start", "clip_end"), shown, strict=True))
    return {"id": fields.pop("id"), "start_utc": _iso(utc), "end_utc": _iso(ended), **named, **fields}


def line(event: Event, utc: datetime | None, clip: ClipFile | None) -> str:
    return json.dumps(row(event, utc, clip), ensure_ascii=True, allow_nan=False)


def last_id(path: Path) -> int:
    """The highest id in the file of earlier watches, 0 where there is none; lines that hold no event do not count."""
    if not path.exists():
        return 0
    with path.open(encoding="utf-8", errors="replace") as lines:
        return max(map(_id, lines), default=0)


def _id(line: str) -> int:
    try:
        found = json.loads(line)["id"]
    except FAULTS:  # a watch that was killed may have left half a line
        return 0
    return found if type(found) is int else 0


def _iso(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
