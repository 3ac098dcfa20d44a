"""RTTM, the Rich Transcription Time Marked format: who speaks when, one turn a line.

SPEAKER <file> <channel> <start> <duration> <NA> <NA> <speaker> <NA> <NA>, in seconds, as NIST defined it (The 2009 Rich
Transcription Evaluation Plan, appendix A). Lines of other kinds (SPKR-INFO, LEXEME, ...) are no turns.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from segmenter.errors import BadInput
from segmenter.files import read_bytes
from segmenter.formats import text
from segmenter.records import Finding, Turn
from segmenter.timeline import milliseconds

_LIMIT_BYTES = 20_000_000  # some 200,000 turns
_NUMBER = re.compile(r"[+-]?(\d{1,9}(\.\d{0,12})?|\.\d{1,12})(e[+-]?\d)?", re.ASCII | re.IGNORECASE)
_FIELDS = 8  # up to the speaker's name; the last two are often left out


def read(path: str | os.PathLike[str], duration: float | None, report: Callable[[Finding], None]) -> tuple[Turn, ...]:
    """The turns in order of time, inside [0, duration] where that is known.

    What is wrong in the file goes to `report`.

    Raises:
        NotAFile: not a regular file that can be read.
        BadInput: no turns in it, or those of several recordings.
        TooLarge: beyond the limit.
    """
    content, damage = text.decode(read_bytes(path, _LIMIT_BYTES), path)
    rows = [fields for line in content.splitlines() if (fields := line.split()) and fields[0] == "SPEAKER"]
    files = {fields[1] for fields in rows if len(fields) >= _FIELDS}
    if len(files) > 1:
        hint = "give a file that holds one of them"
        raise BadInput(f"turns of {len(files)} recordings: {', '.join(sorted(files)[:3])}", path=path, hint=hint)
    turns = [_turn(fields) for fields in rows]
    good = [turn for turn in turns if turn is not None]
    if not good:
        raise BadInput("no RTTM: no line such as 'SPEAKER file 1 0.5 2.25 <NA> <NA> name <NA> <NA>'", path=path)
    inside = [turn for turn in (_inside(turn, duration) for turn in good) if turn is not None]
    _tell(damage, Counter(bad=len(turns) - len(good), outside=len(good) - len(inside)), report)
    return tuple(sorted(inside, key=lambda turn: (turn.start, turn.end, turn.speaker)))


def _tell(damage: Finding | None, lost: Counter[str], report: Callable[[Finding], None]) -> None:
    if damage is not None:
        report(damage)
    if lost["bad"]:
        report(Finding("rttm_bad_line", f"RTTM: lines skipped for missing fields or impossible times: {lost['bad']}"))
    if lost["outside"]:
        report(
            Finding("rttm_past_end", f"RTTM: turns left out because they lie after the end of the recording: {lost['outside']}")
        )


def _turn(fields: list[str]) -> Turn | None:
    """The turn of one line, or None where it makes no sense."""
    if len(fields) < _FIELDS or not (_NUMBER.fullmatch(fields[3]) and _NUMBER.fullmatch(fields[4])):
        return None
    start, length = float(fields[3]), float(fields[4])
    name = text.clean(fields[7])
    return Turn(name, start, start + length) if name and start >= 0 and length > 0 else None


def _inside(turn: Turn, duration: float | None) -> Turn | None:
    if duration is None or turn.end <= duration:
        return turn
    return Turn(turn.speaker, turn.start, duration) if turn.start < duration else None


def write(turns: Iterable[Turn], recording: str, path: Path) -> None:
    """One line a turn; `recording` is its name. Fields hold no blanks, so those in names become underscores."""
    lines = (_line(turn, _field(recording)) for turn in turns)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def _line(turn: Turn, recording: str) -> str:
    start_ms = milliseconds(turn.start)
    length_ms = max(1, milliseconds(turn.end) - start_ms)
    times = f"{start_ms / 1000:.3f} {length_ms / 1000:.3f}"
    return f"SPEAKER {recording} 1 {times} <NA> <NA> {_field(turn.speaker)} <NA> <NA>\n"


def _field(name: str) -> str:
    return re.sub(r"\s+", "_", text.clean(name).strip()) or "<NA>"
