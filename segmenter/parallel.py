"""Jobs side by side, in threads: decoding and the models' own code run outside of Python's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from threading import Event as Signal
from typing import Any, TypeVar

_A = TypeVar("_A")
_B = TypeVar("_B")
_Item = TypeVar("_Item")


class Stopped(Exception):
    """The other job failed, or the person interrupted: this one ends early."""


def side_by_side(a: Callable[[Signal], _A], b: Callable[[Signal], _B]) -> tuple[_A, _B]:
    """The results of both. When one fails, or the caller is interrupted, the signal is set and the other is waited for."""
    stop = Signal()
    with ThreadPoolExecutor(2, thread_name_prefix="segmenter") as threads:
        jobs: list[Future[Any]] = [threads.submit(a, stop), threads.submit(b, stop)]
        try:
            for done in as_completed(jobs):
                done.result()
        except BaseException:
            stop.set()
            raise
        return jobs[0].result(), jobs[1].result()


def until(stop: Signal, items: Iterable[_Item]) -> Iterator[_Item]:
    """`items`, as long as the signal is not set.

    Raises:
        Stopped: it was set.
    """
    for item in items:
        if stop.is_set():
            raise Stopped
        yield item
