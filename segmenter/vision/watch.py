"""Pictures to blobs: the background kept up to date, look by look.

Where something comes or goes from one look to the next, the source's pictures between the two are asked as well: so an
edge lies on the picture in which it is, and all others cost their scaling down alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from segmenter.records import Box
from segmenter.vision.background import SIGMAS, Background, Difference
from segmenter.vision.blobs import ACTIVE_LEVELS, Blob, Labels, find_blobs, marked
from segmenter.vision.boxes import touches
from segmenter.vision.steady import Picture, Still

Timed = tuple[float, Picture]

OPENING_S = 2.0  # long enough for who passes through not to be in the median, short enough for who stands to stir
LAG_S = 0.4  # a slow walker moves by a pixel or two in this time
BUSY_S, BUSY = 1.0, 5  # where things come or go at so many looks within this time no event opens or closes: a street, rain
STEP_S = 1.0  # a hole in the video teaches no more than this
KNOCKED_SHARE = 0.5  # more of the picture has changed than any visitor covers for long:
KNOCKED_S = 5.0  # the camera was turned, or the lamp in the room switched


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What one picture shows to the eye that knows the scene. `stirred`: which pixels changed within LAG_S.

    `is_look`: the picture is one of those that come at an even rate, not one between two of them.
    """

    time: float
    blobs: list[Blob]
    stirred: NDArray[np.bool_]
    is_look: bool = True

    def stir(self, box: Box) -> float:
        """The share of the pixels in `box` that changed just now."""
        height, width = self.stirred.shape
        rows = slice(int(box.top * height), max(1, round(box.bottom * height)))
        columns = slice(int(box.left * width), max(1, round(box.right * width)))
        inside = self.stirred[rows, columns]
        return float(inside.mean()) if inside.size else 0.0


def glances(stills: Iterable[Still]) -> Iterator[Glance]:
    """One for each look, in order, and those between where something comes or goes; the first ones come after OPENING_S."""
    stills = iter(stills)
    opening: deque[Still] = deque()
    for still in stills:
        opening.append(still)
        if still.time - opening[0].time >= OPENING_S:
            break
    if opening:
        watch = Watch(opening)
        while opening:
            yield from watch.look(opening.popleft())
        for still in stills:
            yield from watch.look(still)


class Watch:
    """The background, and what the last moments looked like."""

    def __init__(self, opening: Sequence[Still]) -> None:
        self._background = Background([still.picture for still in opening])
        self._before = self._steady = opening[0].time
        self._moving: list[Box] = []  # at the last look
        self._changes: deque[float] = deque()  # when something came or went, within the last BUSY_S
        self._pictures: deque[Timed] = deque()  # of the last OPENING_S
        self._relit: deque[Timed] = deque()  # of the last LAG_S

    def look(self, still: Still) -> Iterator[Glance]:
        """What stands out in the picture, after what does in those between if something came or went; learns from it."""
        difference = self._background.compare(still.picture)
        _keep(self._relit, (still.time, difference.relit), LAG_S)
        _keep(self._pictures, (still.time, still.picture), OPENING_S)
        glance, labels = self._glance(still, difference)
        if self._may_open_or_close(glance):
            for one in still.between:
                yield self._glance(one, self._background.compare(one.picture), is_look=False)[0]
        self._learn(still, difference, glance.blobs, labels)
        yield glance

    def _may_open_or_close(self, glance: Glance) -> bool:
        """Whether something has come or gone since the last look, and not all the time."""
        before, self._moving = self._moving, [blob.box for blob in glance.blobs if blob.valid and blob.active]
        if not _differ(before, self._moving):
            return False
        self._changes.append(glance.time)
        while glance.time - self._changes[0] > BUSY_S:
            self._changes.popleft()
        return len(self._changes) < BUSY

    def _glance(self, still: Still, difference: Difference, is_look: bool = True) -> tuple[Glance, Labels]:
        earlier = self._relit[0][1]
        blobs, labels = find_blobs(still.picture, self._background, difference, earlier)
        return Glance(still.time, blobs, self._stirred(difference, earlier), is_look), labels

    def _learn(self, still: Still, difference: Difference, blobs: list[Blob], labels: Labels) -> None:
        held, active = marked(blobs, labels)
        self._background.learn(still.picture, difference, held, active, dt=min(STEP_S, still.time - self._before))
        self._before = still.time
        if held.mean() <= KNOCKED_SHARE:
            self._steady = still.time
        elif still.time - self._steady > KNOCKED_S:
            self._begin_anew(still.time)

    def _stirred(self, difference: Difference, earlier: Picture) -> NDArray[np.bool_]:
        """By the noise of the picture as a whole: where somebody sits from the start, his stirring passes for noise."""
        usual = self._background.threshold(ACTIVE_LEVELS, SIGMAS)[::2, ::2]
        return np.asarray(np.abs(difference.relit - earlier) > np.median(usual), np.bool_)

    def _begin_anew(self, time: float) -> None:
        self._background = Background([picture for _, picture in self._pictures])
        self._relit.clear()
        self._steady = time


def _differ(before: Sequence[Box], now: Sequence[Box]) -> bool:
    """Whether something moves at one of two looks, and nothing in its place at the other: it has come or gone."""
    return not all(touches(box, now) for box in before) or not all(touches(box, before) for box in now)


def _keep(recent: deque[Timed], newest: Timed, seconds: float) -> None:
    """Add `newest`; the first one left is the last that is at least `seconds` old, where there is one."""
    recent.append(newest)
    while len(recent) > 2 and newest[0] - recent[1][0] >= seconds - 1e-3:
        recent.popleft()
