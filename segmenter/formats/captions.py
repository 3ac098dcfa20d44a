"""What SubRip and WebVTT have in common: lines of text under a line with two times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from segmenter.formats.cues import Cue, Tally, check_number, unspaced, usable_times
from segmenter.formats.markup import pieces, plain
from segmenter.timeline import parse_time

_LINE_END = re.compile("\r\n|\r|\n")  # str.splitlines would also cut at U+2028 and the like
_TIME_LIKE = re.compile(r"[+-]?\d+:[\w:.,+-]*", re.ASCII)  # a digit may be damaged: 00:00:0x,000
_FULL = re.compile(r"\d+:\d\d:\d\d\S*|\d+:\d\d[.,]\d+", re.ASCII)  # "9:00 -> 10:00" is said about a timetable
_NUMBER = re.compile(r"\s*-?\d+\s*")
_SCREEN_LINES = 4  # no caption shows more lines at once
_NAMED = re.compile(r"\s*(?P<name>[^\W\d_][^:<>.!?]{0,39}): +(?P<said>\S.*)")
_NAMED_SHARE, _NAMED_AGAIN = 0.8, 2
_ROLLING_GAP_S = 0.1  # rolling captions follow each other without a pause


@dataclass(frozen=True, slots=True)
class Caption:
    start: float
    end: float
    lines: tuple[str, ...]


def lines(text: str) -> list[str]:
    """The lines of a text, whatever system's line ends it has."""
    return _LINE_END.split(text.removeprefix("\ufeff"))


def is_time_line(line: str) -> bool:
    """Whether the line was meant to hold a caption's two times, right or malformed. `a --> b` in a text was not."""
    return _times(line) is not None


def captions(text: str, tally: Tally, payload: Callable[[list[str]], list[str]]) -> list[Caption]:
    """The captions of a file in its own order.

    `payload` takes the lines from one line of times to the next and gives back those that are the caption's text. A
    caption whose times cannot be used is left out with its text, and counted.
    """
    all_lines = [*lines(text), ""]
    marks = [i for i, line in enumerate(all_lines) if "->" in line and is_time_line(line)]
    check_number(len(marks))
    found = []
    for mark, until in pairwise([*marks, len(all_lines)]):
        times = _parse(all_lines[mark], tally)
        body = payload(all_lines[mark + 1 : until])
        if times is not None:
            found.append(Caption(*times, tuple(body)))
    return found


def without_number(body: list[str]) -> list[str]:
    """Without the number of the next caption, where it stands right before its times."""
    return body[: len(body) - bool(body and _NUMBER.fullmatch(body[-1]))]


def _times(line: str) -> tuple[str, str] | None:
    left, arrow, right = line.partition("-->")
    if arrow:
        left, right = left.strip(), (right.split(maxsplit=1) or [""])[0]
        return (left, right) if _TIME_LIKE.fullmatch(left) and _TIME_LIKE.fullmatch(right) else None
    words = line.split(maxsplit=3)
    short = len(words) == 3 and words[1] == "->" and _FULL.fullmatch(words[0]) and _FULL.fullmatch(words[2])
    return (words[0], words[2]) if short else None


def _parse(line: str, tally: Tally) -> tuple[float, float] | None:
    try:
        start, end = (parse_time(t) for t in _times(line) or ("", ""))
    except ValueError:
        tally["transcript_bad_time"] += 1
        return None
    return usable_times(start, end, tally)


def with_voices(found: list[Caption]) -> list[Caption]:
    """Captions that begin with a name and a colon, as meeting tools export them, with the name as a voice tag.

    "Note: this" begins so too, so it counts only where nearly all captions do and some name comes again.
    """
    heads = [_NAMED.match(caption.lines[0]) if caption.lines else None for caption in found]
    names = Counter(head["name"] for head in heads if head)
    if not names or names.total() < _NAMED_SHARE * len(found) or names.most_common(1)[0][1] < _NAMED_AGAIN:
        return found
    return [
        replace(caption, lines=(f"<v {head['name']}>{head['said']}", *caption.lines[1:])) if head else caption
        for caption, head in zip(found, heads, strict=True)
    ]


def cues(found: Iterable[Caption], tally: Tally, unescape: Callable[[str], str] = str) -> Iterator[Cue]:
    """The captions with their tags read; those without text are left out and counted."""
    for caption in found:
        parts = pieces(_joined(caption.lines), caption.start, caption.end, unescape)
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


def without_repeats(found: list[Caption], tally: Tally) -> list[Caption]:
    """Rolling captions with each line where it first appeared, other captions as they are.

    Automatic captions of video sites and live captions scroll: a caption begins with the lines that the one before
    ended with. Somebody may also say the same thing twice, so a file counts as rolling only if most captions that
    follow another at once carry lines over, and at least two of them add new lines below.
    """
    texts = [[text for line in caption.lines if (text := plain(line))] for caption in found]
    carried = [0] * len(found)
    neighbours = 0
    for i, (before, after) in enumerate(pairwise(found), start=1):
        if before.start < after.start <= before.end + _ROLLING_GAP_S and texts[i - 1] and texts[i]:
            neighbours += 1
            carried[i] = _carried(texts[i - 1], texts[i])
    growing = sum(0 < n < len(text) for n, text in zip(carried, texts, strict=True))
    if growing < 2 or 2 * sum(n > 0 for n in carried) <= neighbours:
        return found
    tally["transcript_rolling"] += sum(n > 0 for n in carried)
    fresh = ((caption, _from_line(caption.lines, n)) for caption, n in zip(found, carried, strict=True))
    return [replace(caption, lines=kept) for caption, kept in fresh if any(map(plain, kept))]


def _carried(before: list[str], after: list[str]) -> int:
    """How many lines at the end of one caption stand at the beginning of the next."""
    most = min(len(before), len(after), _SCREEN_LINES)
    return next((n for n in range(most, 0, -1) if before[-n:] == after[:n]), 0)


def _from_line(caption_lines: tuple[str, ...], skip: int) -> tuple[str, ...]:
    """The lines after the first `skip` that are not blank."""
    kept = list(caption_lines)
    while skip:
        skip -= bool(plain(kept.pop(0)))
    return tuple(kept)
