"""Whisper's table and its printed lines: texts and times, and what is no segment is counted."""

from __future__ import annotations

import pytest

from segmenter.formats import whisper_text
from segmenter.formats.cues import Cue, Tally


def told(cues: list[Cue]) -> list[tuple[float, float, str]]:
    return [(cue.start, cue.end, cue.text) for cue in cues]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_table_counts_in_milliseconds(line_end: str) -> None:
    text = "start\tend\ttext\n0\t2040\tHello\tthere.\n\n2040\t4000\tBye now.\n".replace("\n", line_end)
    assert whisper_text.is_table(text)
    tally = Tally()
    assert told(whisper_text.read_table(text, tally)) == [(0.0, 2.04, " Hello there."), (2.04, 4.0, " Bye now.")]
    assert not +tally


def test_rows_that_cannot_be_used_are_counted() -> None:
    tally = Tally()
    text = "start\tend\ttext\n0\t2000\tGood.\nx\t3000\tBad.\n4000\t5000\n6000\t7000\t \n-2000\t-1000\tEarly.\n"
    assert told(whisper_text.read_table(text, tally)) == [(0.0, 2.0, " Good.")]
    assert +tally == {"transcript_bad_segment": 2, "transcript_empty_cue": 1, "transcript_negative_time": 1}


def test_printed_lines_and_what_stands_around_them() -> None:
    tally = Tally()
    text = "Detecting language: English\n\n[00:00.000 --> 00:02.000]  [Music] Hi.\n[1:00:02.000 --> 1:00:04.500]   Bye --> now.\n"
    assert whisper_text.is_printed(text)
    assert told(whisper_text.read_printed(text, tally)) == [(0.0, 2.0, " [Music] Hi."), (3602.0, 3604.5, " Bye --> now.")]
    assert +tally == {"transcript_stray_text": 1}


@pytest.mark.parametrize("text", ["[00:15] Jane: Hello.", "[00:00:15 --> later] x", "start end text", "end\tstart\ttext"])
def test_other_texts_are_neither(text: str) -> None:
    assert not whisper_text.is_table(text)
    assert not whisper_text.is_printed(text)
