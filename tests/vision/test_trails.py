"""Trails: who is followed, and who counts as a visitor."""

from __future__ import annotations

from dataclasses import replace

import pytest

from segmenter.records import Box
from segmenter.vision.blobs import Blob
from segmenter.vision.trails import LINK_S, Place, Trail, Trails, is_visitor

LEAST_S = 0.4


def blob(x: float, y: float = 0.5, *, active: bool = True, outline: float = 2.0, size: float = 0.1) -> Blob:
    box = Box(x - size / 2, y - size / 2, x + size / 2, y + size / 2)
    return Blob(box, activity=0.5 if active else 0.0, evidence=0.6, outline=outline)


def places(*xs: float, step: float = 0.1, outline: float = 2.0, size: float = 0.1) -> list[Place]:
    return [Place.of(i * step, blob(x, outline=outline, size=size)) for i, x in enumerate(xs)]


WALK = [0.2 + 0.02 * i for i in range(10)]


def test_who_comes_from_elsewhere_and_travels_is_a_visitor() -> None:
    assert is_visitor(places(*WALK), LEAST_S)


@pytest.mark.parametrize(
    "unlike",
    [
        places(*WALK[:2], step=0.5),  # two hits only
        places(*WALK, step=0.03),  # too short
        places(*[0.5 + 0.01 * (i % 2) for i in range(50)]),  # on the spot
        places(*[0.5] * 40, 0.9),  # one slip of the box
        places(*WALK, size=0.8),  # large, and moves by a fifth of itself: it swings
        places(*WALK, outline=0.95),  # was there all the time
    ],
)
def test_what_only_flashes_swings_or_was_always_there_is_none(unlike: list[Place]) -> None:
    assert not is_visitor(unlike, LEAST_S)


def followed(trails: Trails, steps: list[tuple[float, list[Blob]]]) -> list[list[Trail]]:
    return [[trail for trail, _ in trails.follow(time, blobs)] for time, blobs in steps]


def test_one_thing_is_one_trail_and_two_are_two() -> None:
    steps = [(i / 10, [blob(x), blob(1 - x, 0.9)]) for i, x in enumerate(WALK)]
    trails = followed(Trails(LEAST_S), steps)
    assert all(set(now) == set(trails[0]) for now in trails)
    assert len(set(trails[0])) == 2
    assert all(trail.visitor for trail in trails[0])


def test_a_trail_survives_a_short_loss_and_not_a_long_one() -> None:
    first, short, long = followed(Trails(LEAST_S), [(0, [blob(0.5)]), (LINK_S, [blob(0.5)]), (2.5 * LINK_S, [blob(0.5)])])
    assert first == short
    assert short != long


def test_what_does_not_move_begins_no_trail_and_what_is_no_thing_is_not_followed() -> None:
    assert followed(Trails(LEAST_S), [(0, [blob(0.5, active=False)]), (0.1, [replace(blob(0.5), evidence=0.05)])]) == [[], []]


def test_a_stand_counts_once_a_move_follows() -> None:
    trails = Trails(LEAST_S)
    steps = [(i / 10, [blob(x)]) for i, x in enumerate(WALK)] + [(1 + i / 2, [blob(WALK[-1], active=False)]) for i in range(6)]
    trail = followed(trails, steps)[0][0]
    assert [trail.counts(time) for time in (0.0, 0.9, 2.0)] == [True, True, False]
    trails.follow(3.6, [blob(WALK[-1])])
    assert trail.counts(2.0)


def test_who_stands_when_the_recording_ends_was_there_until_then() -> None:
    trails = Trails(LEAST_S)
    steps = [(i / 10, [blob(x)]) for i, x in enumerate(WALK)] + [(1.2, [blob(WALK[-1], active=False)])]
    trail = followed(trails, steps)[0][0]
    trails.finish()
    assert trail.counts(1.2)
