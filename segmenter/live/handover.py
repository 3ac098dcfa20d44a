"""Pictures from the thread that receives them to the one that looks: never more than a few wait, the oldest give way."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from threading import Condition, Thread
from time import monotonic
from typing import Protocol

from segmenter.media.frames import Frame


class Pictures(Protocol):
    """Pictures in runs: a run ends where nothing comes for a while, or for good."""

    skipped: int  # pictures that nobody had the time to look at

    @property
    def over(self) -> bool:
        """Nothing comes any more."""

    def run(self, after: float) -> Iterator[Frame]:
        """The pictures until the next pause, those later than `after`.

        Raises:
            SegmenterError: whatever the source raised.
        """

    def pause(self, seconds: float) -> bool:
        """Waits so long for the next picture; whether the pause goes on."""


class Pulled:
    """Each picture when it is asked for: a file as fast as somebody looks."""

    def __init__(self, frames: Iterable[Frame]) -> None:
        self._frames = frames
        self.over = False
        self.skipped = 0

    def run(self, after: float) -> Iterator[Frame]:  # noqa: ARG002 - a file has no pauses
        yield from self._frames
        self.over = True

    def pause(self, seconds: float) -> bool:  # noqa: ARG002
        return False


class Received:
    """Pictures as they come, in a thread of their own: a stream does not wait for a slow detector."""

    def __init__(self, frames: Iterable[Frame], quiet_s: float, most_waiting: int) -> None:
        """A run ends where nothing has come for `quiet_s`; of more than `most_waiting` pictures the oldest is skipped."""
        self._quiet_s, self._most_waiting = quiet_s, most_waiting
        self._waiting: deque[Frame] = deque()
        self._changed = Condition()
        self._ended = False
        self._error: BaseException | None = None
        self.skipped = 0
        # a daemon: it may hang in a connection when the program wants to end
        Thread(target=self._receive, args=(frames,), name="segmenter-live", daemon=True).start()

    @property
    def over(self) -> bool:
        with self._changed:
            return self._ended and not self._waiting

    def run(self, after: float) -> Iterator[Frame]:
        while not self.pause(self._quiet_s):
            with self._changed:
                if not self._waiting:
                    break
                frame = self._waiting.popleft()
            if frame.time > after:  # what was held up until the pause was over is too late
                yield frame
            else:
                self.skipped += 1
        if self.over and self._error is not None:
            raise self._error

    def pause(self, seconds: float) -> bool:
        until = monotonic() + seconds
        with self._changed:
            while not (self._waiting or self._ended):
                left = until - monotonic()
                if left <= 0:
                    return True
                self._changed.wait(left)
        return False

    def _receive(self, frames: Iterable[Frame]) -> None:
        try:
            for frame in frames:
                self._put(frame)
        except BaseException as error:  # raised where somebody looks
            self._error = error
        with self._changed:
            self._ended = True
            self._changed.notify()

    def _put(self, frame: Frame) -> None:
        with self._changed:
            if self._waiting:  # behind already: whoever has to hurry dates edges by looks, and memory stays small
                frame.between = ()
            self._waiting.append(frame)
            if len(self._waiting) > self._most_waiting:
                self._waiting.popleft()
                self.skipped += 1
            self._changed.notify()
