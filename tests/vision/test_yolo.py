"""The YOLO tracker on real weights, under every association: a photograph that moves, and real visits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from street import RATE_HZ, STEP_PX, located, passing, photograph

from segmenter import table
from segmenter.errors import SettingsError
from segmenter.evaluate.events import score
from segmenter.media.frames import Frame, VideoFrames
from segmenter.media.probe import probe
from segmenter.records import Finding, Observation, Span
from segmenter.settings import VisionSettings
from segmenter.vision.events import events
from segmenter.vision.tracker import TRACKERS, Tracker
from segmenter.vision.yolo import ASSOCIATIONS

pytest.importorskip("ultralytics")
SETTINGS = VisionSettings()
SMALL = replace(SETTINGS, image_size_px=320, engine="torch")  # a bus this near is seen in small pictures too

Make = Callable[..., Tracker]


def made(settings: VisionSettings) -> Tracker:
    tracker: Tracker = table.load("tracker", TRACKERS, "yolo")(located(settings.weights), settings)
    return tracker


@pytest.fixture(scope="module")
def street() -> NDArray[np.uint8]:
    return photograph()


@pytest.fixture(scope="module")
def tracker() -> Tracker:
    return made(SETTINGS)


@pytest.fixture(scope="module")
def seen(tracker: Tracker, street: NDArray[np.uint8]) -> list[Observation]:
    return list(tracker.track(passing(street)))


# --- the contract of every association -----------------------------------------------------------------------------


@pytest.fixture(scope="module", params=list(ASSOCIATIONS))
def associated(request: pytest.FixtureRequest) -> Tracker:
    return made(replace(SMALL, association=request.param))


def test_every_association_keeps_the_contract(associated: Tracker, street: NDArray[np.uint8]) -> None:
    """One observation a picture, empty where nothing is; ids from 1; a call knows nothing of the one before."""
    observations = list(associated.track(passing(street)))
    assert [o.time for o in observations] == [i / RATE_HZ for i in range(12)]
    filled = [bool(o.sightings) for o in observations]
    assert filled[:3] == [False] * 3
    assert filled[4:9] == [True] * 5  # ultralytics' own may hold the first look back
    assert filled[9:] == [False] * 3
    sightings = [s for o in observations for s in o.sightings]
    assert min(s.track for s in sightings) == 1
    assert {"bus", "person"} >= {s.label for s in sightings} >= {"bus"}
    assert all(0 <= s.box.left < s.box.right <= 1 and 0 <= s.box.top < s.box.bottom <= 1 for s in sightings)
    assert len({s.track for s in sightings if s.label == "bus"}) == 1
    for _ in islice(associated.track(passing(street[:400])), 5):  # left in the middle, with pictures of another size
        pass
    assert list(associated.track(passing(street))) == observations


def test_an_unknown_association_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"'kalman'.*seconds, tracktrack, bytetrack"):
        made(replace(SMALL, association="kalman"))


@pytest.mark.parametrize("association", ["seconds", "tracktrack"])
@pytest.mark.parametrize(("rate_hz", "same"), [(5.0, True), (2.0, False)])
def test_a_track_is_given_up_after_seconds_not_after_looks(
    street: NDArray[np.uint8], association: str, rate_hz: float, same: bool
) -> None:
    """Seven looks without the bus are 1.4 s at 5 Hz and 3.5 s at 2 Hz; a track is kept for 2 s."""
    tracker = made(replace(SMALL, association=association, rate_hz=rate_hz, labels=("bus",)))
    images = [street, street, *[np.full_like(street, 114)] * 7, street, street]
    seen = list(tracker.track(Frame(i / rate_hz, image) for i, image in enumerate(images)))
    assert ({s.track for s in seen[1].sightings} == {s.track for s in seen[-1].sightings}) is same


# --- in seconds, the default ---------------------------------------------------------------------------------------


def test_what_is_in_the_photograph_is_named_and_followed(seen: list[Observation]) -> None:
    first, last = seen[3], seen[8]
    assert {s.label for s in first.sightings} == {"person", "bus"}
    before, after = ({s.track: s for s in o.sightings} for o in (first, last))
    bus = next(s for s in first.sightings if s.label == "bus")
    assert after[bus.track].label == "bus"
    assert len(before.keys() & after.keys()) >= 3


def test_boxes_move_with_the_photograph(seen: list[Observation]) -> None:
    bus = [next(s.box for s in o.sightings if s.label == "bus") for o in seen[3:9]]
    moved = (bus[-1].left + bus[-1].right - bus[0].left - bus[0].right) / 2
    assert moved == pytest.approx(5 * STEP_PX / 960, abs=0.03)


def test_people_in_a_picture_that_stands_still_are_no_visitors(tracker: Tracker, street: NDArray[np.uint8]) -> None:
    """A poster: the detector is sure of it, and it never stirs. Of the bus, others decide whether it stands."""
    poster = tracker.track(Frame(i / RATE_HZ, street) for i in range(8))
    assert {s.label for o in poster for s in o.sightings} == {"bus"}


def test_a_real_visit_is_found_where_it_is(tracker: Tracker, shared: Path) -> None:
    """The second visitor of the recording leaves at 44.9 s and the third comes at 50.2 s."""
    findings: list[Finding] = []
    recording = probe(shared / "video" / "one_by_one.mp4", findings.append)
    frames = VideoFrames(recording, recording.video[0], findings.append, step_s=1 / tracker.rate_hz)
    piece = (frame for frame in frames if 42.0 <= frame.time < 54.0)
    found, _ = events(tracker.track(piece), 54.0, SETTINGS)
    scores = score(found, [Span(42.0, 44.9), Span(50.2, 54.0)], 54.0)
    assert scores.f1 == 1.0
    assert [event.labels for event in found] == [("person",), ("person",)]
    assert scores.edge_quantile(1.0) is not None
    assert max(abs(error) for error in scores.edge_errors) <= 1.0
