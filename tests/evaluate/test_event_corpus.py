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
    ("entry", "fault"),
    [
        ({"duration": 0, "events": []}, r"a duration of 0\.0 s"),
        ({"duration": 5}, "'events' is missing"),
        ({"events": []}, "'duration' is missing"),
        ({"duration": 5, "events": [{"start": 3, "end": 2}]}, "start <= end does not hold"),
        ({"duration": 5, "events": [{"start": 3}]}, "'end' is missing"),
        ({"duration": 5, "events": [{"start": "a", "end": 2}]}, "could not convert"),
        ({"duration": 5, "events": 7}, "wrong type"),
        ([], "no JSON object"),
        (None, "no JSON object"),
    ],
)
def test_a_truth_that_cannot_be_is_told_with_its_entry(tmp_path: Path, entry: object, fault: str) -> None:
    good = {"duration": 5, "events": []}
    (tmp_path / "events.json").write_text(json.dumps({"b.mp4": good, "a.mp4": entry}), encoding="utf-8")
    with pytest.raises(BadInput, match=rf"no file of true events: the entry 'a\.mp4': .*{fault}.*wanted: "):
        event_corpus.read(tmp_path / "events.json")
