"""Finished results in the formats of other tools: the table of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from segmenter.errors import NotAFile
from segmenter.formats import coco, events_csv, folder, mot
from segmenter.formats.scale import Scale
from segmenter.formats.sightings import NAME, KeptSightings
from segmenter.records import Segmentation

Seen = Callable[[], KeptSightings]


@dataclass(frozen=True, slots=True)
class Export:
    """`file` is the name it gets in the folder of the run."""

    file: str
    what: str
    write: Callable[[Segmentation, Seen, Path], None]


EXPORTS: Mapping[str, Export] = {
    "mot": Export(
        "sightings.mot.txt",
        "tracks, MOT Challenge text",
        lambda s, seen, path: mot.write(seen(), Scale.of(s.recording), path),
    ),
    "coco": Export(
        "sightings.coco.json",
        "boxes, COCO JSON",
        lambda s, seen, path: coco.write(seen(), Scale.of(s.recording), Path(s.recording.path).name, path),
    ),
    "events-csv": Export("events.csv", "events, a table", lambda s, _seen, path: events_csv.write(s.events, path)),
}


def export(segmentation: Segmentation, place: Path, name: str) -> Path:
    """Write results that lie in the folder `place` in the format `name`, into the same folder; returns the file.

    Raises:
        NotAFile: the format needs sightings, and the run kept none.
        BadInput: the sightings are damaged, or have no frames and pixels.
        SegmenterError: the folder cannot be written.
    """
    chosen = EXPORTS[name]

    def seen() -> KeptSightings:
        if not (place / NAME).is_file():
            raise NotAFile("this run kept no sightings", path=place / NAME, hint="run again without --no-sightings")
        return KeptSightings(place / NAME)

    folder.add(segmentation, place, {chosen.file: lambda s, path: chosen.write(s, seen, path)})
    return place / chosen.file
