"""The file of true events: what is read from it, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from segmenter.errors import BadInput
from segmenter.evaluate import event_corpus
from segmenter.records import Span


def test_every_recording_beside_the_file_has_its_events(shared: Path) -> None:
    known = event_corpus.read(shared / "video" / "events.json")
    assert {one.name for one in known} == {path.name for path in (shared / "video").glob("*.mp4")}
    (street,) = event_corpus.chosen(known, ["street_cars"])
    assert (street.duration, len(street.events), street.path.is_file()) == (34.933, 2, True)


def test_the_truth_of_one_recording_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"file": "a.mp4", "duration": 9, "events": [{"start": 1, "end": 2.5}]}', encoding="utf-8")
    assert event_corpus.read(tmp_path / "a.json") == [event_corpus.Known(tmp_path / "a.mp4", 9.0, (Span(1.0, 2.5),))]


@pytest.mark.parametrize(
    "entry",
    [
        {"duration": 0, "events": []},
        {"duration": 5},
        {"events": []},
        {"duration": 5, "events": [{"start": 3, "end": 2}]},
        {"duration": 5, "events": [{"start": "a", "end": 2}]},
        {"duration": 5, "events": 7},
        [],
        None,
    ],
)
def test_a_truth_that_cannot_be_is_told(tmp_path: Path, entry: object) -> None:
    (tmp_path / "events.json").write_text(json.dumps({"a.mp4": entry}), encoding="utf-8")
    with pytest.raises(BadInput, match="no file of true events"):
        event_corpus.read(tmp_path / "events.json")
