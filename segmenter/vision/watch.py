"""Pictures to blobs: the background kept up to date, picture by picture."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from segmenter.records import Box
from segmenter.vision.background import SIGMAS, Background, Difference
from segmenter.vision.blobs import ACTIVE_LEVELS, Blob, find_blobs, marked
from segmenter.vision.steady import Picture, Timed

OPENING_S = 2.0  # long enough for who passes through not to be in the median, short enough for who stands to stir
LAG_S = 0.4  # a slow walker moves by a pixel or two in this time
STEP_S = 1.0  # a hole in the video teaches no more than this
KNOCKED_SHARE = 0.5  # more of the picture has changed than any visitor covers for long:
KNOCKED_S = 5.0  # the camera was turned, or the lamp in the room switched


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What one picture shows to the eye that knows the scene. `stirred`: which pixels changed within LAG_S."""

    time: float
    blobs: list[Blob]
    stirred: NDArray[np.bool_]

    def stir(self, box: Box) -> float:
        """The share of the pixels in `box` that changed just now."""
        height, width = self.stirred.shape
        rows = slice(int(box.top * height), max(1, round(box.bottom * height)))
        columns = slice(int(box.left * width), max(1, round(box.right * width)))
        inside = self.stirred[rows, columns]
        return float(inside.mean()) if inside.size else 0.0


def glances(pictures: Iterable[Timed]) -> Iterator[Glance]:
    """One for each picture, in order; the first ones come after OPENING_S."""
    pictures = iter(pictures)
    opening: list[Timed] = []
    for timed in pictures:
        opening.append(timed)
        if timed[0] - opening[0][0] >= OPENING_S:
            break
    if opening:
        watch = Watch(opening)
        for time, picture in chain(opening, pictures):
            yield watch.look(time, picture)


class Watch:
    """The background, and what the last moments looked like."""

    def __init__(self, opening: Sequence[Timed]) -> None:
        self._background = Background([picture for _, picture in opening])
        self._before = self._steady = opening[0][0]
        self._pictures: deque[Timed] = deque()  # of the last OPENING_S
        self._relit: deque[Timed] = deque()  # of the last LAG_S

    def look(self, time: float, picture: Picture) -> Glance:
        """What stands out in `picture`; the background then learns from it."""
        difference = self._background.compare(picture)
        _keep(self._relit, (time, difference.relit), LAG_S)
        _keep(self._pictures, (time, picture), OPENING_S)
        earlier = self._relit[0][1]
        stirred = self._stirred(difference, earlier)
        blobs, labels = find_blobs(picture, self._background, difference, earlier)
        held, active = marked(blobs, labels)
        self._background.learn(picture, difference, held, active, dt=min(STEP_S, time - self._before))
        self._before = time
        if held.mean() <= KNOCKED_SHARE:
            self._steady = time
        elif time - self._steady > KNOCKED_S:
            self._begin_anew(time)
        return Glance(time, blobs, stirred)

    def _stirred(self, difference: Difference, earlier: Picture) -> NDArray[np.bool_]:
        """By the noise of the picture as a whole: where somebody sits from the start, his stirring passes for noise."""
        usual = self._background.threshold(ACTIVE_LEVELS, SIGMAS)[::2, ::2]
        return np.asarray(np.abs(difference.relit - earlier) > np.median(usual), np.bool_)

    def _begin_anew(self, time: float) -> None:
        self._background = Background([picture for _, picture in self._pictures])
        self._relit.clear()
        self._steady = time


def _keep(recent: deque[Timed], newest: Timed, seconds: float) -> None:
    """Add `newest`; the first one left is the last that is at least `seconds` old, where there is one."""
    recent.append(newest)
    while len(recent) > 2 and newest[0] - recent[1][0] >= seconds - 1e-3:
        recent.popleft()
