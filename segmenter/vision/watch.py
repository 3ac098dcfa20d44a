"""Pictures to blobs: the background kept up to date, picture by picture."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from segmenter.vision.background import Background
from segmenter.vision.blobs import Blob, find_blobs, marked
from segmenter.vision.steady import Picture, Timed

OPENING_S = 2.0  # long enough for who passes through not to be in the median, short enough for who stands to stir
LAG_S = 0.4  # a slow walker moves by a pixel or two in this time
STEP_S = 1.0  # a hole in the video teaches no more than this
KNOCKED_SHARE = 0.5  # more of the picture has changed than any visitor covers for long:
KNOCKED_S = 5.0  # the camera was turned, or the lamp in the room switched


def blobs_over_time(pictures: Iterable[Timed]) -> Iterator[tuple[float, list[Blob]]]:
    """Time and blobs of each picture; the first ones come after OPENING_S."""
    pictures = iter(pictures)
    opening: list[Timed] = []
    for timed in pictures:
        opening.append(timed)
        if timed[0] - opening[0][0] >= OPENING_S:
            break
    if opening:
        watch = Watch(opening)
        for time, picture in chain(opening, pictures):
            yield time, watch.look(time, picture)


class Watch:
    """The background, and what the last moments looked like."""

    def __init__(self, opening: Sequence[Timed]) -> None:
        self._background = Background([picture for _, picture in opening])
        self._before = self._steady = opening[0][0]
        self._pictures: deque[Timed] = deque()  # of the last OPENING_S
        self._relit: deque[Timed] = deque()  # of the last LAG_S

    def look(self, time: float, picture: Picture) -> list[Blob]:
        """The blobs in `picture`; the background then learns from it."""
        difference = self._background.compare(picture)
        _keep(self._relit, (time, difference.relit), LAG_S)
        _keep(self._pictures, (time, picture), OPENING_S)
        blobs, labels = find_blobs(picture, self._background, difference, earlier=self._relit[0][1])
        held, active = marked(blobs, labels)
        self._background.learn(picture, difference, held, active, dt=min(STEP_S, time - self._before))
        self._before = time
        if held.mean() <= KNOCKED_SHARE:
            self._steady = time
        elif time - self._steady > KNOCKED_S:
            self._begin_anew(time)
        return blobs

    def _begin_anew(self, time: float) -> None:
        self._background = Background([picture for _, picture in self._pictures])
        self._relit.clear()
        self._steady = time


def _keep(recent: deque[Timed], newest: Timed, seconds: float) -> None:
    """Add `newest`; the first one left is the last that is at least `seconds` old, where there is one."""
    recent.append(newest)
    while len(recent) > 2 and newest[0] - recent[1][0] >= seconds - 1e-3:
        recent.popleft()
