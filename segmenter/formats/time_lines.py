"""The line of times above a caption: as it should be, as other tools and translators write it, and damaged.

    00:00:01,000 --> 00:00:03,000          00: 00: 01,000 -> 00: 00: 03,000          00:00:01,000 → 00:00:03,000
    0:00:01.000,0:00:03.000                00:00:01,000 -->                          --> 00:00:03,000

What people say about times, "9:00 -> 10:00", is no such line: where the arrow is another one, or a time is missing, the
times must be as exact as captions have them.
"""

from __future__ import annotations

import re
import unicodedata

_PROMISING = re.compile(r"\W{0,200}\d|\s*\W{0,3}[>→⟶⇒]|\s*-{2}&gt;|\s*\S{1,20}\s*-->")
_LONGEST = 200  # characters of a line with blanks inside its times; without them a damaged one may be longer
_TIME_LIKE = re.compile(r"[+-]?\d+:[\w:.,+-]*", re.ASCII)  # a digit may be damaged: 00:00:0x,000
_ARROW = r"-{1,3}\s?>|-\s->|[–—−―]{1,2}-?\s?>|={1,2}>|[→⟶⇒]|-{2}&gt;"
_CLOCK = r"[+-]?\d{1,4}(?:\s?:\s?\d{1,2}){1,3}(?:\s?[.,]\s?\d{1,3})?"
_SETTINGS = r"(?:\s+[A-Za-z]\w*:\S*)*"
_LOOSE = re.compile(rf"(?P<start>{_CLOCK})?\s*(?:{_ARROW})\s*(?P<end>{_CLOCK})?{_SETTINGS}", re.ASCII)
_NO_ARROW = re.compile(rf"(?P<start>{_CLOCK})(?:\s*[-–—~,;]\s*|\s+)(?P<end>{_CLOCK})", re.ASCII)
_SECONDS = re.compile(r"(?P<start>\d{1,2}[.,]\d{3})\s*-->\s*(?P<end>\d{1,2}[.,]\d{3})", re.ASCII)
_ONE_DAMAGED = re.compile(rf"(?:(?P<start>{_CLOCK})\s*-->\s*\S{{1,20}}|\S{{1,20}}\s*-->\s*(?P<end>{_CLOCK}))", re.ASCII)
_FULL = re.compile(r"[+-]?\d+:\d\d?:\d\d?\S*|[+-]?\d+:\d\d?[.,]\d+", re.ASCII)  # "9:00 -> 10:00" is said about a timetable
_EXACT = re.compile(r"[+-]?\d+:[\d:]+[.,]\d{1,3}", re.ASCII)
_SIGNS = str.maketrans({"٫": ".", "،": ",", "、": ",", "。": "."})


def times(line: str) -> tuple[str, str] | None:
    """Start and end as they are written, without blanks; an empty one is missing, and either may be malformed.

    None: the line was not meant to hold a caption's two times. `a --> b` in a text was not.
    """
    if not _PROMISING.match(line):
        return None
    left, arrow, right = line.partition("-->")
    if arrow:
        left, right = left.strip(), (right.split(maxsplit=1) or [""])[0]
        if _TIME_LIKE.fullmatch(left) and _TIME_LIKE.fullmatch(right):
            return left, right
    return _untidy(_plain(line.strip())) if len(line.strip()) <= _LONGEST else None


def _plain(line: str) -> str:
    """Digits and marks of any script as those of ASCII, without marks that only steer the direction of writing."""
    if line.isascii():
        return line
    shown = (c for c in unicodedata.normalize("NFKC", line).translate(_SIGNS) if unicodedata.category(c) != "Cf")
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in shown).strip()


def _untidy(line: str) -> tuple[str, str] | None:
    if line == "-->":
        return "", ""
    if found := _LOOSE.fullmatch(line):
        start, end = _bare(found)
        needed = _FULL if start and end else _EXACT if start or end else None
        return (start, end) if needed and all(map(needed.fullmatch, filter(None, (start, end)))) else None
    if found := _SECONDS.fullmatch(line):
        return _bare(found)
    for pattern, told in ((_NO_ARROW, 2), (_ONE_DAMAGED, 1)):
        found = pattern.fullmatch(line)
        if found and sum(bool(_EXACT.fullmatch(time)) for time in _bare(found)) == told:
            return _bare(found) if told == len(_bare(found)) else (found["start"] or "?", found["end"] or "?")
    return None


def _bare(found: re.Match[str]) -> tuple[str, str]:
    start, end = ("".join((found[name] or "").split()) for name in ("start", "end"))
    return start, end
