"""`passages.jsonl`: chunks that overlap or lie in each other, beside those that tile the recording."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from segmenter.formats import folder, passages_jsonl, segments_json
from segmenter.pipeline import Segmenter
from segmenter.records import Segmentation
from segmenter.settings import Settings

WORDS = ["pump", "bread", "river", "budget", "bicycle", "garden", "letter"]


def srt(path: Path, count: int = 40) -> Path:
    stamps = [f"00:{i // 15:02}:{i * 4 % 60:02},000 --> 00:{i // 15:02}:{i * 4 % 60 + 3:02},500" for i in range(count)]
    cues = [f"{i + 1}\n{stamp}\nThe {WORDS[i % 7]} is sentence {i}.\n" for i, stamp in enumerate(stamps)]
    path.write_text("\n".join(cues), encoding="utf-8")
    return path


def run(place: Path, rule: str) -> Segmentation:
    settings = Settings().changed("topics", rule=rule, hierarchy_tokens=(140, 70, 21), budget_tokens=28, stride_tokens=14)
    return Segmenter(settings).segment(srt(place / "talk.srt"))


def written(place: Path, found: Segmentation) -> list[dict[str, Any]]:
    out = folder.write(found, place / "out")
    return [json.loads(line) for line in (out / passages_jsonl.NAME).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("rule", ["hierarchical", "sliding", "sentences"])
def test_the_passages_of_a_run_are_written_and_its_chunks_tile_the_recording(tmp_path: Path, rule: str) -> None:
    found = run(tmp_path, rule)
    rows = written(tmp_path, found)
    assert len(rows) == len(found.passages) > 3
    assert len({row["id"] for row in rows}) == len(rows)
    for row, passage in zip(rows, found.passages, strict=True):
        said = found.sentences[passage.first : passage.last + 1]
        assert row["text"] == " ".join(s.text for s in said)
        assert (row["start"], row["end"]) == (said[0].start, said[-1].end)
        assert (row["sentences"], row["level"]) == ([passage.first, passage.last], passage.level)
    assert found.chunks[0].start == 0
    assert found.chunks[-1].end == found.recording.duration
    assert all(a.end == b.start for a, b in pairwise(found.chunks))
    (note,) = [finding for finding in found.health if finding.code == "passages"]
    assert note.level == "note"
    assert f"the {len(rows)} passages of {rule}" in note.message
    assert segments_json.read(tmp_path / "out" / "talk" / segments_json.NAME).passages == found.passages


def test_each_names_the_one_around_it_and_its_neighbours(tmp_path: Path) -> None:
    rows = {row["id"]: row for row in written(tmp_path, run(tmp_path, "hierarchical"))}
    assert {row["level"] for row in rows.values()} == {0, 1, 2}
    for row in rows.values():
        assert (row["parent"] is None) == (row["level"] == 0)
        if row["parent"] is not None:
            first, last = rows[row["parent"]]["sentences"]
            assert first <= row["sentences"][0] <= row["sentences"][1] <= last
            assert rows[row["parent"]]["level"] == row["level"] - 1
        if row["next"] is not None:
            following = rows[row["next"]]
            assert following["previous"] == row["id"]
            assert following["level"] == row["level"]
            assert following["sentences"][0] == row["sentences"][1] + 1


def test_windows_and_packs_say_sentences_again(tmp_path: Path) -> None:
    for rule in ("sliding", "sentences"):
        found = run(tmp_path, rule).passages
        assert all(a.first < b.first <= a.last < b.last for a, b in pairwise(found))


def test_other_rules_have_none_and_what_an_earlier_run_left_goes(tmp_path: Path) -> None:
    written(tmp_path, run(tmp_path, "sentences"))
    found = run(tmp_path, "fixed")
    assert found.passages == ()
    assert not [finding for finding in found.health if finding.code == "passages"]
    assert not (folder.write(found, tmp_path / "out") / passages_jsonl.NAME).exists()


def test_a_segmentation_of_before_there_were_passages_is_read(tmp_path: Path) -> None:
    found = run(tmp_path, "texttiling_words")
    plain = segments_json.as_dict(found)
    del plain["passages"]
    for name in ("missed", "missed_says", "otherwise", "remarks"):
        del plain["topic_curve"][name]
    path = tmp_path / segments_json.NAME
    path.write_text(json.dumps(plain), encoding="utf-8")
    again = segments_json.read(path)
    assert [s.text for s in again.sentences] == [s.text for s in found.sentences]
    assert again.passages == ()
