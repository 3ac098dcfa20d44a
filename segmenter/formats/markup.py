"""The tags inside a caption: who speaks, when a word begins, and what only says how it looks.

Only tags that caption formats know are tags: those of SubRip and WebVTT, what converters leave of TTML and SAMI, and in
braces those of SubStation Alpha and MicroDVD. Anything else in brackets was said or shown, and stays.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from segmenter.formats.cues import Piece, tidy
from segmenter.formats.text import clean
from segmenter.timeline import parse_time

_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>v|c|i|b|u|s|font|lang|ruby|rt|span|em|strong|p)(?:\.[^\s<>.]*)*(?:\s(?P<note>[^<>]*))?>"
    r"|<(?P<time>\d[\d:.]{1,20})>"
    r"|<br\s{0,9}/?>",
    re.IGNORECASE | re.ASCII,
)


_BRACES = re.compile(r"\{(?:\\[^{}]*|/?[ibus]|[ycfsp]:[^{}]*)\}", re.IGNORECASE)  # {\an8}, {i}, {y:i}
_BREAK = re.compile(r"(?<!:)\\[Nh]")  # of SubStation Alpha; C:\New is a folder
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z]\w{1,30});", re.ASCII)  # without its semicolon it was shown
_OPENING_TAGS = re.compile(f"(?:{_TAG.pattern})*", _TAG.flags)


def plain(line: str) -> str:
    """A caption's line without its tags, to compare it with another."""
    return clean(_TAG.sub("", line)).strip(" ")


def unescaped(text: str) -> str:
    """The text with the characters that stand for themselves: `&amp;` is `&`."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)


def without_braces(line: str) -> str:
    """A line of SubRip without what players of other formats know: tags in braces and their marks of a new line."""
    return _BREAK.sub(" ", _BRACES.sub("", line))


def opening_tags(line: str) -> str:
    """The tags that a caption's line begins with."""
    found = _OPENING_TAGS.match(line.lstrip())
    return found[0] if found else ""


def pieces(payload: str, start: float, end: float) -> tuple[Piece, ...]:
    """The parts of a caption, cut where the voice changes and where a time inside the text says so.

    A time outside the caption's own, or one that runs backwards, is ignored. The reading beside a character (`<rt>`)
    is left out: the word was said once.
    """
    runs = _runs(payload, start, end)
    return tidy(Piece(unescaped("".join(parts)), time, speaker=speaker) for time, speaker, parts in runs)


_Run = tuple[float | None, str | None, list[str]]


def _runs(payload: str, start: float, end: float) -> Iterator[_Run]:
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
            run = (None, _name(unescaped(tag["note"] or "")), [])
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
