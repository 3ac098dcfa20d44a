"""Plain text with times, as meeting tools and transcription services export it: Otter, Teams, Rev, Descript, Sonix, Meet, Zoom.

    Jane Doe  0:15          Jane Doe (00:15):       [00:00:15] Jane Doe: Good morning.      [Jane Doe] 10:04:15
    Good morning.           Good morning.                                                   Good morning.

    Jane Doe 00:00:15       0:15 - Jane Doe         Jane Doe
    Good morning.           Good morning.           0 minutes 15 seconds
                                                    0:15
                                                    Good morning.

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
from segmenter.formats.cues import SLOWEST_HZ, USUAL_HZ, Cue, Piece, Tally, check_number, tidy, usable_times
from segmenter.formats.voices import names, titled, voice
from segmenter.timeline import parse_time

_TIME = r"(?P<time>(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?)"
_NAME = r"(?P<name>[^\W\d_][^:<>!?\[\]()]{0,59}?)"
_NAME_AND_ROLE = r"(?P<name>[^\W\d_][^:<>!?\[\]]{0,59}?)"  # such as (Guest)
_SAID = r"(?P<said>.*)"
_TIME_OF_DAY = (re.compile(rf"\[{_NAME}\]\s+{_TIME}(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?\s*"),)
_NAME_ALONE = (re.compile(rf"{_NAME_AND_ROLE}(?:\s*:\s+|\s+[–-]\s+|\s(?=\d{{1,2}}:\d\d:)){_TIME}"),)
_NAME_BEHIND = (re.compile(rf"{_TIME}\s+(?:[–-]\s+)?{_SAID}"),)
# A file keeps to one style: what looks like a line of another ("10:30 is fine.", "the song (3:20)") was said.
_STYLES = (
    (re.compile(rf"(?:{_NAME_AND_ROLE}(?:\s{{2,}}|\t))?{_TIME}\s*"),),
    (
        re.compile(rf"[\[(]{_TIME}[\])]\s*:?{_SAID}"),
        re.compile(rf"{_NAME}\s*:\s*[\[(]{_TIME}[\])]{_SAID}"),
        re.compile(rf"{_NAME}\s*[\[(]{_TIME}[\])]\s*(?::{_SAID})?"),
    ),
    _NAME_BEHIND,
    _TIME_OF_DAY,
    _NAME_ALONE,
)
_HEAD_CHARACTERS = 200  # of a line may tell a name and a time
_NO_SPEECH = re.compile(
    r"Transcribed by https?://otter\.ai|(?:Transcription|Meeting) ended after [\d:]+|This editable transcript was .*"
    r"|.{1,60} (?:started|stopped) transcription"
)
_LONE_TIME = re.compile(_TIME)
_SPOKEN_TIME = re.compile(r"\d+ [^\W\d]+(?:,? \d+ [^\W\d]+){0,2}")
_NAMED_BEHIND = 0.8  # of the blocks have a name on the line of their time, and text below
_DAY_S = 86_400.0


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
    first = any(_head(shown[0], style) for style in _STYLES if style is not _NAME_ALONE) if shown else False
    return most > 1 or (most == 1 and len(shown) > 1 and first)


def read(text: str, tally: Tally) -> list[Cue]:
    """One cue a line of time, in the file's own order; text above the first one is left out and counted."""
    shown = _one_line_heads([line for line in map(_bare, lines(text)) if line and not _NO_SPEECH.fullmatch(line)])
    style = max(_STYLES, key=lambda one: sum(_head(line, one) is not None for line in shown))
    blocks = list(_blocks(shown, style, tally))
    check_number(len(blocks))
    if style is _NAME_BEHIND:
        blocks = _named_behind(blocks)
    if style is _TIME_OF_DAY:
        tally["transcript_time_of_day"] += len(blocks)
        blocks = _from_first(blocks)
    return list(_cues(_with_voices(blocks), tally))


def _bare(line: str) -> str:
    """Without what Markdown puts around names and times."""
    return line.replace("**", "").strip().lstrip("# ")


