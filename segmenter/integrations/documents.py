"""What the doors to the frameworks share: recordings or finished results to texts with plain values beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from segmenter.formats import chunks_jsonl, passages_jsonl, segments_json
from segmenter.formats.folder import finished
from segmenter.records import Segmentation
from segmenter.retrieval.search import Hit
from segmenter.settings import Settings

Plain = dict[str, Any]


def segmentations(paths: Sequence[str | Path], settings: Settings | None = None) -> Iterator[tuple[Segmentation, Path | None]]:
    """Each recording with the folder of its results: read where they are finished, else segmented now, which has none.

    `paths` are folders that `segmenter run` wrote, folders of such, their segments.json, or recordings.

    Raises:
        NotAFile: a folder holds no finished results.
    """
    from segmenter.pipeline import Segmenter

    segmenter: Segmenter | None = None
    for path in map(Path, paths):
        if path.is_dir() or path.name == segments_json.NAME:
            for run in finished(path):
                yield segments_json.read(run / segments_json.NAME), run
        else:
            segmenter = segmenter or Segmenter(settings)
            yield segmenter.segment(path), None


def chunks(found: Segmentation) -> Iterator[tuple[str, Plain]]:
    """Text and values of each chunk; what is seen in silence is told in words."""
    for row in chunks_jsonl.rows(found):
        text = row.pop("text") or row["title"]
        yield text, flat({**row, "recording": found.recording.id, "duration": round(found.recording.duration, 3)})


def passages(found: Segmentation) -> Iterator[tuple[str, Plain]]:
    """Text and values of each passage of a topic rule whose chunks overlap or lie in each other."""
    for row in passages_jsonl.rows(found):
        yield row.pop("text"), flat({**row, "recording": found.recording.id, "duration": round(found.recording.duration, 3)})


def of_hit(hit: Hit) -> Plain:
    """The values of a hit; its text is `hit.text`."""
    return flat(
        {
            "source": hit.path,
            "recording": hit.recording,
            "title": hit.title,
            "start": round(hit.start, 3),
            "end": round(hit.end, 3),
            "score": round(hit.score, 4),
            "link": hit.link,
            "chunk": hit.chunk,
            "chunk_title": hit.chunk_title,
            "labels": hit.labels,
            "speakers": hit.speakers,
            "still": hit.still,
        }
    )


def flat(values: Mapping[str, Any]) -> Plain:
    """Only what every vector store takes: text, numbers, truth. Lists are joined by commas, what is None is left out."""
    return {
        name: ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value
        for name, value in values.items()
        if value is not None
    }
