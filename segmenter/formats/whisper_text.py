"""What Whisper programs write besides JSON: a table with tabs, and the lines that they print.

start <tab> end <tab> text            [00:00.000 --> 00:02.000]  Hello there.
0 <tab> 2000 <tab> Hello there.       [00:00:02.000 --> 00:00:04.000]   whisper.cpp writes hours
"""

from __future__ import annotations

import re

from segmenter.formats.captions import lines
from segmenter.formats.cues import Cue, Piece, Tally, check_number, tidy, usable_times
from segmenter.timeline import parse_time

_HEADER = ["start", "end", "text"]
_TIME = r"\d{1,4}(?::\d{1,2}){1,2}[.,]\d{1,3}"
_PRINTED = re.compile(rf"\s*\[(?P<start>{_TIME})\s+-->\s+(?P<end>{_TIME})\](?P<text>.*)", re.ASCII)


def is_table(text: str) -> bool:
    """Whether the first line names Whisper's columns."""
    return lines(text.lstrip("\ufeff").partition("\n")[0])[0].split("\t") == _HEADER


def read_table(text: str, tally: Tally) -> list[Cue]:
    """One cue a row; times are milliseconds."""
    rows = [line.split("\t", maxsplit=2) for line in lines(text)[1:] if line.strip()]
    check_number(len(rows))
    cues = []
    for row in rows:
        if len(row) == len(_HEADER) and all(re.fullmatch(r"-?\d{1,15}", time, re.ASCII) for time in row[:2]):
            cues.append(_cue(int(row[0]) / 1000, int(row[1]) / 1000, row[2], tally))
        else:
            tally["transcript_bad_segment"] += 1
    return [cue for cue in cues if cue is not None]


def is_printed(text: str) -> bool:
    """Whether some line begins with two times in a bracket."""
    return any(_PRINTED.match(line) for line in lines(text))


def read_printed(text: str, tally: Tally) -> list[Cue]:
    """One cue a line with times; what else the programs say around them is left out and counted."""
    shown = [line for line in lines(text) if line.strip()]
    found = [_PRINTED.match(line) for line in shown]
    check_number(len(found))
    tally["transcript_stray_text"] += sum(one is None for one in found)
    cues = [_cue(parse_time(one["start"]), parse_time(one["end"]), one["text"], tally) for one in found if one]
    return [cue for cue in cues if cue is not None]


def _cue(start: float, end: float, text: str, tally: Tally) -> Cue | None:
    times, pieces = usable_times(start, end, tally), tidy([Piece(text.strip())])
    tally["transcript_empty_cue"] += not pieces
    return Cue(*times, pieces) if times and pieces else None
