"""`clips/clips.json`: which clips lie beside it, of what, and which part of the recording each one shows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from segmenter.records import Chunk

FOLDER, NAME = "clips", "clips.json"


@dataclass(frozen=True, slots=True)
class ClipFile:
    """One clip: the recording from `start` to `end`, in seconds on its clock.

    `wanted_start` and `wanted_end` are what was asked for: a clip cut at keyframes begins earlier. `mode` is how it was
    made, `note` why otherwise than asked for.
    """

    kind: str  # event or chunk
    id: int | str
    file: str
    mode: str
    start: float
    end: float
    wanted_start: float
    wanted_end: float
    note: str = ""


def write(clips: Sequence[ClipFile], folder: Path) -> None:
    rows = [{key: round(value, 3) if isinstance(value, float) else value for key, value in asdict(c).items()} for c in clips]
    (folder / NAME).write_text(json.dumps(rows, ensure_ascii=False, allow_nan=False, indent=1) + "\n", encoding="utf-8")


def read(folder: Path) -> tuple[ClipFile, ...]:
    """The clips in the folder `clips` of a run; none where the list is missing or is no such list."""
    try:
        return tuple(ClipFile(**row) for row in json.loads((folder / NAME).read_bytes()))
    except (OSError, ValueError, TypeError):
        return ()


def links(clips: Iterable[ClipFile], chunk: Chunk) -> list[str]:
    """The clips of a chunk, or of its events, relative to the folder of the run."""
    of_it = {("chunk", chunk.id), *(("event", event) for event in chunk.events)}
    return [f"{FOLDER}/{clip.file}" for clip in clips if (clip.kind, clip.id) in of_it]
