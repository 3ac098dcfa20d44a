"""`chunks.jsonl`: one chunk a line, for any loader; each says where it comes from and who its neighbours are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from segmenter.errors import well_formed
from segmenter.formats import clips_json
from segmenter.formats.title import title
from segmenter.records import Segmentation
from segmenter.timeline import clock, milliseconds


def rows(segmentation: Segmentation, clips: Sequence[clips_json.ClipFile] = ()) -> Iterator[dict[str, Any]]:
    """Plain dicts, times in seconds rounded to milliseconds; `link` is a media fragment (W3C, temporal dimension).

    `clips` are the files that were cut, of the chunks or of their events.
    """
    source = well_formed(segmentation.recording.path)
    link = quote(os.fsencode(Path(segmentation.recording.path).name))
    chunks = segmentation.chunks
    for i, chunk in enumerate(chunks):
        start, end = milliseconds(chunk.start) / 1000, milliseconds(chunk.end) / 1000
        yield {
            "id": chunk.id,
            "text": chunk.text,
            "title": title(chunk),
            "kind": chunk.kind,
            "start": start,
            "end": end,
            "timestamp": clock(chunk.start, 0),
            "source": source,
            "link": f"{link}#t={start:.3f},{end:.3f}",
            "clips": clips_json.links(clips, chunk),
            "labels": list(chunk.labels),
            "speakers": list(chunk.speakers),
            "sentences": None if chunk.sentences is None else list(chunk.sentences),
            "events": list(chunk.events),
            "tracks": list(chunk.tracks),
            "opened_by": list(chunk.opened_by),
            "closed_by": list(chunk.closed_by),
            "previous": chunks[i - 1].id if i > 0 else None,
            "next": chunks[i + 1].id if i + 1 < len(chunks) else None,
        }


def write(segmentation: Segmentation, path: Path) -> None:
    """Names the clips that lie in the folder `clips` beside it."""
    clips = clips_json.read(path.parent / clips_json.FOLDER)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for row in rows(segmentation, clips):
            out.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")
