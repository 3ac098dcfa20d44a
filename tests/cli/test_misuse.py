"""What a newcomer may get wrong: each is told, with what to do, and nothing is left out in silence."""

from __future__ import annotations

import json
from inspect import signature
from pathlib import Path

import pytest
from test_run import SILENT, make_video, segmenter

from segmenter.cli import unused
from segmenter.cli.run import run

TALK = """1
00:00:01,000 --> 00:00:03,000
The pump has failed.

2
00:00:04,000 --> 00:00:06,000
Who brings the cake?
"""
PLAIN = ("--topics", "fixed", "--no-report")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a transcript."""
    (tmp_path / "t.srt").write_text(TALK)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "t.srt", "--transcript", "t.srt"), "t.srt: a transcript already"),
        (("run", "t.srt", "--topics-count", "2", "--granularity", "fine"), "'--granularity' / '--topics-count'"),
        (("run", "t.srt", "--topics", "percentile", "--granularity", "fine"), "only default has"),
        (("watch", "t.srt", "--for", "0"), "more than 0"),
        (("watch", "t.srt", "--for", "nan"), "more than 0"),
        (("run", "-dash.srt"), "write ./-dash.srt"),
    ],
)
def test_wrong_use_is_told_with_what_to_do(place: Path, words: tuple[str, ...], told: str) -> None:
    (place / "-dash.srt").write_text(TALK)
    done = segmenter(*words, cwd=place)
    assert done.returncode == 2
    assert told in done.stderr
    assert not (place / "segments").exists()


@pytest.mark.parametrize(("options", "why"), [(("--no-speech", "--no-vision"), "left out"), (("--no-vision",), "no sound")])
def test_a_recording_that_nobody_examines_is_not_called_idle(tmp_path: Path, options: tuple[str, ...], why: str) -> None:
    make_video(tmp_path / "yard.mp4", 1)
    done = segmenter("run", "yard.mp4", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert "yard.mp4: nothing is to be examined" in done.stderr
    assert why in done.stderr
    assert not (tmp_path / "segments").exists()


def test_options_that_find_nothing_to_work_on_are_named(place: Path) -> None:
    make_video(place / "yard.mp4", 1)
    vain = ("--speakers", "--audio-track", "2", "--clips", "--no-speech")
    done = segmenter("run", "t.srt", *PLAIN, *vain, cwd=place)
    note = "no sound and no pictures in it, so --audio-track, --speakers, --clips, --no-speech had nothing to work on"
    assert {*done.stderr.splitlines()[0].split()} == {*f"note: {note}".split()}
    health = json.loads((place / "segments" / "t" / "segments.json").read_text("utf-8"))["health"]
    assert [finding["code"] for finding in health] == ["unused_options"]
    done = segmenter("run", "yard.mp4", *SILENT, "--speakers", "--no-report", cwd=place)
    assert "no sound in it, so --speakers had" in done.stderr


def test_the_language_of_a_transcript_is_something_to_work_on(place: Path) -> None:
    make_video(place / "yard.mp4", 1)
    done = segmenter("run", "t.srt", *PLAIN, "--language", "de", cwd=place)
    assert "nothing to work on" not in done.stderr
    done = segmenter("run", "yard.mp4", *SILENT, "--language", "de", "--no-report", cwd=place)
    assert "no sound and no words in it, so --language had" in done.stderr


def test_every_option_that_needs_something_is_an_option() -> None:
    assert set(unused.NEEDS) <= set(signature(run).parameters)


@pytest.mark.parametrize("wish", [("--topics-count", "99"), ("--topic-length", "0:01")])
def test_more_topics_than_sentences_allow_are_told(place: Path, wish: tuple[str, str]) -> None:
    done = segmenter("topics", "t.srt", "--topics", "texttiling_words", *wish, cwd=place)
    assert done.returncode == 0
    assert "2 could be made of 2 sentences" in done.stderr


def test_an_option_takes_the_place_of_what_the_file_says_of_the_number_of_topics(place: Path) -> None:
    (place / "s.toml").write_text("[topics]\ntopics_count = 2\n")
    done = segmenter(
        "run", "t.srt", *PLAIN, "--topics", "texttiling_words", "--topic-length", "1h", "--config", "s.toml", cwd=place
    )
    assert "0 topic breaks" in done.stderr


def test_a_file_that_is_named_twice_is_segmented_once(place: Path) -> None:
    done = segmenter("run", "t.srt", "./t.srt", *PLAIN, "--json", cwd=place)
    assert len(done.stdout.splitlines()) == 1
    assert "segmented once" in done.stderr


def test_of_several_recordings_a_finding_says_which(place: Path) -> None:
    (place / "bad.srt").write_text(TALK.replace("00:00:01,000", "00:00:0x,000"))
    done = segmenter("run", "t.srt", "bad.srt", *PLAIN, cwd=place)
    (warning,) = (line for line in done.stderr.splitlines() if line.startswith("warning"))
    assert warning.startswith("warning: bad.srt: transcript: ")


def test_clips_of_nothing_say_why_and_what_there_is(place: Path) -> None:
    make_video(place / "wall.mp4", 4, (9, 9))
    segmenter("run", "t.srt", "wall.mp4", *PLAIN, *SILENT, cwd=place)
    done = segmenter("clips", "segments", cwd=place)
    assert (done.returncode, done.stdout) == (0, "")
    assert "t: a transcript alone" in done.stderr
    assert "segmenter clips segments/wall --of chunks" in done.stderr


def test_a_picture_beyond_the_end_is_refused_with_the_length(tmp_path: Path) -> None:
    make_video(tmp_path / "yard.mp4", 2)
    (tmp_path / "z.toml").write_text('[[lines]]\nname = "gate"\nstart = [0.1, 0.1]\nend = [0.9, 0.9]\n')
    done = segmenter("zones", "yard.mp4", "--zones", "z.toml", "--at", "999", cwd=tmp_path)
    assert done.returncode == 2
    assert "it is 2.0 s long" in done.stderr
