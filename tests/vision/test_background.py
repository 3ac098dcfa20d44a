"""The remembered scene: its light, its noise, and what it takes over."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scenes import Grey, wall

from segmenter.vision.background import ABSORB_S, NOISE_LEVELS, Background, Mask, fit_light


def noisy(sigma: float, count: int = 20) -> list[Grey]:
    rng = np.random.default_rng(3)
    return [wall() + rng.normal(0, sigma, wall().shape).astype(np.float32) for _ in range(count)]


def mask(value: int) -> Mask:
    return np.full(wall().shape, value, np.uint8)


def with_box() -> tuple[Grey, tuple[slice, slice]]:
    """The wall with something dark before it, and where that is."""
    picture, where = wall(), (slice(30, 60), slice(60, 90))
    picture[where] = 10
    return picture, where


def after(background: Background, picture: Grey, seconds: float, held: int, active: int = 0) -> Background:
    """The background when it has looked at `picture` for `seconds`."""
    for _ in range(round(seconds / 0.1)):
        background.learn(picture, background.compare(picture), mask(held), mask(active), 0.1)
    return background


@pytest.mark.parametrize(("gain", "offset"), [(1.0, 0.0), (1.0, 25.0), (1.4, 0.0), (0.5, -5.0)])
def test_the_light_is_found_beside_a_visitor_who_covers_a_third(gain: float, offset: float) -> None:
    lit = gain * wall() + offset
    lit[20:80, 30:110] = 20
    assert fit_light(wall(), lit) == pytest.approx((gain, offset), abs=0.02 + 0.05 * abs(offset))


def test_only_the_visitor_stands_out_when_the_light_changes() -> None:
    lit = 0.7 * wall() + 30
    lit[30:60, 70:90] = 250
    foreground = Background([wall()] * 3).compare(lit).foreground
    assert foreground[30:60, 70:90].all()
    foreground[30:60, 70:90] = 0
    assert not foreground.any()


def test_the_scene_is_what_was_there_for_the_greater_part() -> None:
    pictures = [wall() for _ in range(9)]
    for picture in pictures[:4]:
        picture[10:50, 10:50] = 0
    assert np.array_equal(Background(pictures).scene, wall())


def test_noise_is_measured_in_levels() -> None:
    assert float(np.median(Background(noisy(5.0)).noise)) == pytest.approx(5.0, abs=0.6)
    assert float(Background(noisy(0.0)).noise.max()) == pytest.approx(NOISE_LEVELS[0])


def test_the_bare_scene_is_followed() -> None:
    background = after(Background([wall()]), wall() + 9, 30, held=0)
    assert np.abs(background.scene - wall() - 9).max() < 1


def test_a_visitor_is_not_learnt_until_he_has_not_stirred_for_long() -> None:
    changed, unlike = with_box()
    standing = after(Background([wall()]), changed, ABSORB_S - 1, held=1)
    assert np.abs(standing.compare(changed).residual)[unlike].mean() > 40
    parked = after(standing, changed, 7, held=1)
    assert np.abs(parked.compare(changed).residual)[unlike].mean() < 2


def test_who_stirs_is_never_learnt() -> None:
    changed, unlike = with_box()
    background = after(Background([wall()]), changed, 3 * ABSORB_S, held=1, active=1)
    assert np.abs(background.compare(changed).residual)[unlike].mean() > 40


def test_floors_shrink_in_the_dark_to_less_than_a_third_but_not_with_contrast() -> None:
    def floor(scene: NDArray[np.floating]) -> float:
        return float(Background([np.asarray(scene, np.float32)]).threshold(10, 0).max())

    assert floor(wall()) == 10
    assert floor(np.full_like(wall(), 140)) == 10
    assert floor(wall() / 8) == pytest.approx(3)
