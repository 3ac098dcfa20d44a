"""Nobody sits as still as a thing: what a detector takes for a person or a pet counts only while its pixels change.

Bin bags are "person", a stop sign is "dog": such a box stays where it is and what is in it never changes, while people
who sit and listen change a twentieth of their pixels every few seconds. Rain, noise and a shaking camera change pixels
everywhere, so a box must change by more than what lies outside all boxes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from segmenter.media.frames import Frame
from segmenter.records import Box, Observation, Sighting

SIZE_PX = 320  # a head that turns is a few pixels wide
LAG_S = 0.5  # a slow gesture shows after so long
LEAST_CHANGE = 6.0  # grey levels; the artefacts of compression are less
NOISE = 4.0  # standard deviations,
DEVIATION = 1.4826  # each so many times the median of what changes, where noise is normal
LEAST_SHARE = 0.05  # of a box's pixels; people who sit reach 0.08 to 0.28 now and then, things 0.01
MOST_BOXED = 0.95  # of the picture; beyond, there is hardly an outside to compare with
HITS = 2  # one that does not stir must do so in so many other looks,
WITHIN_S = 10.0  # so long before or after,
SAME_PLACE = 0.5  # and there: so much of the larger box is shared


def without_things(
    frames: Iterable[Frame], look: Callable[[Frame], tuple[Sighting, ...]], exempt: Collection[str]
) -> Iterator[Observation]:
    """One observation a frame: what `look` sees in it, less what never stirs; up to WITHIN_S late. `exempt` as in `Stirring`."""
    stirring = Stirring(exempt)
    for frame in frames:
        stirring.look(frame)
        yield from stirring.weigh(Observation(frame.time, look(frame)))
    yield from stirring.rest()


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An observation, and which of its tracks stir in it, and where."""

    observation: Observation
    stirring: Mapping[int, Box]

    @property
    def time(self) -> float:
        return self.observation.time


class Stirring:
    """Passes observations on, less what never stirs, up to WITHIN_S late. `exempt` labels are judged by others: vehicles."""

    def __init__(self, exempt: Collection[str]) -> None:
        self._exempt = exempt
        self._greys: deque[tuple[float, NDArray[np.int16]]] = deque()  # of the last LAG_S
        self._past: deque[_Waiting] = deque()  # decided, still within reach
        self._waiting: deque[_Waiting] = deque()

    def look(self, frame: Frame) -> None:
        """Every picture that there is; the observation of the last one may follow."""
        grey = frame.grey(SIZE_PX).astype(np.int16)
        if self._greys and self._greys[-1][1].shape != grey.shape:
            self._greys.clear()
        self._greys.append((frame.time, grey))
        while len(self._greys) > 2 and frame.time - self._greys[1][0] >= LAG_S - 1e-3:
            self._greys.popleft()

    def weigh(self, observation: Observation) -> Iterator[Observation]:
        """Take in what is seen in the last picture; those observations that can now be decided."""
        self._waiting.append(_Waiting(observation, self._stirring(observation.sightings)))
        while len(self._waiting) > HITS and observation.time - self._waiting[0].time > WITHIN_S:
            yield self._decided()

    def rest(self) -> Iterator[Observation]:
        """The observations that still wait, at the end of the recording."""
        while self._waiting:
            yield self._decided()

    def _stirring(self, sightings: Sequence[Sighting]) -> dict[int, Box]:
        if not sightings or len(self._greys) < 2:
            return {}
        shares = shares_changed(self._greys[0][1], self._greys[-1][1], [s.box for s in sightings])
        return {s.track: s.box for s, share in zip(sightings, shares, strict=True) if share >= LEAST_SHARE}

    def _decided(self) -> Observation:
        """The oldest one that waits. Where pictures come slowly, the nearest few stand for WITHIN_S."""
        one = self._waiting.popleft()
        while len(self._past) > HITS and one.time - self._past[0].time > WITHIN_S:
            self._past.popleft()
        near = [w for i, w in enumerate(self._waiting) if i < HITS or w.time - one.time <= WITHIN_S]
        self._past.append(one)
        around = [w.stirring for w in (*self._past, *near)]
        kept = (s for s in one.observation.sightings if s.label in self._exempt or s.track in one.stirring or _stirs(s, around))
        return Observation(one.time, tuple(kept))


def _stirs(sighting: Sighting, around: Iterable[Mapping[int, Box]]) -> bool:
    """Whether it stirs in enough of the other looks, without having been elsewhere."""
    places = (stirring[sighting.track] for stirring in around if sighting.track in stirring)
    return sum(_shared(place, sighting.box) >= SAME_PLACE for place in places) >= HITS


def _shared(a: Box, b: Box) -> float:
    """The area that two boxes share, as a part of the larger one."""
    across = max(0.0, min(a.right, b.right) - max(a.left, b.left))
    down = max(0.0, min(a.bottom, b.bottom) - max(a.top, b.top))
    larger = max((box.right - box.left) * (box.bottom - box.top) for box in (a, b))
    return across * down / larger if larger else 0.0


def shares_changed(before: NDArray[np.int16], now: NDArray[np.int16], boxes: Iterable[Box]) -> list[float]:
    """For each box, by how much the share of its pixels that changed exceeds that outside all boxes; 1 where the camera moves.

    `before` and `now` are grey levels, shape (height, width). A change of light that is the same everywhere is none.
    """
    windows = [_window(box, now.shape) for box in boxes]
    change = (now - before).astype(np.float32)
    change = np.abs(change - np.median(change))
    usual = float(np.median(change))
    if usual > LEAST_CHANGE:  # half of the picture changes: the camera moves, and nothing can be said
        return [1.0] * len(windows)
    changed = change > max(LEAST_CHANGE, NOISE * DEVIATION * usual)
    outside = np.ones(changed.shape, bool)
    for window in windows:
        outside[window] = False
    elsewhere = float(changed[outside].mean()) if outside.mean() > 1 - MOST_BOXED else 0.0
    return [float(changed[window].mean()) - elsewhere for window in windows]


def _window(box: Box, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """The box in pixels, one at least."""
    height, width = shape
    top, left = min(int(box.top * height), height - 1), min(int(box.left * width), width - 1)
    return slice(top, max(top + 1, round(box.bottom * height))), slice(left, max(left + 1, round(box.right * width)))
