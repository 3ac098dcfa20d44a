"""What was heard of speakers in overlapping windows to turns of the whole recording, and words to speakers: pure functions.

Each window says which of its own three speakers speaks when; clustering says who they are. Where windows overlap they
vote, the nearer their middle the louder: at its edges a window knows only one side of what is said.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from segmenter import timeline
from segmenter.records import Span, Turn, Word
from segmenter.speech.transcriber import on_clock

FRAME_SAMPLES = 270  # of what the windows say
_SHORT_PAUSE_S = 0.2  # of one speaker: between words, no end of a turn
_AT_ONCE = 2  # speakers, at most

_NEAR_S = 1.0  # a word between turns is the nearest one's
_TURN_S, _TURN_WORDS = 1.0, 2  # shorter changes of speaker are slips, or "mhm" into another's sentence
_OWN_S = 2.0  # but what stands so far off is its own


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """One of a window's speakers speaking alone in frames [first, end); `pitch` in octaves, NaN where not known."""

    speaker: int
    first: int
    end: int
    vector: NDArray[np.float32]
    pitch: float

    @property
    def seconds(self) -> float:
        return on_clock(0.0, (self.end - self.first) * FRAME_SAMPLES)


@dataclass(frozen=True, slots=True, eq=False)
class HeardWindow:
    """Who of three speakers speaks, shape (frames, 3), from frame `first` on after `origin`, in seconds.

    Windows with the same origin follow each other without a hole in the sound.
    """

    origin: float
    first: int
    active: NDArray[np.bool_]
    stretches: tuple[Stretch, ...]


def turns(windows: Sequence[HeardWindow], labels: Sequence[int]) -> tuple[Turn, ...]:
    """Turns in order of time; `labels` name the speaker of each stretch, in the windows' order.

    Speakers are called S1, S2, ... in order of first appearance.
    """
    names, found = iter(labels), list[tuple[int, Span]]()
    count = max(labels, default=-1) + 1
    for origin, group in groupby(windows, key=lambda window: window.origin):
        run = [(window, _named(window, [next(names) for _ in window.stretches], count)) for window in group]
        found += [(label, span) for label in range(count) for span in _spans(origin, _decided(run), label)]
    found.sort(key=lambda one: (one[1].start, one[1].end, one[0]))
    order = {label: f"S{i}" for i, label in enumerate(dict.fromkeys(label for label, _ in found), 1)}
    return tuple(Turn(order[label], span.start, span.end) for label, span in found)


def _named(window: HeardWindow, labels: Sequence[int], count: int) -> NDArray[np.bool_]:
    """Which of `count` speakers speaks, shape (frames, count): where one of the window's does, whoever its nearest stretch is."""
    named = np.zeros((len(window.active), count), np.bool_)
    for speaker in {stretch.speaker for stretch in window.stretches}:
        own = [(s, label) for s, label in zip(window.stretches, labels, strict=True) if s.speaker == speaker]
        frames = np.flatnonzero(window.active[:, speaker])
        distances = [np.maximum(s.first - frames, frames - s.end + 1) for s, _ in own]
        named[frames, np.array([label for _, label in own])[np.argmin(distances, axis=0)]] = True
    return named


def _decided(run: Sequence[tuple[HeardWindow, NDArray[np.bool_]]]) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """Frame numbers and who speaks from there on, shape (frames, speakers), once no further window has a say."""
    at = run[0][0].first
    votes = np.zeros((0, run[0][1].shape[1] + 2))  # for each speaker, for how many speak at once, and all of them
    for i, (window, named) in enumerate(run):
        end = window.first + len(named)
        votes = np.pad(votes, ((0, max(0, end - at - len(votes))), (0, 0)))
        ballot = np.column_stack([named, window.active.sum(axis=1), np.ones(len(named))])
        votes[window.first - at : end - at] += ballot * _weights(len(named))[:, None]
        done = (run[i + 1][0].first if i + 1 < len(run) else end) - at
        yield at, _elected(votes[:done, :-2], np.rint(votes[:done, -2] / np.maximum(votes[:done, -1], 1e-9)))
        at, votes = at + done, votes[done:]


def _weights(frames: int) -> NDArray[np.float64]:
    """A triangle, highest in the middle."""
    return 1.0 - np.abs(np.linspace(-1, 1, frames + 2)[1:-1])


