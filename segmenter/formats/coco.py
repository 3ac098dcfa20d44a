"""COCO JSON: what was seen, picture by picture, for tools that show, score or train detectors.

The object detection format (Lin et al., Microsoft COCO, 2014), boxes in pixels. Every look is an image, named by its
place in the recording (a media fragment); `score` and `track_id` are the usual additions for results.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from segmenter.errors import well_formed
from segmenter.formats.scale import Scale
from segmenter.records import Observation, Sighting


def write(observations: Iterable[Observation], scale: Scale, name: str, path: Path) -> None:
    """`name` is the recording's. All labels that occur become categories, numbered from 1 in alphabetical order."""
    looks = list(observations)
    labels = sorted({s.label for look in looks for s in look.sightings})
    numbers = {label: number for number, label in enumerate(labels, start=1)}
    seen = [(image, s) for image, look in enumerate(looks, start=1) for s in look.sightings]
    data = {
        "info": {"description": f"seen in {well_formed(name)}"},
        "images": [_image(number, look.time, scale, name) for number, look in enumerate(looks, start=1)],
        "categories": [{"id": number, "name": label} for label, number in numbers.items()],
        "annotations": [
            {"id": i, "image_id": image, "category_id": numbers[s.label], **_annotation(s, scale)}
            for i, (image, s) in enumerate(seen, start=1)
        ],
    }
    path.write_text(json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n", encoding="utf-8")


def _image(number: int, time: float, scale: Scale, name: str) -> dict[str, Any]:
    place = {"file_name": f"{well_formed(name)}#t={time:.3f}", "time": round(time, 3), "frame": scale.frame(time)}
    return {"id": number, "width": scale.width_px, "height": scale.height_px, **place}


def _annotation(sighting: Sighting, scale: Scale) -> dict[str, Any]:
    bbox = [round(side, 2) for side in scale.pixels(sighting.box)]
    area = round(bbox[2] * bbox[3], 2)
    return {"bbox": bbox, "area": area, "iscrowd": 0, "score": sighting.confidence, "track_id": sighting.track}
