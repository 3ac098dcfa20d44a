"""A recording goes in; timestamped chunks for multimodal retrieval come out.

    from segmenter import segment

    for chunk in segment("meeting.mp4").chunks:
        print(chunk.start, chunk.end, chunk.kind, chunk.text)

Importing this loads none of the models' packages; they are imported where they are used.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from segmenter.errors import SegmenterError
from segmenter.records import Boundary, Chunk, Event, Finding, Recording, Segmentation, Sentence, TopicBreak, Track, Word
from segmenter.settings import Settings

if TYPE_CHECKING:
    from segmenter.pipeline import Segmenter, segment

__all__ = [
    "Boundary",
    "Chunk",
    "Event",
    "Finding",
    "Recording",
    "Segmentation",
    "Segmenter",
    "SegmenterError",
    "Sentence",
    "Settings",
    "TopicBreak",
    "Track",
    "Word",
    "load",
    "segment",
]


def load(path: str | Path) -> Segmentation:
    """A finished segmentation, from its segments.json or from the folder that holds it."""
    from segmenter.formats import segments_json

    return segments_json.read(Path(path) / "segments.json" if Path(path).is_dir() else path)


def __getattr__(name: str) -> Any:
    if name in ("Segmenter", "segment"):
        from segmenter import pipeline

        return getattr(pipeline, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
