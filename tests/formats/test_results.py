"""The output of a run: what is in each file, that it reads back, and that it is written whole or not at all."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segmenter
from segmenter.chunks.boundaries import boundaries
from segmenter.chunks.tile import tile
from segmenter.errors import BadInput, SegmenterError
from segmenter.formats import chunks_jsonl, folder, segments_json
from segmenter.records import (
    AudioStream,
    Box,
    Event,
    Finding,
    ModelFile,
    Recording,
    Segmentation,
    Sentence,
    TopicBreak,
    Track,
    VideoStream,
    View,
    Word,
)
from segmenter.settings import ChunkSettings, Settings


def example(path: str = "/recordings/stand up.mp4", text: str = "Good morning.") -> Segmentation:
    """A small segmentation with something of everything, times on whole milliseconds."""
    sentences = (
        Sentence(text, 0.5, 1.75, "anna", "en", (), (Word(f" {text}", 0.5, 1.75, 0.9876, "anna"),)),
        Sentence("The picnic is on Sunday.", 20.0, 22.125, None, "en", ("low probability",)),
    )
    topics = (TopicBreak(0, 20.0, 0.75, ("distance 0.98",)),)
    track = Track(1, "person", 5.0, 9.2, View(7.4, Box(0.1, 0.2, 0.3, 0.9), 0.91))
    events = (Event(1, 5.0, 9.2, (track,), ("person",)),)
    recording = Recording(
        path,
        "0123456789abcdef",
        30.04,
        "counted",
        "mov,mp4",
        (AudioStream(1, "aac", 48000, 2, 0.0, 30.04, "counted", "eng"),),
        (VideoStream(0, "h264", 640, 360, 90, 0.0, 30.0, "counted", 25.0, 25.0, True),),
        title="A meeting",
    )
    cuts = boundaries(sentences, topics, events, recording.duration, ChunkSettings())
    return Segmentation(
        recording=recording,
        settings=Settings().as_dict(),
        models={"tracker": ModelFile("yolo26n", "/m/yolo26n.pt", "0" * 64, "cache")},
        sentences=sentences,
        topic_breaks=topics,
        events=events,
        boundaries=cuts,
        chunks=tile(cuts, sentences, events, recording, 1.0),
        health=(Finding("audio_hole", "nothing was recorded", 3.0, 4.0),),
        timings={"speech": 1.5},
    )


def test_segments_json_reads_back_into_the_same_records(tmp_path: Path) -> None:
    segments_json.write(example(), tmp_path / "segments.json")
    back = segmenter.load(tmp_path)
    assert replace(back, settings={}) == replace(example(), settings={})
    assert Settings.from_dict(back.settings) == Settings()


def test_segments_json_keeps_the_published_schema() -> None:
    published = Path(__file__).parents[2] / "docs" / "segments.schema.json"
    schema = json.loads(published.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    data = json.loads(json.dumps(segments_json.as_dict(example())))
    jsonschema.validate(data, schema)
    del data["chunks"][0]["start"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, schema)


def test_times_go_out_in_whole_milliseconds() -> None:
    odd = replace(example(), events=(Event(1, 1 / 3, 2 / 3),))
    assert segments_json.as_dict(odd)["events"][0]["start"] == 0.333
    assert segments_json.as_dict(odd)["events"][0]["end"] == 0.667


@pytest.mark.parametrize("damage", ["", "{}", "[1]", '{"recording": ', '{"recording": NaN}'])
def test_a_damaged_file_says_what_to_do(tmp_path: Path, damage: str) -> None:
    (tmp_path / "segments.json").write_text(damage)
    with pytest.raises(BadInput, match="segmenter run"):
        segmenter.load(tmp_path)


def test_each_line_of_chunks_jsonl_stands_for_itself(tmp_path: Path) -> None:
    result = example()
    chunks_jsonl.write(result, tmp_path / "chunks.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "chunks.jsonl").read_text(encoding="utf-8").split("\n") if line]
    assert [row["id"] for row in rows] == [chunk.id for chunk in result.chunks]
    assert [row["previous"] for row in rows] == [None, *(row["id"] for row in rows[:-1])]
    assert [row["next"] for row in rows] == [*(row["id"] for row in rows[1:]), None]
    visit = next(row for row in rows if row["kind"] == "event")
    assert (visit["start"], visit["end"], visit["timestamp"]) == (5.0, 9.2, "0:05")
    assert visit["link"] == "stand%20up.mp4#t=5.000,9.200"
    assert visit["labels"] == ["person"]


@given(st.text())
def test_any_text_goes_through(text: str) -> None:
    data = json.dumps(segments_json.as_dict(example(text=text or "x")), ensure_ascii=False).encode("utf-8")
    assert json.loads(data)["sentences"][0]["text"] == (text or "x")


class TestFolder:
    def test_a_run_is_a_folder_with_all_files(self, tmp_path: Path) -> None:
        written = folder.write(example(), tmp_path / "new" / "out")
        assert written == tmp_path / "new" / "out" / "stand up"
        assert {p.name for p in written.iterdir()} == set(folder.WRITERS)
        assert [p.name for p in written.parent.iterdir()] == ["stand up"]

    def test_the_same_input_gives_the_same_bytes(self, tmp_path: Path) -> None:
        first, second = (folder.write(example(), tmp_path / name) for name in "ab")
        assert all((first / name).read_bytes() == (second / name).read_bytes() for name in folder.WRITERS)

    def test_two_recordings_of_one_name_get_two_folders(self, tmp_path: Path) -> None:
        names = [
            folder.write(example(path), tmp_path).name for path in ("/a/talk.mp4", "/b/talk.mp4", "/a/talk.mp4", "/a/talk.wav")
        ]
        assert names == ["talk", "talk-2", "talk", "talk-3"]

    def test_a_new_run_replaces_its_own_files_and_keeps_others(self, tmp_path: Path) -> None:
        written = folder.write(example(), tmp_path)
        (written / "notes.txt").write_text("mine")
        folder.write(example(text="Good evening."), tmp_path)
        assert (written / "notes.txt").read_text() == "mine"
        assert "Good evening." in (written / "transcript.vtt").read_text()
        assert [p.name for p in tmp_path.iterdir()] == ["stand up"]

    def test_a_folder_of_somebody_else_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "stand up").mkdir()
        (tmp_path / "stand up" / "segments.json").write_text("something else")
        assert folder.write(example(), tmp_path).name == "stand up-2"
        assert (tmp_path / "stand up" / "segments.json").read_text() == "something else"

    def test_what_fails_midway_leaves_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(_: Segmentation, path: Path) -> None:
            path.write_text("half")
            raise OSError(28, "No space left on device")

        monkeypatch.setitem(folder.WRITERS, "chapters.vtt", full)
        with pytest.raises(SegmenterError, match="No space left on device"):
            folder.write(example(), tmp_path)
        assert list(tmp_path.iterdir()) == []

    def test_a_file_where_the_folder_should_be(self, tmp_path: Path) -> None:
        (tmp_path / "out").write_text("a file")
        with pytest.raises(SegmenterError, match="cannot be written"):
            folder.write(example(), tmp_path / "out")

    @pytest.mark.parametrize(
        ("path", "name"),
        [
            ("/r/talk.final.mp4", "talk.final"),
            ("/r/.wav", "wav"),
            ("/r/...mp4", "recording"),
            ("/r/a:b?.wav", "a_b_"),
            ("/r/line\nfeed.wav", "line_x0afeed"),
            ("/r/" + "é" * 120 + ".wav", "é" * 60),
            ("/r/caf\udce9.wav", "caf_xe9"),
            ("/r/会議　録画.mp4", "会議　録画"),
            ("/r/👩‍💻.mp4", "👩‍💻"),
            ("/r/CON.mp4", "CON_"),
        ],
    )
    def test_names_that_every_file_system_takes(self, path: str, name: str) -> None:
        assert folder.folder_name(path) == name

    def test_a_run_folder_behind_a_link_is_renewed_where_it_lies(self, tmp_path: Path) -> None:
        real = folder.write(example(), tmp_path / "real")
        (real / "notes.txt").write_text("mine")
        (tmp_path / "linked").mkdir()
        (tmp_path / "linked" / "stand up").symlink_to(real)
        assert folder.write(example(text="Good evening."), tmp_path / "linked").resolve() == real.resolve()
        assert (real / "notes.txt").read_text() == "mine"
        assert "Good evening." in (real / "transcript.vtt").read_text()
        assert [p.name for p in (tmp_path / "linked").iterdir()] == ["stand up"]
        assert [p.name for p in (tmp_path / "real").iterdir()] == ["stand up"]

    def test_what_a_killed_run_left_is_settled_by_the_next(self, tmp_path: Path) -> None:
        """Killed while writing, and killed between taking the old folder away and putting the new one in its place."""
        kept = folder.write(example("/a/kept.mp4"), tmp_path)
        (kept / "notes.txt").write_text("mine")
        kept.rename(tmp_path / ".segmenter-earlier-kept")
        (tmp_path / ".segmenter-new-kept").mkdir()
        (tmp_path / ".segmenter-new-kept" / "segments.json").write_text("half")
        folder.write(example(), tmp_path)
        assert sorted(p.name for p in tmp_path.iterdir()) == ["kept", "stand up"]
        assert (kept / "notes.txt").read_text() == "mine"

    def test_many_at_once_into_one_folder(self, tmp_path: Path) -> None:
        recordings = [f"/{i % 4}/talk.mp4" for i in range(24)]
        with ThreadPoolExecutor(8) as threads:
            written = list(threads.map(lambda path: folder.write(example(path), tmp_path), recordings))
        assert {p.name for p in tmp_path.iterdir()} == {"talk", "talk-2", "talk-3", "talk-4"}
        assert len({(path, where) for path, where in zip(recordings, written, strict=True)}) == 4

    def test_what_is_left_out_is_told_and_the_rest_is_written(self, tmp_path: Path) -> None:
        def full(_: Segmentation, path: Path) -> None:
            path.write_text("half")
            raise OSError(28, "No space left on device")

        told: list[str] = []
        written = folder.write(example(), tmp_path, {"report.html": full}, lambda name, error: told.append(f"{name}: {error}"))
        assert {p.name for p in written.iterdir()} == set(folder.WRITERS)
        assert told == ["report.html: [Errno 28] No space left on device"]

    def test_where_nothing_can_be_written_is_known_before_the_work(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        folder.usable(tmp_path / "new" / "deep")
        assert list(tmp_path.iterdir()) == [tmp_path / "file"]
        for out in (tmp_path / "file", tmp_path / "file" / "below"):
            with pytest.raises(SegmenterError, match="a file, not a folder"):
                folder.usable(out)
