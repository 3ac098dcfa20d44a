"""The tags inside a caption: who speaks, when a word begins, and what only says how it looks.

Only tags that SubRip and WebVTT know are tags. Anything else in angle brackets was said or shown, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from segmenter.formats.cues import Piece, tidy
from segmenter.formats.text import clean
from segmenter.timeline import parse_time

_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>v|c|i|b|u|s|font|lang|ruby|rt)(?:\.[^\s<>.]*)*(?:\s(?P<note>[^<>]*))?>"
    r"|<(?P<time>\d[\d:.]{1,20})>"
    r"|<br\s{0,9}/?>",
    re.IGNORECASE | re.ASCII,
)


def plain(line: str) -> str:
    """A caption's line without its tags, to compare it with another."""
    return clean(_TAG.sub("", line)).strip(" ")


def pieces(payload: str, start: float, end: float, unescape: Callable[[str], str] = str) -> tuple[Piece, ...]:
    """The parts of a caption, cut where the voice changes and where a time inside the text says so.

    A time outside the caption's own, or one that runs backwards, is ignored. The reading beside a character (`<rt>`)
    is left out: the word was said once.
    """
    runs = _runs(payload, start, end, unescape)
    return tidy(Piece(unescape("".join(parts)), time, speaker=speaker) for time, speaker, parts in runs)


_Run = tuple[float | None, str | None, list[str]]


def _runs(payload: str, start: float, end: float, unescape: Callable[[str], str]) -> Iterator[_Run]:
    """Start (None: not said), speaker and parts of each stretch of text with the same voice and no time inside."""
    latest, at, reading = start, 0, False
    run: _Run = (None, None, [])
    for tag in _TAG.finditer(payload):
        if not reading:
            run[2].append(payload[at : tag.start()])
        at = tag.end()
        time, name = _time(tag["time"], latest, end), (tag["name"] or "").lower()
        if time is not None:
            yield run
            latest, run = time, (time, run[1], [])
        elif name == "v":
            yield run
            run = (None, _name(unescape(tag["note"] or "")), [])
        elif name in ("rt", "ruby"):
            reading = name == "rt" and not tag["close"]
        elif tag[0].lower().startswith("<br"):
            run[2].append(" ")
    if not reading:
        run[2].append(payload[at:])
    yield run


def _name(text: str) -> str | None:
    return clean(text).strip(" ") or None


def _time(text: str | None, earliest: float, latest: float) -> float | None:
    try:
        time = parse_time(text or "")
    except ValueError:
        return None
    return time if earliest <= time <= latest else None