def _head(line: str, style: Sequence[re.Pattern[str]]) -> re.Match[str] | None:
    found = (pattern.match(line[:_HEAD_CHARACTERS]) for pattern in style)
    whole = (head for head in found if head and (_said(head) is not None or head.end() == len(line)))
    return next((head for head in whole if style is not _NAME_ALONE or titled(head["name"])), None)


def _one_line_heads(shown: Sequence[str]) -> list[str]:
    """Teams' copied text tells a time twice, `0 minutes 3 seconds` and below it `0:03`, with the name above both."""
    told: list[str] = []
    for before, line, following in zip(["", *shown], shown, [*shown[1:], ""], strict=False):
        if _tells(before, line) and told and titled(told[-1]):
            told[-1] += f"  {line}"
        elif not _tells(line, following):
            told.append(line)
    return told


def _tells(line: str, time: str) -> bool:
    """Whether a line says in the words of any language what the time below it says."""
    if not _SPOKEN_TIME.fullmatch(line) or not _LONE_TIME.fullmatch(time):
        return False
    spoken, clock = ([int(number) for number in re.findall(r"\d+", text) if int(number)] for text in (line, time))
    return spoken == clock


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
            block = _Block(_seconds(head), head.groupdict().get("name"))
            if _said(head):
                block.said.append(line[head.start("said") :].strip())
    if block is not None:
        yield block


def _seconds(head: re.Match[str]) -> float:
    """The time of a head; the twelve o'clocks of AM and PM begin their halves of the day."""
    time, half = parse_time(head["time"]), head.groupdict().get("half")
    return time if half is None else time % (_DAY_S / 2) + _DAY_S / 2 * (half in "pP")


def _named_behind(blocks: list[_Block]) -> list[_Block]:
    """`0:00 - Jane Doe`, as Fathom writes it, with what she said below."""
    named = sum(len(block.said) > 1 and titled(block.said[0]) for block in blocks)
    if named < _NAMED_BEHIND * len(blocks):
        return blocks
    return [replace(block, speaker=block.said[0], said=block.said[1:]) if len(block.said) > 1 else block for block in blocks]


def _from_first(blocks: Sequence[_Block]) -> list[_Block]:
    """Times of day to seconds from the earliest one; they may pass midnight, and go back by less than half a day."""
    steps = ((b.start - a.start + _DAY_S / 2) % _DAY_S - _DAY_S / 2 for a, b in pairwise(blocks))
    starts = list(accumulate(steps, initial=0.0))
    earliest = min(starts)
    return [replace(block, start=start - earliest) for block, start in zip(blocks, starts, strict=True)]


def _with_voices(blocks: list[_Block]) -> list[_Block]:
    """`Name: text` below a time: one block a voice."""
    known = names([line for block in blocks if block.speaker is None for line in block.said])
    if not known:
        return blocks
    voiced: list[_Block] = []
    for block in blocks:
        voiced += _by_voice(block, known, voiced[-1].speaker if voiced else None) if block.speaker is None else [block]
    return voiced


def _by_voice(block: _Block, known: frozenset[str], before: str | None) -> list[_Block]:
    """What begins without a name goes on in the voice `before`."""
    parts: list[_Block] = []
    for line in block.said:
        told = voice(line, known)
        if told or not parts:
            parts.append(_Block(block.start, told[0] if told else before))
        parts[-1].said.append(told[1] if told else line)
    return parts


def _cues(blocks: Sequence[_Block], tally: Tally) -> Iterator[Cue]:
    starts = sorted({block.start for block in blocks})
    amounts = Counter[float]()
    for block in blocks:
        amounts[block.start] += sum(map(len, block.said))
    for block in blocks:
        behind = bisect_right(starts, block.start)
        latest = block.start + amounts[block.start] / (SLOWEST_HZ if behind < len(starts) else USUAL_HZ)
        times = usable_times(block.start, min([latest, *starts[behind : behind + 1]]), tally)
        pieces = tidy([Piece(" ".join(block.said), speaker=block.speaker)])
        if not pieces:
            tally["transcript_empty_cue"] += 1
        elif times is not None:
            yield Cue(*times, pieces)
