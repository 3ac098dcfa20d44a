"""RTTM: read as other tools write it, written as they read it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.errors import BadInput
from segmenter.formats import rttm
from segmenter.records import Finding, Turn


def read(tmp_path: Path, content: str | bytes, duration: float | None = None) -> tuple[tuple[Turn, ...], list[str]]:
    path, found = tmp_path / "x.rttm", list[Finding]()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return rttm.read(path, duration, found.append), [finding.code for finding in found]


def test_turns_come_in_order_of_time(tmp_path: Path) -> None:
    content = "SPEAKER a 1 3.5 1.25 <NA> <NA> Bob <NA> <NA>\nSPEAKER a 1 0 2 <NA> <NA> Ada <NA> <NA>\n"
    assert read(tmp_path, content) == ((Turn("Ada", 0.0, 2.0), Turn("Bob", 3.5, 4.75)), [])


def test_other_kinds_of_lines_comments_and_missing_last_fields_are_taken(tmp_path: Path) -> None:
    content = ";; made by hand\r\nSPKR-INFO a 1 <NA> <NA> <NA> unknown Ada <NA>\r\n\r\nSPEAKER a 1 .5 1e1 <NA> <NA> Ada\r\n"
    assert read(tmp_path, "\ufeff" + content) == ((Turn("Ada", 0.5, 10.5),), [])


@pytest.mark.parametrize(
    "line",
    [
        "SPEAKER a 1 -1 2 <NA> <NA> Bob",
        "SPEAKER a 1 nan 2 <NA> <NA> Bob",
        "SPEAKER a 1 1 inf <NA> <NA> Bob",
        "SPEAKER a 1 1 0 <NA> <NA> Bob",
        "SPEAKER a 1 one 2 <NA> <NA> Bob",
        "SPEAKER a 1 1 2",
    ],
)
def test_impossible_lines_are_skipped_and_counted(tmp_path: Path, line: str) -> None:
    good = "SPEAKER a 1 0 2 <NA> <NA> Ada <NA> <NA>"
    assert read(tmp_path, f"{good}\n{line}\n") == ((Turn("Ada", 0.0, 2.0),), ["rttm_bad_line"])


def test_turns_end_with_the_recording(tmp_path: Path) -> None:
    content = "SPEAKER a 1 0 9 <NA> <NA> Ada <NA> <NA>\nSPEAKER a 1 8 1 <NA> <NA> Bob <NA> <NA>\n"
    assert read(tmp_path, content, duration=5.0) == ((Turn("Ada", 0.0, 5.0),), ["rttm_past_end"])


@pytest.mark.parametrize("content", ["WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n", "SPEAKER a 1 x y <NA> <NA> Ada\n", "\n"])
def test_what_has_no_turns_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(BadInput, match="no RTTM"):
        read(tmp_path, content)


def test_turns_of_several_recordings_are_refused(tmp_path: Path) -> None:
    content = "".join(f"SPEAKER {name} 1 0 1 <NA> <NA> Ada <NA> <NA>\n" for name in "ab")
    with pytest.raises(BadInput, match="turns of 2 recordings: a, b"):
        read(tmp_path, content)


def test_a_written_line_is_the_standard_one(tmp_path: Path) -> None:
    path = tmp_path / "speakers.rttm"
    rttm.write([Turn("Dr. Ada L.", 0.12349, 2.0)], "stand up", path)
    assert path.read_text(encoding="utf-8") == "SPEAKER stand_up 1 0.123 1.877 <NA> <NA> Dr._Ada_L. <NA> <NA>\n"


milliseconds = st.integers(0, 10**7)
names = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)


@given(st.lists(st.tuples(names, milliseconds, st.integers(1, 10**6)), min_size=1, max_size=8))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, int, int]]) -> None:
    turns = [Turn(name, start / 1000, (start + length) / 1000) for name, start, length in rows]
    path = tmp_path_factory.mktemp("rttm") / "x.rttm"
    rttm.write(turns, "x", path)
    again = rttm.read(path, None, lambda _: pytest.fail("a finding"))
    key = [(turn.speaker, round(turn.start * 1000), round(turn.end * 1000)) for turn in again]
    assert sorted(key) == sorted((name, start, start + length) for name, start, length in rows)
