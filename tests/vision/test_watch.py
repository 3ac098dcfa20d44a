"""Looks at an even rate, and the source's pictures between two of them where something comes or goes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest
from scenes import filmed, walker

from segmenter.media.frames import taken
from segmenter.records import Event
from segmenter.settings import VisionSettings
from segmenter.vision.events import events
from segmenter.vision.motion import MotionTracker
from segmenter.vision.steady import aligned, small_grey, without_specks
from segmenter.vision.watch import Glance, glances

STEP_S = 0.1
SECONDS = 14.0
VISIT = (5.03, 9.04)  # it stands there at once, and is gone at once


def even(rate_hz: float) -> list[float]:
    return [i / rate_hz for i in range(round(SECONDS * rate_hz))]


def uneven() -> list[float]:
    """Some 30 pictures a second, as cameras send them that make them when they can."""
    return [0.0, *np.cumsum(np.random.default_rng(3).uniform(0.015, 0.05, 420)).round(3).tolist()]


RATES = {"25": even(25), "30": even(30), "29.97": even(29.97), "60": even(60), "uneven": uneven()}


def seen(times: Iterable[float]) -> list[Glance]:
    visitor = walker((VISIT[0], 60), (VISIT[1], 110))
    frames = taken(filmed(visitor, seconds=SECONDS, times=times), STEP_S)
    return list(glances(without_specks(aligned(small_grey(frames)))))


def event(times: Iterable[float]) -> Event:
    visitor = walker((VISIT[0], 60), (VISIT[1], 110))
    frames = taken(filmed(visitor, seconds=SECONDS, times=times), STEP_S)
    (found,), _ = events(MotionTracker(VisionSettings()).track(frames), SECONDS, VisionSettings(tracker="motion"))
    return found


@pytest.mark.parametrize("times", RATES.values(), ids=list(RATES))
def test_an_event_begins_and_ends_with_one_picture_of_the_source(times: list[float]) -> None:
    """The first that shows the visitor, and the first that no longer does."""
    found = event(times)
    assert found.start == next(time for time in times if time >= VISIT[0])
    assert found.end == next(time for time in times if time >= VISIT[1])


@pytest.mark.parametrize("times", RATES.values(), ids=list(RATES))
def test_pictures_between_two_looks_are_asked_only_where_something_comes_or_goes(times: list[float]) -> None:
    all_seen = seen(times)
    looks = [glance.time for glance in all_seen if glance.is_look]
    between = [glance.time for glance in all_seen if not glance.is_look]
    assert all(a.time < b.time for a, b in pairwise(all_seen))
    assert looks == [frame.time for frame in taken(filmed(seconds=SECONDS, times=times), STEP_S)]
    assert between
    assert all(min(abs(time - edge) for edge in VISIT) < 2 * STEP_S for time in between)


def test_at_ten_pictures_a_second_there_is_nothing_between() -> None:
    assert all(glance.is_look for glance in seen(even(10)))
    assert (event(even(10)).start, event(even(10)).end) == (5.1, 9.1)


def test_where_nothing_happens_nothing_else_is_asked() -> None:
    frames = taken(filmed(seconds=8, rate_hz=30), STEP_S)
    assert all(glance.is_look for glance in glances(without_specks(aligned(small_grey(frames)))))
