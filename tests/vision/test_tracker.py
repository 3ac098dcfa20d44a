"""The contract that every row of the table of trackers keeps."""

from __future__ import annotations

import numpy as np
import pytest
from scenes import crossing, filmed
from street import located, passing, photograph

from segmenter import table
from segmenter.media.frames import Frame
from segmenter.settings import VisionSettings
from segmenter.vision.motion import MotionTracker
from segmenter.vision.tracker import TRACKERS, Tracker

SETTINGS = VisionSettings(image_size_px=320, engine="torch")  # a bus this near is seen in small pictures too


@pytest.fixture(scope="module", params=list(TRACKERS))
def tracker(request: pytest.FixtureRequest) -> Tracker:
    row = TRACKERS[request.param]
    for package in row.packages:
        pytest.importorskip(package)
    weights = [located(SETTINGS.weights)] if row.weights else []
    made: Tracker = table.load("tracker", TRACKERS, request.param)(*weights, SETTINGS)
    return made


def scene(tracker: Tracker) -> list[Frame]:
    """Something that it sees: a photograph, or a figure before a wall."""
    if isinstance(tracker, MotionTracker):
        return list(filmed(crossing(2.5, 5.0), seconds=6))
    return list(passing(photograph(), looks=6, empty=12))


def test_one_observation_a_frame_at_its_time_and_each_call_anew(tracker: Tracker) -> None:
    frames = scene(tracker)
    observations = list(tracker.track(frames))
    assert [o.time for o in observations] == [frame.time for frame in frames]
    sightings = [s for o in observations for s in o.sightings]
    assert min(s.track for s in sightings) == 1
    assert all(0 <= s.box.left < s.box.right <= 1 and 0 <= s.box.top < s.box.bottom <= 1 for s in sightings)
    assert all(0 <= s.confidence <= 1 for s in sightings)
    assert all(len({s.track for s in o.sightings}) == len(o.sightings) for o in observations)
    next(iter(tracker.track(frames[:3])))  # left in the middle
    assert list(tracker.track(frames)) == observations


def test_nothing_gives_nothing(tracker: Tracker) -> None:
    assert list(tracker.track([])) == []
    assert [o.time for o in tracker.track([Frame(1.5, np.zeros((48, 64, 3), np.uint8))])] == [1.5]


def test_it_says_how_often_it_looks_and_how_it_runs(tracker: Tracker) -> None:
    assert tracker.rate_hz > 0
    assert all(finding.level == "note" for finding in tracker.findings)
