"""Any transcript file: told by its content, read into words, its faults said once a kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from segmenter.errors import BadInput, NotAFile, TooLarge
from segmenter.formats import transcripts
from segmenter.records import Finding

SRT = "1\n00:00:01,000 --> 00:00:03,000\nOne three\n\n2\n00:00:04,000 --> 00:00:06,000\nBye.\n"
VTT = "WEBVTT\n\n00:01.000 --> 00:03.000\nOne three\n\n00:04.000 --> 00:06.000\nBye.\n"
JSON = '{"segments": [{"start": 1, "end": 3, "text": " One three"}, {"start": 4, "end": 6, "text": " Bye."}]}'


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


TSV = "start\tend\ttext\n1000\t3000\tOne three\n4000\t6000\tBye.\n"
PRINTED = "[00:01.000 --> 00:03.000]  One three\n[00:04.000 --> 00:06.000]  Bye.\n"
PRINTED_CPP = "\n[00:00:01.000 --> 00:00:03.000]   One three\n[00:00:04.000 --> 00:00:06.000]   Bye.\n\n"
SBV = "0:00:01.000,0:00:03.000\nOne three\n\n0:00:04.000,0:00:06.000\nBye.\n"


@pytest.mark.parametrize(
    "content",
    [SRT, VTT, JSON, TSV, PRINTED, PRINTED_CPP, SBV],
    ids=["srt", "vtt", "json", "tsv", "printed", "whisper.cpp", "sbv"],
)
@pytest.mark.parametrize("name", ["a.srt", "a.vtt", "a.json", "a.mp4", "a"])
def test_content_decides_whatever_the_name(content: str, name: str, tmp_path: Path) -> None:
    path = write(tmp_path, name, content)
    findings: list[Finding] = []
    words = transcripts.read(path, 10.0, findings.append)
    assert [(w.text, w.start, w.end) for w in words] == [(" One", 1.0, 1.8), (" three", 1.8, 3.0), (" Bye.", 4.0, 6.0)]
    assert findings == []
    assert transcripts.is_transcript(path)


@pytest.mark.parametrize(
    ("name", "content", "is_one"),
    [
        ("notes.srt", b"no times here", True),
        ("notes.txt", b"no times here", False),
        ("video.srt", b"\x00\x00\x00\x20ftypisom\xff\xfe", False),
        ("list.m3u8", b"#EXTM3U\nsegment.ts\n", False),
        ("long.bin", "é".encode() * 50_000, False),
        ("long", b"WEBVTT\n\nNOTE " + "é".encode() * 50_000, True),
    ],
)
def test_a_transcript_is_told_from_a_recording(name: str, content: bytes, is_one: bool, tmp_path: Path) -> None:
    assert transcripts.is_transcript(write(tmp_path, name, content)) is is_one


def test_each_kind_of_fault_is_said_once_with_its_count(tmp_path: Path) -> None:
    content = "".join(f"{i}\n00:00:{i:02},000 --> 00:00:{i + 5:02},000\nWord.\n\n" for i in range(1, 9))
    findings: list[Finding] = []
    transcripts.read(write(tmp_path, "a.srt", content), 6.0, findings.append)
    assert [(f.code, f.level, f.message.rpartition(": ")[2]) for f in findings] == [
        ("transcript_past_end", "warning", "3"),
        ("transcript_clipped", "note", "4"),
        ("transcript_overlap", "warning", "4"),
    ]


def test_a_refusal_names_the_file_and_what_was_wrong_in_it(tmp_path: Path) -> None:
    path = write(tmp_path, "a.srt", "1\n00:00:99999999999,000 --> 00:00:02,000\nBad.\n")
    with pytest.raises(BadInput, match=r"a\.srt: no cues .* malformed or invalid time: 1"):
        transcripts.read(path, None, lambda _: None)


@pytest.mark.parametrize(("content", "message"), [(b"", "empty"), (b" \n\t\n", "empty"), (b"Hello.", "known format")])
def test_an_empty_or_foreign_file_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=message):
        transcripts.read(write(tmp_path, "a.txt", content), None, lambda _: None)


def test_a_document_is_refused_as_one(tmp_path: Path) -> None:
    path = write(tmp_path, "a.srt", "{\\rtf1\\ansi 1\\par\n00:00:01,000 --> 00:00:03,000\\par\nHello.\\par\n}")
    with pytest.raises(BadInput, match=r"RTF.*plain text"):
        transcripts.read(path, None, lambda _: None)


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "a.srt").open("wb") as file:
        file.truncate(50_000_001)
    with pytest.raises(TooLarge, match="limit"):
        transcripts.read(tmp_path / "a.srt", None, lambda _: None)


def test_a_folder_is_no_transcript(tmp_path: Path) -> None:
    with pytest.raises(NotAFile, match="folder"):
        transcripts.is_transcript(tmp_path)


def test_a_transcript_can_stand_for_its_recording(tmp_path: Path) -> None:
    path = write(tmp_path, "a.srt", SRT)
    recording = transcripts.as_recording(path, transcripts.read(path, None, lambda _: None))
    assert (recording.path, recording.duration, recording.audio, recording.video) == (str(path), 6.0, (), ())


def cues(*starts: float) -> str:
    return "WEBVTT\n\n" + "".join(
        f"{int(s // 3600):02}:{int(s % 3600 // 60):02}:{s % 60:06.3f} --> "
        f"{int(s // 3600):02}:{int(s % 3600 // 60):02}:{s % 60 + 2:06.3f}\nAgain.\n\n"
        for s in starts
    )


@pytest.mark.parametrize(
    ("starts", "duration", "told"),
    [
        ([*range(0, 300, 10), 36000], None, [(292.0, 36000.0)]),
        ([*range(0, 300, 10), 36000, 72000], None, [(292.0, 36000.0), (36002.0, 72000.0)]),
        ([0, *range(36000, 36300, 10)], None, [(2.0, 36000.0)]),
        ([*range(0, 300, 10), 36000], 36100.0, []),  # of a recording that is so long
        ([*range(0, 300, 10), 2000], None, []),  # half an hour is a break
        ([*range(0, 9000, 10), *range(14000, 20000, 10)], None, []),  # a day with a lunch break
        ([], None, []),
    ],
)
def test_a_cue_far_from_all_others_is_kept_and_named(
    starts: list[float], duration: float | None, told: list[tuple[float, float]], tmp_path: Path
) -> None:
    path = write(tmp_path, "a.vtt", cues(*starts, *([] if starts else [0])))
    findings: list[Finding] = []
    words = transcripts.read(path, duration, findings.append)
    strays = [f for f in findings if f.code == "transcript_stray"]
    assert [(f.start, f.end) for f in strays] == told
    assert len(words) == max(1, len(starts))
    assert all("'Again.'" in f.message and f.level == "warning" for f in strays)


@pytest.mark.parametrize(
    "text", ["[00:00:15] Jane: Good morning.\n[00:00:20] Ben: Hi.\n", "[Jane] 10:04:15\nGood morning.\n\n[Ben] 10:04:20\nHi.\n"]
)
def test_a_text_that_begins_with_a_bracket_is_no_json(tmp_path: Path, text: str) -> None:
    path = tmp_path / "talk.txt"
    path.write_text(text, encoding="utf-8")
    assert "morning." in [word.text.strip() for word in transcripts.read(path, None, lambda _: None)]
