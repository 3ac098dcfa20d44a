"""Observations made by hand: who is in view when, seen at a rate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from segmenter.records import Box, Observation, Sighting

HERE = Box(0.4, 0.4, 0.6, 0.6)


@dataclass(frozen=True)
class Visit:
    """One thing in view during [start, end); `box` gives its place at a time."""

    track: int
    start: float
    end: float
    label: str = "person"
    confidence: float = 0.9
    box: Callable[[float], Box] = lambda time: HERE  # noqa: ARG005

    def at(self, time: float) -> Sighting:
        return Sighting(self.track, self.label, self.confidence, self.box(time))


def looks(visits: Iterable[Visit], duration: float, step: float = 0.25) -> list[Observation]:
    """An observation every `step` seconds from 0 on; empty where nobody is in view."""
    visits = list(visits)
    times = [i * step for i in range(round(duration / step))]
    return [Observation(t, tuple(v.at(t) for v in visits if v.start <= t < v.end)) for t in times]


def sliding(from_x: float, per_second: float, start: float, end: float) -> Callable[[float], Box]:
    """A box of 0.2 x 0.2 whose left edge stands at `from_x` until `start`, then slides until `end`."""

    def box(time: float) -> Box:
        left = from_x + per_second * (min(max(time, start), end) - start)
        return Box(left, 0.4, left + 0.2, 0.6)

    return box
