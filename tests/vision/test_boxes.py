"""What two boxes have in common."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.records import Box
from segmenter.vision.boxes import area, likeness, shared, touches

sides = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted)
boxes = st.builds(lambda x, y: Box(x[0], y[0], x[1], y[1]), sides, sides)


def test_half_covered_boxes() -> None:
    left, right = Box(0.0, 0.0, 0.4, 0.5), Box(0.2, 0.0, 0.6, 0.5)
    assert area(left) == pytest.approx(0.2)
    assert shared(left, right) == pytest.approx(0.1)
    assert likeness(left, right) == pytest.approx(1 / 3)
    assert touches(left, [right])


def test_neighbours_side_by_side_do_not_touch() -> None:
    assert not touches(Box(0.0, 0.0, 0.5, 1.0), [Box(0.5, 0.0, 1.0, 1.0)])


@given(boxes, boxes)
def test_likeness_is_a_share_and_the_same_both_ways(a: Box, b: Box) -> None:
    assert 0 <= likeness(a, b) <= 1 + 1e-9
    assert likeness(a, b) == pytest.approx(likeness(b, a))
    assert shared(a, b) <= min(area(a), area(b)) + 1e-12
