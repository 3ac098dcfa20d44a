"""What SubRip and WebVTT have in common: lines of text under a line with two times."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import inf

from segmenter.formats.cues import SLOWEST_HZ, Cue, Tally, check_number, unspaced, usable_times
from segmenter.formats.markup import pieces, plain
from segmenter.formats.rolling import Caption
from segmenter.formats.time_lines import times
from segmenter.formats.voices import identified
from segmenter.timeline import parse_time

_LINE_END = re.compile("\r+\n|\r|\n")  # some tools write \\r\\r\\n; str.splitlines would also cut at U+2028 and the like
_NUMBER = re.compile(r"\s*-?\d+\s*")


def lines(text: str) -> list[str]:
    """The lines of a text, whatever system's line ends it has."""
    return _LINE_END.split(text.lstrip("\ufeff"))


def is_time_line(line: str) -> bool:
    """Whether the line was meant to hold a caption's two times, right or malformed. `a --> b` in a text was not."""
    return times(line) is not None


def captions(text: str, tally: Tally, payload: Callable[[list[str]], list[str]]) -> list[Caption]:
    """The captions of a file in its own order.

    `payload` takes the lines from one line of times to the next and gives back those that are the caption's text. A
    caption whose times cannot be used is left out with its text, and counted, as is text above the first one.
    """
    all_lines = [*lines(text), ""]
    marks = [i for i, line in enumerate(all_lines) if is_time_line(line)]
    check_number(len(marks))
    if marks:
        tally["transcript_stray_text"] += _is_stray(payload(all_lines[: marks[0]]))
    found = []
    for mark, until in pairwise([*marks, len(all_lines)]):
        body = payload(all_lines[mark + 1 : until])
        if body and mark and (tag := identified(all_lines[mark - 1])):
            body = [tag + body[0], *body[1:]]
        if (edges := _parse(all_lines[mark], tally)) is not None:
            found.append((*edges, tuple(body)))
    timed = (_between(found, i, tally) for i in range(len(found)))
    return [caption for caption in timed if caption is not None]


def _is_stray(above: list[str]) -> bool:
    """Whether text stands above the first line of times; the first block of WebVTT is its header."""
    shown = [line for line in above if line.strip() and not _NUMBER.fullmatch(line)]
    return bool(shown) and not shown[0].startswith("WEBVTT")


def without_number(body: list[str]) -> list[str]:
    """Without the number of the next caption, where it stands right before its times."""
    return body[: len(body) - bool(body and _NUMBER.fullmatch(body[-1]))]


_Found = tuple[float | None, float | None, tuple[str, ...]]


def _parse(line: str, tally: Tally) -> tuple[float | None, float | None] | None:
    """Start and end, one of them None where it is missing."""
    start, end = times(line) or ("", "")
    try:
        if start or end:
            return (parse_time(start) if start else None), (parse_time(end) if end else None)
    except ValueError:
        pass
    tally["transcript_bad_time"] += 1
    return None


def _between(found: Sequence[_Found], at: int, tally: Tally) -> Caption | None:
    """A caption with a time that is missing taken from its neighbours, if nobody would still, or not yet, be speaking."""
    start, end, body = found[at]
    tally["transcript_missing_time"] += start is None or end is None
    longest = sum(map(len, body)) / SLOWEST_HZ
    if end is None and start is not None:
        following = found[at + 1][0] if at + 1 < len(found) else None
        end = min(start + longest, following if following is not None and following > start else inf)
    elif start is None and end is not None:
        before = found[at - 1][1] if at else None
        start = max(0.0, end - longest, before if before is not None and before < end else 0.0)
    edges = None if start is None or end is None else usable_times(start, end, tally)
    return None if edges is None else Caption(*edges, body)


def cues(found: Iterable[Caption], tally: Tally) -> Iterator[Cue]:
    """The captions with their tags read; those without text are left out and counted."""
    for caption in found:
        parts = pieces(_joined(caption.lines), caption.start, caption.end)
        if parts:
            yield Cue(caption.start, caption.end, parts)
        else:
            tally["transcript_empty_cue"] += 1


def _joined(caption_lines: Iterable[str]) -> str:
    parts: list[str] = []
    for line in filter(plain, caption_lines):
        if parts and not unspaced(plain(parts[-1]), plain(line)):
            parts.append(" ")
        parts.append(line)
    return "".join(parts)
