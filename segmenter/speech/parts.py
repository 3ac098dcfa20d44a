"""What Whisper's timestamp tokens say about a window: which parts of it were heard, and what was passed over.

`<|0.00|> Good morning. <|1.40|><|1.90|> Shall we begin? <|3.10|>` has two parts. Where the model stops early, the last
timestamp lies far before the end of the speech.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from segmenter import timeline
from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.records import Span
from segmenter.speech.transcriber import Window, on_clock

_TOKENS_HZ = 50  # timestamp tokens a second
_MISSED_S = 0.8  # less speech behind the last timestamp is its inaccuracy


class Part(NamedTuple):
    """Text tokens between two timestamps, in seconds of the window; `end` is None where the closing one is missing."""

    start: float
    end: float | None
    tokens: list[int]


def parts(tokens: Sequence[int], first_special: int, first_timestamp: int) -> list[Part]:
    """The parts that the tokens tell of; text tokens lie below `first_special`, timestamps from `first_timestamp` on."""
    found: list[Part] = []
    start, text = 0.0, list[int]()
    for token in tokens:
        if token < first_special:
            text.append(token)
        elif token >= first_timestamp:
            time = (token - first_timestamp) / _TOKENS_HZ
            if text:
                found.append(Part(start, time, text))
            start, text = time, []
    return [*found, Part(start, None, text)] if text else found


def kept(window: Window, found: list[Part]) -> list[Part]:
    """All parts, but not a last one without end where much speech follows: that is heard again, and would come twice."""
    unfinished = len(found) > 1 and found[-1].end is None
    return found[:-1] if unfinished and passed_over(window, heard_until(window, found[:-1])) else found


def heard_until(window: Window, found: Sequence[Part]) -> float:
    """Until when the parts reach, on the recording's clock; a last part without end reaches to the window's."""
    end = found[-1].end if found else 0.0
    return window.span.end if end is None else min(window.start + end, window.span.end)


def passed_over(window: Window, until: float) -> Window | None:
    """The window's part behind `until`, where there is more speech in it than a word."""
    behind = Span(until, window.span.end)
    speech = tuple(span for span in (timeline.clip(span, behind) for span in window.speech) if span)
    if sum(map(timeline.length, speech)) <= _MISSED_S:
        return None
    first = round((until - window.start) * SAMPLE_RATE_HZ)
    return Window(on_clock(window.start, first), window.samples[first:], speech)
