"""When the detector is called: often where something happens, seldom where nothing does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from segmenter.records import Box, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.blobs import Blob
from segmenter.vision.gate import DullPlaces, Gate
from segmenter.vision.trails import Trail

SETTINGS = VisionSettings()
HERE, THERE = Box(0.1, 0.4, 0.2, 0.7), Box(0.6, 0.4, 0.7, 0.7)
MOVES, STANDS = Blob(HERE, 0.5, 0.5, 2.0), Blob(HERE, 0.0, 0.5, 2.0)
VISITOR = Trail(HERE, 0.0, 0.0, 0.0, visitor=True)
NEW = Trail(HERE, 0.0, 0.0, 0.0)


def looks(
    seconds: float,
    moving: Callable[[float], list[tuple[Trail, Blob]]] = lambda _: [],
    seen: Callable[[float], list[tuple[str, Box]]] = lambda _: [],
    settings: VisionSettings = SETTINGS,
) -> list[float]:
    """When the gate looks at ten pictures a second; tracks are numbered by their place in what is `seen`."""
    gate, times = Gate(settings), []
    for time in (i / 10 for i in range(round(10 * seconds))):
        if gate.wants(time, moving(time)):
            times.append(time)
            gate.saw(time, tuple(Sighting(i, label, 0.9, box) for i, (label, box) in enumerate(seen(time))))
    return times


def count(times: list[float], start: float, end: float) -> int:
    return sum(start <= time < end for time in times)


def from_to(start: float, end: float, *pairs: tuple[Trail, Blob]) -> Callable[[float], list[tuple[Trail, Blob]]]:
    return lambda time: list(pairs) if start <= time < end else []


def test_an_empty_scene_is_looked_at_every_ten_seconds() -> None:
    assert looks(60) == [0, 10, 20, 30, 40, 50]


def test_what_stands_is_no_reason_to_look() -> None:
    assert looks(20, moving=from_to(0, 20, (VISITOR, STANDS))) == [0, 10]


def test_what_moves_is_looked_at_five_times_a_second_until_a_moment_after() -> None:
    times = looks(30, moving=from_to(12, 15, (VISITOR, MOVES)))
    assert count(times, 12, 16) == 20
    assert count(times, 17, 20) == 3  # who stands still may go on
    assert times[times.index(10) + 1] == 12


def test_who_is_known_is_only_followed() -> None:
    times = looks(20, from_to(5, 20, (VISITOR, MOVES)), seen=lambda time: [("person", HERE)] if time >= 5 else [])
    assert count(times, 5, 6) == 5
    assert count(times, 10, 20) == 25


def test_something_else_that_moves_is_looked_at_closely() -> None:
    both = [(VISITOR, MOVES), (replace(VISITOR, box=THERE), replace(MOVES, box=THERE))]
    times = looks(20, lambda time: both if time >= 10 else both[:1], seen=lambda _: [("person", HERE)])
    assert count(times, 10, 20) == 50


def test_who_sits_still_is_looked_at_every_second_and_closely_when_lost() -> None:
    times = looks(40, seen=lambda time: [("person", HERE)] if time < 20 else [])
    assert count(times, 5, 20) == 15
    assert count(times, 20, 21) == 5
    assert count(times, 22, 40) <= 2


def test_a_branch_that_sways_is_looked_at_less_and_less() -> None:
    times = looks(60, moving=from_to(0, 60, (NEW, MOVES)))
    assert count(times, 0, 3) == 15
    assert count(times, 10, 60) <= 50


def test_who_walks_before_the_branch_is_looked_at_closely() -> None:
    times = looks(30, lambda time: [(VISITOR if time >= 20 else NEW, MOVES)])
    assert count(times, 20, 30) == 50


def test_the_wind_is_forgotten() -> None:
    times = looks(300, moving=lambda time: [(NEW, MOVES)] if time < 10 or time >= 280 else [])
    assert count(times, 280, 282) == 10


def test_a_parked_car_is_no_reason_to_look() -> None:
    assert looks(30, seen=lambda _: [("car", HERE)]) == [0, 10, 20]


def test_without_the_gate_every_step_is_looked_at() -> None:
    assert len(looks(10, settings=replace(SETTINGS, gate=False))) == 50


@pytest.mark.parametrize("every_s", [0.7, 1.0, 30.0])
def test_pictures_that_come_slowly_are_all_looked_at(every_s: float) -> None:
    gate = Gate(SETTINGS)
    for i in range(20):
        assert gate.wants(i * every_s, [])
        gate.saw(i * every_s, ())


def test_a_slower_rate_is_never_exceeded() -> None:
    assert len(looks(10, from_to(0, 10, (VISITOR, MOVES)), settings=replace(SETTINGS, rate_hz=2.0))) == 20


def test_places_at_the_edge_of_the_picture_are_places() -> None:
    places = DullPlaces()
    for i in range(5):
        places.note(float(i), [Box(0.99, 0.99, 1.0, 1.0), Box(0.0, 0.0, 0.01, 0.01)])
    assert places.holds(Box(1.0, 1.0, 1.0, 1.0))
    assert places.holds(Box(0.0, 0.0, 0.05, 0.1))
    assert not places.holds(Box(0.4, 0.4, 0.6, 0.6))
