"""A track that begins where another was lost a moment ago is that one."""

from __future__ import annotations

import pytest
from sightings import HERE, Visit, looks, sliding

from segmenter.records import Box
from segmenter.vision.reunion import Reunion
from segmenter.vision.stages import passed

NEAR, FAR = Box(0.45, 0.4, 0.65, 0.6), Box(0.7, 0.7, 0.9, 0.9)
DOOR = Box(0.0, 0.4, 0.2, 0.6)  # at the left edge


def ids(*visits: Visit, bridge_s: float = 2.0) -> list[int]:
    """The ids in the order in which they appear."""
    seen = passed([Reunion(bridge_s)], looks(visits, 30.0))
    return list(dict.fromkeys(s.track for o in seen for s in o.sightings))


def test_who_is_lost_in_mid_picture_and_found_near_by_keeps_the_id() -> None:
    assert ids(Visit(1, 2.0, 5.0), Visit(2, 6.0, 8.0, box=lambda _: NEAR), Visit(3, 9.0, 10.0)) == [1]


@pytest.mark.parametrize(
    "second",
    [
        Visit(2, 7.25, 9.0),
        Visit(2, 6.0, 9.0, box=lambda _: FAR),
        Visit(2, 6.0, 9.0, "dog"),
        Visit(2, 6.0, 9.0, box=lambda _: Box(0.48, 0.48, 0.52, 0.52)),
        Visit(2, 4.5, 9.0, box=lambda _: NEAR),
    ],
    ids=["too late", "too far", "something else", "much smaller", "while the first is still there"],
)
def test_another_one_is_another(second: Visit) -> None:
    assert ids(Visit(1, 2.0, 5.0), second) == [1, 2]


def test_who_left_at_the_edge_has_left() -> None:
    """One goes out at the left, and a second later another one comes in there."""
    assert ids(Visit(1, 2.0, 5.0, box=lambda _: DOOR), Visit(2, 6.0, 8.0, box=lambda _: DOOR)) == [1, 2]


def test_a_walker_is_found_further_on() -> None:
    walk = sliding(0.1, 0.1, 2.0, 9.0)
    assert ids(Visit(1, 2.0, 5.0, box=walk), Visit(2, 6.0, 9.0, box=walk)) == [1]


def test_two_that_are_found_at_once_are_not_both_the_same() -> None:
    assert ids(Visit(1, 2.0, 5.0), Visit(2, 6.0, 8.0), Visit(3, 6.0, 8.0, box=lambda _: NEAR)) == [1, 3]


def test_nothing_is_bridged_where_nobody_wants_it() -> None:
    assert ids(Visit(1, 2.0, 5.0), Visit(2, 5.25, 8.0, box=lambda _: HERE), bridge_s=0.0) == [1, 2]
