"""`stills/stills.json`: which picture stands for what, and when it was taken. Pictures that look alike are one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER, NAME = "stills", "stills.json"

Links = dict[str, dict[str, Any]]  # name -> the file that shows it, and the time in seconds when it was taken


def chunk_name(index: int) -> str:
    return f"chunk-{index + 1:04}.jpg"


def event_name(event: int) -> str:
    return f"event-{event:04}.jpg"


def opening_name(event: int) -> str:
    return f"event-{event:04}-opens.jpg"


def track_name(event: int, track: int) -> str:
    return f"event-{event:04}-track-{track:04}.jpg"


def write(links: Links, folder: Path) -> None:
    (folder / NAME).write_text(json.dumps(links, indent=1) + "\n", encoding="utf-8")


def read(folder: Path) -> Links:
    """The list in the folder `stills` of a run; empty where it is missing or is no such list."""
    try:
        found = json.loads((folder / NAME).read_bytes())
        return {name: {"file": Path(one["file"]).name, "time": float(one["time"])} for name, one in found.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}
