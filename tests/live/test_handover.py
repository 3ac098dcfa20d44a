"""Pictures handed from the thread that receives them to the one that looks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from threading import Event as Signal

import numpy as np
import pytest

from segmenter.errors import BadInput
from segmenter.live.handover import Received
from segmenter.media.frames import Frame


def frames(times: list[float], until: Signal | None = None) -> Iterator[Frame]:
    """Pictures at once; then nothing comes before the signal."""
    for time in times:
        yield Frame(time, np.zeros((2, 2, 3), np.uint8))
    if until is not None:
        until.wait(60)


def test_all_come_where_nobody_is_slow() -> None:
    received = Received(frames([0.1, 0.2, 0.3]), quiet_s=60, most_waiting=8)
    assert [frame.time for frame in received.run(-1)] == [0.1, 0.2, 0.3]
    assert received.over
    assert received.skipped == 0


def test_the_oldest_give_way_and_are_counted() -> None:
    done = Signal()

    def coming() -> Iterator[Frame]:
        yield from frames([float(i) for i in range(100)])
        done.set()

    received = Received(coming(), quiet_s=60, most_waiting=8)
    assert done.wait(60)
    assert [frame.time for frame in received.run(-1)] == [float(i) for i in range(92, 100)]
    assert received.skipped == 92


def test_one_alone_of_those_that_wait_keeps_the_pictures_before_it() -> None:
    done = Signal()

    def coming() -> Iterator[Frame]:
        for frame in frames([1.0, 2.0, 3.0]):
            frame.between = tuple(frames([frame.time - 0.5]))
            yield frame
        done.set()

    received = Received(coming(), quiet_s=60, most_waiting=8)
    assert done.wait(60)
    assert [len(frame.between) for frame in received.run(-1)] == [1, 0, 0]


def test_a_run_ends_where_nothing_comes_and_the_next_one_goes_on() -> None:
    late = Signal()

    def coming() -> Iterator[Frame]:
        yield from frames([1.0], late)
        yield from frames([1.5, 2.0, 3.0])

    received = Received(coming(), quiet_s=0.05, most_waiting=8)
    assert [frame.time for frame in received.run(-1)] == [1.0]
    assert not received.over
    assert received.pause(0.01)
    late.set()
    assert not received.pause(60)
    assert [frame.time for frame in received.run(2.0)] == [3.0]  # the others were held up for too long
    assert received.skipped == 2
    assert received.over


def test_what_goes_wrong_is_raised_where_somebody_looks() -> None:
    def coming() -> Iterator[Frame]:
        yield from frames([1.0])
        raise BadInput("torn")

    run = Received(coming(), quiet_s=60, most_waiting=8).run(-1)
    assert [frame.time for frame in islice(run, 1)] == [1.0]
    with pytest.raises(BadInput, match="torn"):
        next(run)