def _elected(votes: NDArray[np.float64], seats: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The speakers with the most votes, as many as speak at once."""
    elected = np.zeros(votes.shape, np.bool_)
    ranked = np.argsort(-votes, axis=1, kind="stable")
    for rank in range(min(_AT_ONCE, votes.shape[1])):
        rows = np.flatnonzero(seats > rank)
        elected[rows, ranked[rows, rank]] = True
    return elected & (votes > 0)


def _spans(origin: float, decided: Iterable[tuple[int, NDArray[np.bool_]]], label: int) -> list[Span]:
    """When one speaker speaks; short pauses belong to the turn."""
    spans = (
        Span(_time(origin, at + first), _time(origin, at + end))
        for at, elected in decided
        for first, end in runs(elected[:, label])
    )
    return timeline.merge_close(spans, _SHORT_PAUSE_S)


def _time(origin: float, frame: int) -> float:
    return on_clock(origin, frame * FRAME_SAMPLES)


def runs(on: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Spans [first, end) of consecutive true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(np.int8)))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]


def told_by(words: Iterable[Word]) -> tuple[Turn, ...]:
    """The turns that words with speakers tell of, as those of a ready transcript may."""
    return tuple(
        Turn(speaker, span.start, span.end)
        for speaker, group in groupby(words, key=lambda word: word.speaker)
        if speaker is not None
        for span in timeline.merge_close(group, _NEAR_S)
        if span.start < span.end
    )


def attributed(words: Sequence[Word], turns: Sequence[Turn]) -> tuple[Word, ...]:
    """The words with their speakers: who speaks longest during each, else who speaks within a second of it, else None.

    A change of speaker for less than 1 s or 2 words is no change, unless it stands alone.
    """
    voices = _Voices(turns)
    parts = _steady(words, [voices.during(word) for word in words])
    return tuple(replace(word, speaker=part.speaker) for part in parts for word in words[part.first : part.end])


class _Voices:
    """The turns, to be asked in order of time."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = sorted(turns, key=lambda turn: turn.start)
        self._starts = [turn.start for turn in self._turns]
        self._longest = max(map(timeline.length, turns), default=0.0)

    def during(self, word: Word) -> str | None:
        """Who speaks longest during a word; of equals, who began first."""
        first = bisect_left(self._starts, word.start - self._longest - _NEAR_S)
        near = self._turns[first : bisect_left(self._starts, word.end + _NEAR_S)]
        best = max(near, key=lambda turn: (timeline.overlap(turn, word), -_distance(turn, word)), default=None)
        return best.speaker if best is not None and _distance(best, word) < _NEAR_S else None


def _distance(a: timeline.HasSpan, b: timeline.HasSpan) -> float:
    return max(0.0, a.start - b.end, b.start - a.end)


class _Part(NamedTuple):
    """Words [first, end) by one speaker."""

    first: int
    end: int
    speaker: str | None


def _steady(words: Sequence[Word], speakers: Sequence[str | None]) -> list[_Part]:
    """Parts by one speaker each, those that are too short for a turn given to the nearer neighbour, shortest first."""
    parts = _joined(_Part(i, i + 1, speaker) for i, speaker in enumerate(speakers))
    waiting = [(_seconds(words, part), part) for part in parts if _is_short(words, part)]
    heapify(waiting)
    while waiting:
        _, part = heappop(waiting)
        at = bisect_left(parts, part.first, key=lambda other: other.first)
        beside = _neighbour(words, parts, at) if parts[at : at + 1] == [part] else None  # else it has been joined meanwhile
        if beside is not None:
            parts[at] = part._replace(speaker=parts[beside].speaker)
            around = slice(max(0, at - 1), at + 2)
            joined = _joined(parts[around])
            parts[around] = joined
            for new in joined:
                if new.first <= part.first < new.end and _is_short(words, new):
                    heappush(waiting, (_seconds(words, new), new))
    return parts


def _joined(parts: Iterable[_Part]) -> list[_Part]:
    groups = (list(group) for _, group in groupby(parts, key=lambda part: part.speaker))
    return [_Part(group[0].first, group[-1].end, group[0].speaker) for group in groups]


def _is_short(words: Sequence[Word], part: _Part) -> bool:
    return part.end - part.first < _TURN_WORDS or _seconds(words, part) < _TURN_S


def _seconds(words: Sequence[Word], part: _Part) -> float:
    return words[part.end - 1].end - words[part.first].start


def _neighbour(words: Sequence[Word], parts: Sequence[_Part], at: int) -> int | None:
    """The part nearest in time, if it is near at all."""
    own = _span(words, parts[at])
    gaps = {i: _distance(_span(words, parts[i]), own) for i in (at - 1, at + 1) if 0 <= i < len(parts)}
    nearest = min(gaps, key=lambda i: gaps[i], default=None)
    return nearest if nearest is not None and gaps[nearest] < _OWN_S else None


def _span(words: Sequence[Word], part: _Part) -> Span:
    start = words[part.first].start
    return Span(start, max(start, words[part.end - 1].end))
