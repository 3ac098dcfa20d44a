"""Small grey pictures: shake and specks taken out, the rest left alone."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
import pytest
from scenes import Grey, filmed, wall

from segmenter.media.frames import Frame
from segmenter.vision.steady import SIZE_PX, Still, aligned, small_grey, without_specks


def stills(pictures: Iterable[Grey]) -> list[Still]:
    """One a second."""
    return [Still(float(i), partial(np.copy, picture)) for i, picture in enumerate(pictures)]


def inner(picture: Grey) -> Grey:
    """Without the rim that comes into view when the camera moves."""
    return picture[10:-10, 10:-10]


@pytest.mark.parametrize("shift", [(1, 0), (-3, 2), (5, -6)])
def test_a_moved_camera_is_moved_back(shift: tuple[int, int]) -> None:
    still = wall()
    first, second = aligned(stills([still, np.roll(still, shift, (0, 1))]))
    assert np.abs(inner(second.picture - first.picture)).mean() < 1


def test_the_given_pictures_stay_as_they_were() -> None:
    pictures = [wall(), np.roll(wall(), 2, 1)]
    before = [picture.copy() for picture in pictures]
    [found.picture for found in aligned([Still(float(i), partial(np.asarray, p)) for i, p in enumerate(pictures)])]
    assert all(np.array_equal(a, b) for a, b in zip(pictures, before, strict=True))


def test_something_large_that_passes_does_not_take_the_scene_along() -> None:
    still, van = wall(), wall(seed=9)
    pictures = [still.copy() for _ in range(20)]
    for i, picture in enumerate(pictures):
        picture[20:80, 4 * i : 4 * i + 70] = van[20:80, :70]
    for found, given in zip(aligned(stills(pictures)), pictures, strict=True):
        assert np.abs(found.picture - given).max() == 0


def test_a_speck_of_one_picture_is_gone_and_what_stays_for_two_is_there() -> None:
    pictures = [np.full((9, 9), 50, np.float32) for _ in range(6)]
    pictures[1][2, 2] = 200
    pictures[3][6, 6] = pictures[4][6, 6] = 200
    levels = [still.picture for still in without_specks(stills(pictures))]
    assert [round(float(p[2, 2])) for p in levels] == [50] * 6
    assert [float(p[6, 6]) > 60 for p in levels] == [False, False, False, True, True, False]


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_no_picture_is_lost_or_added(count: int) -> None:
    assert [still.time for still in without_specks(aligned(stills(wall() for _ in range(count))))] == list(range(count))


def test_pictures_keep_their_proportions_and_the_size_of_the_first() -> None:
    frames = [Frame(0.0, np.zeros((720, 1280, 3), np.uint8)), Frame(0.1, np.zeros((1080, 1440, 3), np.uint8))]
    assert [still.picture.shape for still in small_grey(frames)] == [(90, SIZE_PX), (90, SIZE_PX)]


def test_small_pictures_are_not_blown_up() -> None:
    (still,) = small_grey([Frame(0.0, np.zeros((40, 60, 3), np.uint8))])
    assert still.picture.shape == (40, 60)


def test_levels_are_those_of_the_picture() -> None:
    (still,) = small_grey(filmed(seconds=0.1, noise=0))
    assert np.abs(still.picture - wall()).max() <= 1
