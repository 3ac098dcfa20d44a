"""Blobs: things have edges and an outline of their own, light and holes have not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from scenes import Grey, crossing, wall

from segmenter.records import Box
from segmenter.vision.background import Background
from segmenter.vision.blobs import Blob, find_blobs, marked


def visited() -> Grey:
    return crossing(0, 1)(wall(), 0.5)


def seen(scene: Grey, picture: Grey, earlier: Grey | None = None) -> list[Blob]:
    background = Background([scene])
    before = background.compare(scene if earlier is None else earlier).relit
    return find_blobs(picture, background, background.compare(picture), before)[0]


def test_a_thing_is_one_valid_active_blob_where_it_is() -> None:
    (blob,) = seen(wall(), visited())
    assert blob.valid
    assert blob.active
    assert blob.outline > 1
    assert blob.box == pytest.approx(Box(73 / 160, 45 / 90, 87 / 160, 75 / 90), abs=0.04)


def test_the_same_thing_standing_is_valid_and_not_active() -> None:
    (blob,) = seen(wall(), visited(), earlier=visited())
    assert blob.valid
    assert not blob.active


def test_the_hole_that_something_leaves_is_not_valid() -> None:
    blobs = seen(visited(), wall())
    assert [blob.valid for blob in blobs] == [False]


@pytest.mark.parametrize("factor", [0.55, 1.5])
def test_a_shadow_and_a_spot_of_light_are_not_valid(factor: float) -> None:
    y, x = np.mgrid[:90, :160]
    amount = np.exp(-(((x - 80) / 25) ** 2) - ((y - 45) / 18) ** 2)
    blobs = seen(wall(), np.asarray(wall() * (1 + (factor - 1) * amount), np.float32))
    assert blobs
    assert not any(blob.valid for blob in blobs)


def test_specks_are_no_blobs() -> None:
    speckled = wall()
    cv2.circle(speckled, (50, 50), 1, 255, -1)
    assert seen(wall(), speckled) == []


def test_blobs_are_marked_in_the_picture() -> None:
    background, picture = Background([wall()]), visited()
    difference = background.compare(picture)
    blobs, labels = find_blobs(picture, background, difference, difference.relit)
    held, active = marked(blobs, labels)
    assert held[60, 80] == 1
    assert held[10, 10] == 0
    assert not active.any()
