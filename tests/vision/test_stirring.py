"""What never stirs is no visitor; who sits and stirs now and then is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from segmenter.media.frames import Frame
from segmenter.records import Box, Observation, Sighting
from segmenter.vision.stirring import LEAST_SHARE, WITHIN_S, Stirring, shares_changed

HERE = Box(0.4, 0.4, 0.6, 0.9)
PERSON, CAR = Sighting(1, "person", 0.9, HERE), Sighting(2, "car", 0.9, Box(0.0, 0.1, 0.3, 0.3))
Painter = Callable[[float], NDArray[np.uint8]]

RANDOM = np.random.default_rng(3)
SCENE = RANDOM.integers(40, 200, (180, 320)).astype(np.uint8)


def still(time: float) -> NDArray[np.uint8]:  # noqa: ARG001
    return SCENE


def nodding(at: Iterable[float]) -> Painter:
    """A head that is elsewhere for half a second from each of these times on."""
    times = list(at)

    def paint(time: float) -> NDArray[np.uint8]:
        picture = SCENE.copy()
        if any(0 <= time - when < 0.5 for when in times):
            picture[72:92, 140:180] = 220  # a seventh of the box
        return picture

    return paint


def raining(time: float) -> NDArray[np.uint8]:
    """One pixel in ten is lit up, everywhere and in each picture anew."""
    drops = np.random.default_rng(round(time * 10)).random(SCENE.shape) < 0.1
    return np.where(drops, 255, SCENE).astype(np.uint8)


def left(paint: Painter, seconds: float, sightings: tuple[Sighting, ...] = (PERSON,), step: float = 0.2) -> list[Observation]:
    """What is left of `sightings`, seen in every picture."""
    stirring = Stirring(exempt=("car",))
    out: list[Observation] = []
    for i in range(round(seconds / step)):
        time = round(i * step, 3)
        grey = paint(time)
        stirring.look(Frame(time, np.repeat(grey[:, :, None], 3, axis=2)))
        out += stirring.weigh(Observation(time, sightings))
    return [*out, *stirring.rest()]


def times(observations: list[Observation]) -> list[float]:
    return [o.time for o in observations if any(s.label == "person" for s in o.sightings)]


def test_what_never_stirs_does_not_count_and_every_observation_comes_out() -> None:
    observations = left(still, 6.0)
    assert [o.time for o in observations] == [round(i * 0.2, 3) for i in range(30)]
    assert times(observations) == []


def test_who_nods_counts_some_time_before_and_after() -> None:
    counted = times(left(nodding([20.0]), 60.0))
    assert counted[0] == pytest.approx(20.0 - WITHIN_S, abs=0.5)
    assert counted[-1] == pytest.approx(21.0 + WITHIN_S, abs=0.5)
    assert len(counted) == round((counted[-1] - counted[0]) / 0.2) + 1


def test_who_nods_every_few_seconds_counts_from_the_first_picture_to_the_last() -> None:
    assert len(times(left(nodding(range(2, 40, 9)), 40.0))) == 200


def test_rain_over_everything_is_no_stirring() -> None:
    assert times(left(raining, 6.0)) == []


def test_a_lamp_that_goes_on_is_no_stirring() -> None:
    assert times(left(lambda time: SCENE + np.uint8(20 if time >= 3.0 else 0), 6.0)) == []


def test_a_moving_camera_leaves_everything_in() -> None:
    """The whole scene goes by: nothing can be said of what is in the boxes."""
    panned = left(lambda time: np.roll(SCENE, round(20 * time), axis=1), 4.0)
    assert len(times(panned)) == 20


def test_vehicles_are_judged_by_others() -> None:
    assert all(o.sightings == (CAR,) for o in left(still, 3.0, (PERSON, CAR)))


def test_where_pictures_come_slowly_the_nearest_few_are_enough() -> None:
    """One picture in 30 s, and in each the visitor sits differently."""
    counted = times(left(nodding([0.0, 60.0, 120.0]), 180.0, step=30.0))
    assert counted == [0.0, 30.0, 60.0, 90.0, 120.0, 150.0]


def test_a_share_is_of_the_box_and_beyond_that_elsewhere() -> None:
    before = np.zeros((100, 100), np.int16)
    now = before.copy()
    now[20:30, 20:40] = 50  # half of the box
    now[80:90, 0:96] = 50  # a tenth of the rest
    assert shares_changed(before, now, [Box(0.2, 0.2, 0.4, 0.4)]) == [pytest.approx(0.4)]


@given(st.integers(-40, 40), st.floats(0, 0.99), st.floats(0, 0.99))
def test_no_box_stirs_by_a_change_of_light(step: int, left: float, top: float) -> None:
    before = SCENE.astype(np.int16)
    box = Box(left, top, 1.0, 1.0)
    assert shares_changed(before, before + step, [box])[0] < LEAST_SHARE
