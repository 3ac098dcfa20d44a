"""`passages.jsonl`: the topic rule's own chunks where they overlap or lie in each other, one a line, for any loader.

`chunks.jsonl` beside it tiles the recording, so that it cannot hold them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

from segmenter.errors import well_formed
from segmenter.records import Passage, Segmentation, text_of
from segmenter.timeline import clock, milliseconds

NAME = "passages.jsonl"


def rows(segmentation: Segmentation) -> Iterator[dict[str, Any]]:
    """Plain dicts, times in seconds rounded to milliseconds; `level` 0 is the largest, `parent` the id of the one around."""
    source = well_formed(segmentation.recording.path)
    link = quote(os.fsencode(Path(segmentation.recording.path).name))
    ids = [f"{segmentation.recording.id}-{p.level}-{p.first}-{p.last}" for p in segmentation.passages]
    previous = _previous(segmentation.passages)
    following = {before: i for i, before in previous.items()}
    for i, passage in enumerate(segmentation.passages):
        said = segmentation.sentences[passage.first : passage.last + 1]
        start, end = milliseconds(said[0].start) / 1000, milliseconds(max(s.end for s in said)) / 1000
        yield {
            "id": ids[i],
            "text": text_of(said),
            "start": start,
            "end": end,
            "timestamp": clock(said[0].start, 0),
            "source": source,
            "link": f"{link}#t={start:.3f},{end:.3f}",
            "speakers": list(dict.fromkeys(s.speaker for s in said if s.speaker is not None)),
            "sentences": [passage.first, passage.last],
            "level": passage.level,
            "parent": None if passage.parent is None else ids[passage.parent],
            "previous": ids[previous[i]] if i in previous else None,
            "next": ids[following[i]] if i in following else None,
        }


def _previous(passages: Sequence[Passage]) -> dict[int, int]:
    """The one before each on its level."""
    levels: dict[int, list[int]] = {}
    for i, passage in enumerate(passages):
        levels.setdefault(passage.level, []).append(i)
    return {i: before for level in levels.values() for before, i in pairwise(level)}


def write(segmentation: Segmentation, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for row in rows(segmentation):
            out.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")
