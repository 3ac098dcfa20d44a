"""Word times drawn to the pauses that the voice-activity detector heard.

Whisper's word times come from its attention and stray by 0.1 to 0.3 s, and pauses vanish in the words beside them. The
detector's edges are true to a frame. So each pause is given to one boundary between words, and the words there end and
begin with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from segmenter import timeline
from segmenter.records import Span, Word

_ONSET_S = 0.02  # Silero notices a beginning voice so much late; its ends are right to 0.01 s
_FAR_S, _NEAR_S = 0.8, 0.4  # how far a boundary may move: at an end of a sentence or a window, and elsewhere
_LONG_S = 0.6  # a longer pause attracts no more than this one
_CREDIT_S = 0.3  # sentences rather end in a pause than words do
_WORD_S, _SHRINK = 0.12, 0.6  # words between two pauses keep so much each, or this share of their time

Match = tuple[int, Span]  # a boundary (words before it) and its pause


def snap(words: Sequence[Word], ends: Collection[int], speech: Sequence[Span], window: Span) -> tuple[Word, ...]:
    """The words of one window, with boundaries moved to pauses; none is moved out of order or out of the window.

    `ends` are the boundaries at which sentences end, as counts of words before them; `speech` is where the detector
    heard a voice in the window.
    """
    if not words or not speech:
        return tuple(words)
    chosen: list[Match] = []
    for match in _ranked(words, ends, list(timeline.gaps(speech, window))):
        attempt = sorted([*chosen, match], key=lambda m: (m[0], m[1].start))
        if _possible(words, attempt):
            chosen = attempt
    return tuple(word for part, low, high in _rooms(words, chosen) for word in _fitted(part, low, high))


def _fitted(words: Sequence[Word], low: float, high: float) -> Iterator[Word]:
    """The words between two pauses, one beginning where the one before ends.

    Whisper times punctuation apart and leaves a gap for it, in which nobody pauses; its middle is the best guess.
    """
    middles = [min(max((a.end + b.start) / 2, low), high) for a, b in pairwise(words)]
    for word, (start, end) in zip(words, pairwise([low, *middles, high]), strict=True):
        yield replace(word, start=start, end=end)


def _ranked(words: Sequence[Word], ends: Collection[int], pauses: Sequence[Span]) -> list[Match]:
    """Boundaries with the pauses in their reach, the strongest attraction first."""
    found = []
    for at in range(len(words) + 1):
        ending = at in ends or at == 0
        for pause in pauses:
            distance = _distance(words, at, pause)
            if distance <= (_FAR_S if ending else _NEAR_S):
                attraction = min(timeline.length(pause), _LONG_S) - distance + (_CREDIT_S if ending else 0.0)
                found.append((-attraction, at, pause))
    return [(at, pause) for _, at, pause in sorted(found, key=lambda one: one[:2])]


def _distance(words: Sequence[Word], at: int, pause: Span) -> float:
    """Seconds between a pause and the boundary before word `at`, which itself may be a stretch of time."""
    if at == 0:
        return abs(pause.end - words[0].start)
    if at == len(words):
        return abs(pause.start - words[-1].end)
    return max(0.0, pause.start - words[at].start, words[at - 1].end - pause.end)


def _possible(words: Sequence[Word], matches: Sequence[Match]) -> bool:
    """Each boundary and pause at most once, in order, and room for the words between."""
    in_order = all(a[0] < b[0] and a[1].end <= b[1].start for a, b in pairwise(matches))
    return in_order and all(
        high - low >= min(_WORD_S * len(part), _SHRINK * (part[-1].end - part[0].start))
        for part, low, high in _rooms(words, matches)
    )


def _rooms(words: Sequence[Word], matches: Sequence[Match]) -> Iterator[tuple[Sequence[Word], float, float]]:
    """The words between two chosen pauses, with the time that is theirs."""
    lows = [(0, words[0].start), *((at, max(pause.start, pause.end - _ONSET_S)) for at, pause in matches)]
    highs = [*((at, pause.start) for at, pause in matches), (len(words), words[-1].end)]
    return ((words[a:b], low, high) for (a, low), (b, high) in zip(lows, highs, strict=True) if a < b)
