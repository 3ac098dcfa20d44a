"""The YOLO adapter on real weights: real people in a real room, and a street photograph moved across an empty picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from segmenter import weights
from segmenter.errors import ModelMissing, SegmenterError, SettingsError
from segmenter.evaluate.events import score
from segmenter.media.frames import Frame, VideoFrames
from segmenter.media.probe import probe
from segmenter.records import Finding, Observation, Span
from segmenter.settings import VisionSettings
from segmenter.vision.events import events
from segmenter.vision.yolo import YoloTracker

pytest.importorskip("ultralytics")
SETTINGS = VisionSettings()


@pytest.fixture(scope="module")
def weights_path() -> Path:
    try:
        return Path(weights.locate(SETTINGS.weights).path)
    except SegmenterError as error:
        pytest.skip(f"no weights of {SETTINGS.weights} here: {error}")


@pytest.fixture(scope="module")
def tracker(weights_path: Path) -> YoloTracker:
    return YoloTracker(weights_path, SETTINGS)


@pytest.fixture(scope="module")
def street() -> NDArray[np.uint8]:
    """A bus and people, 405 x 540 pixels: the photograph that the ultralytics package brings."""
    import cv2
    from ultralytics.utils import ASSETS

    photograph = cv2.imread(str(ASSETS / "bus.jpg"))
    assert photograph is not None
    return np.asarray(cv2.resize(photograph, (405, 540), interpolation=cv2.INTER_AREA), np.uint8)


STEP_PX = 30


def passing(photograph: NDArray[np.uint8], looks: int = 6, empty: int = 3) -> Iterator[Frame]:
    """Empty pictures, then the photograph moving to the right across the same grey, then empty ones; 5 a second."""
    height, width = photograph.shape[:2]
    for i in range(empty + looks + empty):
        image = np.full((height, 960, 3), 114, np.uint8)
        if empty <= i < empty + looks:
            left = STEP_PX * (i - empty)
            image[:, left : left + width] = photograph
        yield Frame(i / 5, image)


@pytest.fixture(scope="module")
def seen(tracker: YoloTracker, street: NDArray[np.uint8]) -> list[Observation]:
    return list(tracker.track(passing(street)))


def test_every_picture_gives_an_observation_and_an_empty_one_an_empty_one(seen: list[Observation]) -> None:
    assert [o.time for o in seen] == [i / 5 for i in range(12)]
    assert [bool(o.sightings) for o in seen] == [False] * 3 + [True] * 6 + [False] * 3


def test_what_is_in_the_photograph_is_named_and_followed(seen: list[Observation]) -> None:
    first, last = seen[3], seen[8]
    assert {s.label for s in first.sightings} == {"person", "bus"}
    assert min(s.track for s in first.sightings) == 1
    before, after = ({s.track: s for s in o.sightings} for o in (first, last))
    bus = next(s for s in first.sightings if s.label == "bus")
    assert after[bus.track].label == "bus"
    assert len(before.keys() & after.keys()) >= 3


def test_boxes_are_fractions_and_move_with_the_photograph(seen: list[Observation]) -> None:
    boxes = [s.box for o in seen for s in o.sightings]
    assert all(0 <= b.left < b.right <= 1 and 0 <= b.top < b.bottom <= 1 for b in boxes)
    bus = [next(s.box for s in o.sightings if s.label == "bus") for o in seen[3:9]]
    moved = (bus[-1].left + bus[-1].right - bus[0].left - bus[0].right) / 2
    assert moved == pytest.approx(5 * STEP_PX / 960, abs=0.03)


def test_two_recordings_one_after_the_other_equal_two_processes(
    tracker: YoloTracker, street: NDArray[np.uint8], seen: list[Observation]
) -> None:
    """Also where the first was left in the middle, and pictures have another size."""
    for _ in islice(tracker.track(passing(street[:400])), 5):
        pass
    assert list(tracker.track(passing(street))) == seen


@pytest.mark.parametrize(("rate_hz", "same"), [(5.0, True), (2.0, False)])
def test_a_track_is_given_up_after_seconds_not_after_looks(
    weights_path: Path, street: NDArray[np.uint8], rate_hz: float, same: bool
) -> None:
    """Seven looks without the bus are 1.4 s at 5 Hz and 3.5 s at 2 Hz; a track is kept for 2 s."""
    tracker = YoloTracker(weights_path, replace(SETTINGS, rate_hz=rate_hz, labels=("bus",)))
    images = [street, street, *[np.full_like(street, 114)] * 7, street, street]
    seen = list(tracker.track(Frame(i / rate_hz, image) for i, image in enumerate(images)))
    assert ({s.track for s in seen[1].sightings} == {s.track for s in seen[-1].sightings}) is same


def test_only_the_labels_asked_for_are_seen(weights_path: Path, street: NDArray[np.uint8]) -> None:
    only_buses = YoloTracker(weights_path, replace(SETTINGS, labels=("bus",)))
    assert {s.label for o in only_buses.track(passing(street, 2, 0)) for s in o.sightings} == {"bus"}


def test_an_unknown_label_is_answered_with_the_known_ones(weights_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"'persn'.*person, bicycle, car"):
        YoloTracker(weights_path, replace(SETTINGS, labels=("person", "persn")))


def test_missing_and_damaged_weights_are_told(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="no such weights"):
        YoloTracker(tmp_path / "yolo26n.pt", SETTINGS)
    damaged = tmp_path / "damaged.pt"
    damaged.write_bytes(b"not weights at all")
    with pytest.raises(ModelMissing, match="cannot load these weights"):
        YoloTracker(damaged, SETTINGS)
    assert list(tmp_path.iterdir()) == [damaged]


def test_a_real_visit_is_found_where_it_is(tracker: YoloTracker, shared: Path) -> None:
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
