"""Times matched one to one within a tolerance."""

from __future__ import annotations

import pytest

from segmenter.evaluate.times import score


@pytest.mark.parametrize(
    ("found", "true", "matched"),
    [
        ([], [], 0),
        ([10.0], [16.0], 1),
        ([10.0], [16.01], 0),
        ([10.0, 11.0], [12.0], 1),
        ([14.0, 20.0], [10.0, 15.0], 2),
        ([1.0, 9.0, 30.0], [4.0, 8.0], 2),
    ],
)
def test_each_time_is_matched_once(found: list[float], true: list[float], matched: int) -> None:
    assert score(found, true, within=6).matched == matched


def test_f1() -> None:
    assert score([], [], 6).f1 == 1
    assert score([1.0], [], 6).f1 == 0
    assert score([1.0, 50.0, 90.0], [2.0], 6).f1 == pytest.approx(0.5)
