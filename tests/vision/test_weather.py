"""Weather, light and a restless camera are no event, neither for motion alone nor for the default."""

from __future__ import annotations

from functools import cache

import pytest
from scenes import Painter, crossing, filmed
from street import located
from weather import WEATHER, Snow

from segmenter.media.frames import taken
from segmenter.records import Event
from segmenter.settings import VisionSettings
from segmenter.vision.both import BothTracker
from segmenter.vision.events import events
from segmenter.vision.motion import MotionTracker
from segmenter.vision.tracker import Tracker

SETTINGS = VisionSettings()
STORMS = ("snow", "large flakes", "flakes near the lens, by night", "rain by night")


def found(tracker: Tracker, *painters: Painter, seconds: float) -> tuple[Event, ...]:
    frames = taken(filmed(*painters, seconds=seconds, rate_hz=30), 1 / tracker.rate_hz)
    return events(tracker.track(frames), seconds, SETTINGS)[0]


@cache
def both() -> BothTracker:
    return BothTracker(located(SETTINGS.weights), SETTINGS)


@pytest.mark.parametrize("name", WEATHER)
def test_to_motion_it_is_no_event(name: str) -> None:
    assert found(MotionTracker(SETTINGS), *WEATHER[name], seconds=14) == ()


@pytest.mark.parametrize("name", [*STORMS, "headlights by night", "gusts"])
def test_to_the_default_it_is_no_event(name: str) -> None:
    pytest.importorskip("ultralytics")
    assert found(both(), *WEATHER[name], seconds=9) == ()


@pytest.mark.parametrize("painters", [WEATHER["rain"], WEATHER["gusts"], (Snow(30),)], ids=["rain", "gusts", "some snow"])
def test_a_visitor_is_seen_through_it(painters: tuple[Painter, ...]) -> None:
    (event,) = found(MotionTracker(SETTINGS), crossing(7.0, 11.0), *painters, seconds=14)
    assert (event.start, event.end) == pytest.approx((7.0, 11.0), abs=0.5)


def test_after_a_storm_visitors_count_again() -> None:
    storm = Snow()
    (event,) = found(MotionTracker(SETTINGS), lambda p, t: storm(p, t) if t < 7 else p, crossing(12.0, 16.0), seconds=18)
    assert (event.start, event.end) == pytest.approx((12.0, 16.0), abs=0.5)
