"""Plain text with times, as meeting tools and transcription services export it: Otter, Teams, Rev, Descript, Sonix, Meet, Zoom.

    Jane Doe  0:15          Jane Doe (00:15):       [00:00:15] Jane Doe: Good morning.      [Jane Doe] 10:04:15
    Good morning.           Good morning.                                                   Good morning.

A time is the start of what follows. It ends where the next one starts, or before, where nobody would still be speaking.
Google Meet tells a time every five minutes; between them the words share the time by their characters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

from segmenter.formats.captions import lines
from segmenter.formats.cues import Cue, Piece, Tally, check_number, tidy, usable_times
from segmenter.timeline import parse_time

_TIME = r"(?P<time>(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?)"
_NAME = r"(?P<name>[^\W\d_][^:<>!?\[\]()]{0,59}?)"
_NAME_AND_ROLE = r"(?P<name>[^\W\d_][^:<>!?\[\]]{0,59}?)"  # such as (Guest)
_SAID = r"(?P<said>.*)"
_TIME_OF_DAY = (re.compile(rf"\[{_NAME}\]\s+{_TIME}\s*"),)
# A file keeps to one style: what looks like a line of another ("10:30 is fine.", "the song (3:20)") was said.
_STYLES = (
    (re.compile(rf"(?:{_NAME_AND_ROLE}(?:\s{{2,}}|\t))?{_TIME}\s*"),),
    (
        re.compile(rf"[\[(]{_TIME}[\])]\s*:?{_SAID}"),
        re.compile(rf"{_NAME}\s*:\s*[\[(]{_TIME}[\])]{_SAID}"),
        re.compile(rf"{_NAME}\s*[\[(]{_TIME}[\])]\s*(?::{_SAID})?"),
    ),
    (re.compile(rf"{_TIME}\s+(?:[–-]\s+)?{_SAID}"),),
    _TIME_OF_DAY,
)
_HEAD_CHARACTERS = 200  # of a line may tell a name and a time
_VOICE = re.compile(rf"{_NAME}\s*:\s+(?P<said>\S.*)")
_VOICE_SHARE, _VOICE_AGAIN = 0.8, 2  # "Note: this" begins so too
_FOOTER = re.compile(r"Transcribed by https?://otter\.ai|Transcription ended after [\d:]+|This editable transcript was .*")
_DAY_S = 86_400.0
_USUAL_HZ, _SLOWEST_HZ = 15.0, 4.0  # characters a second that people say, whatever their script


@dataclass(frozen=True, slots=True)
class _Block:
    """What was said from one time on, line by line."""

    start: float
    speaker: str | None
    said: list[str] = field(default_factory=list)


def recognises(text: str) -> bool:
    """Whether two lines tell a time in the same way, or the first one does."""
    shown = [line for line in map(_bare, lines(text)) if line]
    most = max(sum(_head(line, style) is not None for line in shown) for style in _STYLES)
    return most > 1 or (most == 1 and len(shown) > 1 and any(_head(shown[0], style) for style in _STYLES))


def read(text: str, tally: Tally) -> list[Cue]:
    """One cue a line of time, in the file's own order; text above the first one is left out and counted."""
    shown = [line for line in map(_bare, lines(text)) if line and not _FOOTER.fullmatch(line)]
    style = max(_STYLES, key=lambda one: sum(_head(line, one) is not None for line in shown))
    blocks = list(_blocks(shown, style, tally))
    check_number(len(blocks))
    if style is _TIME_OF_DAY:
        tally["transcript_time_of_day"] += len(blocks)
        blocks = _from_first(blocks)
    return list(_cues(_with_voices(blocks), tally))


def _bare(line: str) -> str:
    """Without what Markdown puts around names and times."""
    return line.replace("**", "").strip().lstrip("# ")


def _head(line: str, style: Sequence[re.Pattern[str]]) -> re.Match[str] | None:
    found = (pattern.match(line[:_HEAD_CHARACTERS]) for pattern in style)
    return next((head for head in found if head and (_said(head) is not None or head.end() == len(line))), None)


def _said(head: re.Match[str]) -> str | None:
    return head.groupdict().get("said")


def _blocks(shown: Sequence[str], style: Sequence[re.Pattern[str]], tally: Tally) -> Iterator[_Block]:
    block: _Block | None = None
    for line in shown:
        head = _head(line, style)
        if head is None and block is None:
            tally["transcript_stray_text"] = 1
        elif head is None and block is not None:
            block.said.append(line)
        elif head is not None:
            if block is not None:
                yield block
            block = _Block(parse_time(head["time"]), head.groupdict().get("name"))
            if _said(head):
                block.said.append(line[head.start("said") :].strip())
    if block is not None:
        yield block


def _from_first(blocks: Sequence[_Block]) -> list[_Block]:
    """Times of day to seconds from the earliest one; they may pass midnight, and go back by less than half a day."""
    steps = ((b.start - a.start + _DAY_S / 2) % _DAY_S - _DAY_S / 2 for a, b in pairwise(blocks))
    starts = list(accumulate(steps, initial=0.0))
    earliest = min(starts)
    return [replace(block, start=start - earliest) for block, start in zip(blocks, starts, strict=True)]


def _with_voices(blocks: list[_Block]) -> list[_Block]:
    """`Name: text` below a time: one block a voice, where nearly all lines begin so and some name comes again."""
    found = [_VOICE.match(line) for block in blocks if block.speaker is None for line in block.said]
    names = Counter(voice["name"] for voice in found if voice)
    if not names or names.total() < _VOICE_SHARE * len(found) or names.most_common(1)[0][1] < _VOICE_AGAIN:
        return blocks
    return [one for block in blocks for one in (_by_voice(block) if block.speaker is None else [block])]


def _by_voice(block: _Block) -> list[_Block]:
    parts: list[_Block] = []
    for line in block.said:
        voice = _VOICE.match(line)
        if voice or not parts:
            parts.append(_Block(block.start, voice["name"] if voice else None, []))
        parts[-1].said.append(line[voice.start("said") :] if voice else line)
    return parts


def _cues(blocks: Sequence[_Block], tally: Tally) -> Iterator[Cue]:
    starts = sorted({block.start for block in blocks})
    amounts = Counter[float]()
    for block in blocks:
        amounts[block.start] += sum(map(len, block.said))
    for block in blocks:
        behind = bisect_right(starts, block.start)
        latest = block.start + amounts[block.start] / (_SLOWEST_HZ if behind < len(starts) else _USUAL_HZ)
        times = usable_times(block.start, min([latest, *starts[behind : behind + 1]]), tally)
        pieces = tidy([Piece(" ".join(block.said), speaker=block.speaker)])
        if not pieces:
            tally["transcript_empty_cue"] += 1
        elif times is not None:
            yield Cue(*times, pieces)
