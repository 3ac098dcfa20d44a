"""Arithmetic of time spans, on anything that has `start` and `end` in seconds. Nobody else does it by hand."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from segmenter.records import Span


class HasSpan(Protocol):
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...


def length(span: HasSpan) -> float:
    """Seconds from start to end."""
    return span.end - span.start


def overlap(a: HasSpan, b: HasSpan) -> float:
    """Seconds that two spans share.

    a  |-----|
    b     |-----|
          |--|      overlap
    """
    return max(0.0, min(a.end, b.end) - max(a.start, b.start))


def intersection_over_union(a: HasSpan, b: HasSpan) -> float:
    """Shared seconds over covered seconds, 0 to 1; 0 for two empty spans."""
    shared = overlap(a, b)
    covered = length(a) + length(b) - shared
    return shared / covered if covered > 0 else 0.0


def clip(span: HasSpan, within: HasSpan) -> Span | None:
    """The part of `span` inside `within`, or None where they do not meet."""
    start, end = max(span.start, within.start), min(span.end, within.end)
    return Span(start, end) if start < end else None


def merge_close(spans: Iterable[HasSpan], gap: float = 0.0) -> list[Span]:
    """Join spans that overlap or lie at most `gap` seconds apart; the result is disjoint and in order.

    |--|  |--|     |--|      spans
    |--------|     |--|      merge_close
    """
    merged: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, s.end)):
        if merged and span.start - merged[-1].end <= gap:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(Span(span.start, span.end))
    return merged


def gaps(spans: Iterable[HasSpan], within: HasSpan) -> Iterator[Span]:
    """What `spans` leave uncovered of `within`.

      |--|   |--|        spans
    |--------------|     within
    |-|  |---|  |--|     gaps
    """
    at = within.start
    for span in merge_close(spans):
        if span.start > at:
            yield Span(at, min(span.start, within.end))
        at = max(at, span.end)
        if at >= within.end:
            return
    if at < within.end:
        yield Span(at, within.end)


def nearest(times: Sequence[float], time: float) -> float | None:
    """The one of the sorted `times` nearest to `time` (the earlier of two equally near), or None."""
    i = bisect_left(times, time)
    around = times[max(0, i - 1) : i + 1]
    return min(around, key=lambda t: (abs(t - time), t), default=None)


def milliseconds(time: float) -> int:
    """The one rounding: to the nearest millisecond, on the way out."""
    return round(time * 1000)


def clock(time: float, decimals: int = 3) -> str:
    """`HH:MM:SS.mmm`, as WebVTT writes it; with `decimals=0`, `M:SS` or `H:MM:SS` for people."""
    if decimals == 0:
        seconds = round(time)
        hours, minutes = divmod(seconds // 60, 60)
        return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
    total = milliseconds(time)
    seconds, ms = divmod(total, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{ms:03}"


_TIME = re.compile(r"^(?P<sign>-?)(?:(?:(?P<h>\d{1,6}):)?(?P<m>\d{1,6}):)?(?P<s>\d{1,9})(?:[.,](?P<f>\d{1,9}))?s?$", re.ASCII)


def parse_time(text: str) -> float:
    """Seconds from `90`, `1.5s`, `1:30.5`, `00:01:30,500`. Minutes and seconds may exceed 59.

    Raises:
        ValueError: `text` is not a time.
    """
    match = _TIME.match(text.strip())
    if match is None:
        raise ValueError(f"not a time: {text[:40]!r}")
    part = match.groupdict()
    seconds = int(part["h"] or 0) * 3600 + int(part["m"] or 0) * 60 + float(f"{part['s']}.{part['f'] or 0}")
    return -seconds if part["sign"] else seconds
