"""Edges follow what moves, outwards, and only as far as it does."""

from __future__ import annotations

import pytest

from segmenter.records import Box, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.blobs import Blob
from segmenter.vision.company import Known, Moment
from segmenter.vision.dating import REACH_S, dated, outermost
from segmenter.vision.stillness import Standing


def blob(left: float, activity: float = 0.5, evidence: float = 0.5) -> Blob:
    return Blob(Box(left, 0.4, left + 0.1, 0.8), activity, evidence, 2.0)


def reach(*blobs: Blob | None, step: float = 0.1) -> int:
    """How many pictures beyond the edge are reached; the thing's last box stands at 0.5."""
    pictures = [(i * step, [] if one is None else [one]) for i, one in enumerate(blobs)]
    return max(0, len(outermost(Box(0.5, 0.4, 0.6, 0.8), pictures)) - 1)


def test_a_trace_follows_the_thing_from_picture_to_picture() -> None:
    assert reach(*(blob(0.5 + 0.05 * i) for i in range(6))) == 5


def test_it_ends_where_the_thing_no_longer_moves() -> None:
    assert reach(blob(0.5), blob(0.52), blob(0.54), blob(0.54, activity=0.0), blob(0.54, activity=0.0)) == 2


def test_a_light_is_not_followed() -> None:
    assert reach(blob(0.5), blob(0.5, evidence=0.05), blob(0.5, evidence=0.05)) == 0


def test_a_blob_elsewhere_is_another_thing() -> None:
    assert reach(blob(0.5), blob(0.8), blob(0.8)) == 0


def test_two_pictures_may_lack_the_blob() -> None:
    assert reach(blob(0.5), None, None, blob(0.52)) == 3
    assert reach(blob(0.5), None, None, None, blob(0.52)) == 0


def test_nothing_near_the_edge_is_nothing_known() -> None:
    assert reach(None, None, None, blob(0.5)) == 0


def test_no_edge_moves_further_than_detectors_are_late() -> None:
    assert reach(*(blob(0.5) for _ in range(60))) == pytest.approx(REACH_S / 0.1)


def spans(present: range, moving: range, label: str = "person", slide: float = 0.01) -> list[float]:
    """The times at which a track shows that the detector sees in the pictures `present`, motion in those `moving`."""
    known = Known(1, label == "person", 0.0, Sighting(1, label, 0.9, Box(0, 0, 1, 1)))
    moments = []
    for i in range(100):
        moment = Moment(i / 10, [blob(0.05 + slide * i)] if i in moving else [], [])
        if i in present:
            moment.present.append((known, Sighting(1, label, 0.9, blob(0.05 + slide * i).box)))
        moments.append(moment)
    settings = VisionSettings()
    standing = Standing(settings.only_moving, settings.stationary_s)
    return [moment.time for moment in dated(moments, standing) if moment.present or moment.dated]


@pytest.mark.parametrize("label", ["person", "car"])
def test_a_track_begins_and_ends_with_its_motion(label: str) -> None:
    assert spans(range(30, 50), range(20, 60), label) == [i / 10 for i in range(20, 60)]


def test_motion_within_a_track_changes_nothing() -> None:
    assert spans(range(30, 50), range(35, 45)) == [i / 10 for i in range(30, 50)]


def test_every_moment_comes_out_once_and_in_order() -> None:
    moments = [Moment(i / 3, [], []) for i in range(50)]
    assert list(dated(moments, Standing((), 6.0))) == moments
