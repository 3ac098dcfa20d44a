"""What sightings pass on their way to events: stages that take one observation and give those that are decided by then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from segmenter.records import Observation
from segmenter.timeline import milliseconds

_Value = TypeVar("_Value")

MOST_TRACKS = 10_000  # a camera that runs for weeks must not fill the memory with who was there long ago


class Stage(Protocol):
    """Observations go in one by one, in order of time, and come out one for one, in order, some time later."""

    def see(self, observation: Observation) -> list[Observation]:
        """Those that nothing later can change any more."""

    def finish(self) -> list[Observation]:
        """The rest: nothing comes any more."""


def passed(stages: Sequence[Stage], observations: Iterable[Observation]) -> Iterator[Observation]:
    """All observations through all stages, as a stream."""
    for observation in observations:
        yield from step(stages, [observation])
    yield from last(stages)


def step(stages: Sequence[Stage], observations: list[Observation]) -> list[Observation]:
    """What comes out of the last stage when `observations` go into the first."""
    for stage in stages:
        observations = [out for observation in observations for out in stage.see(observation)]
    return observations


def last(stages: Sequence[Stage]) -> list[Observation]:
    """What still was in the stages."""
    left: list[Observation] = []
    for stage in stages:
        left = [*(out for observation in left for out in stage.see(observation)), *stage.finish()]
    return left


class Recent(dict[int, _Value]):
    """Something about each track: of the MOST_TRACKS that were last set, no more."""

    def __setitem__(self, track: int, value: _Value) -> None:
        self.pop(track, None)  # to the end of the order
        super().__setitem__(track, value)
        if len(self) > MOST_TRACKS:
            del self[next(iter(self))]


def exceeds(seconds: float, limit: float) -> bool:
    """Compared in whole milliseconds: in binary, 0.6 - 0.2 is less than 0.4."""
    return milliseconds(seconds) > milliseconds(limit)
