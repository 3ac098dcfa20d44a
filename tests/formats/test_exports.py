"""Finished results in the formats of other tools."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from segmenter.cli.app import app
from segmenter.errors import SettingsError
from segmenter.formats import coco, events_csv
from segmenter.formats.scale import Scale
from segmenter.records import Box, Event, Observation, Sighting, Track, View

SCALE = Scale(10.0, 640, 480)
SEEN = [
    Observation(0.0),
    Observation(0.2, (Sighting(3, "dog", 0.75, Box(0.1, 0.1, 0.3, 0.3)), Sighting(4, "cat", 0.5, Box(0, 0, 1, 1)))),
    Observation(0.4, (Sighting(3, "dog", 0.5, Box(0.2, 0.1, 0.4, 0.3)),)),
]


def test_coco_has_an_image_a_look_and_an_annotation_a_sighting(tmp_path: Path) -> None:
    coco.write(SEEN, SCALE, "yard.mp4", tmp_path / "coco.json")
    data = json.loads((tmp_path / "coco.json").read_text("utf-8"))
    assert [(i["id"], i["file_name"], i["width"], i["height"]) for i in data["images"]] == [
        (1, "yard.mp4#t=0.000", 640, 480),
        (2, "yard.mp4#t=0.200", 640, 480),
        (3, "yard.mp4#t=0.400", 640, 480),
    ]
    assert data["categories"] == [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]
    first = data["annotations"][0]
    assert (first["image_id"], first["category_id"], first["bbox"], first["area"]) == (2, 2, [64.0, 48.0, 128.0, 96.0], 12288.0)
    assert [(a["id"], a["image_id"], a["score"], a["track_id"]) for a in data["annotations"]] == [
        (1, 2, 0.75, 3),
        (2, 2, 0.5, 4),
        (3, 3, 0.5, 3),
    ]


def test_coco_of_an_empty_room_has_images_and_nothing_in_them(tmp_path: Path) -> None:
    coco.write([Observation(0.0)], SCALE, "yard.mp4", tmp_path / "coco.json")
    data = json.loads((tmp_path / "coco.json").read_text("utf-8"))
    assert (len(data["images"]), data["categories"], data["annotations"]) == (1, [], [])


def test_an_event_is_a_row(tmp_path: Path) -> None:
    best = View(1.0, Box(0, 0, 1, 1), 0.9)
    tracks = (Track(1, "person", 1.0, 3.5, best, 2.0, 0.5), Track(2, "dog", 2.0, 3.0, best, 0.25, 0.75))
    events_csv.write(
        [Event(1, 1.0, 3.5, tracks, ("person", "dog")), Event(2, 3661.5, 3662.0, tracks[:1], ("person",), continues=1)],
        tmp_path / "events.csv",
    )
    with (tmp_path / "events.csv").open(encoding="utf-8", newline="") as file:
        one, two = csv.DictReader(file)
    assert (one["event"], one["start"], one["end"], one["duration"], one["continues"]) == ("1", "1.000", "3.500", "2.500", "")
    assert (one["labels"], one["tracks"], one["moved"], one["stood"]) == ("person dog", "2", "2.250", "1.250")
    assert (two["from"], two["to"], two["continues"]) == ("01:01:01.500", "01:01:02.000", "1")


@pytest.mark.parametrize("name", ["avi", "", "mot,avi"])
def test_an_unknown_format_is_refused(tmp_path: Path, name: str) -> None:
    result = CliRunner().invoke(app, ["export", str(tmp_path), "--format", name])
    assert isinstance(result.exception, SettingsError)
    assert "no format" in str(result.exception)
