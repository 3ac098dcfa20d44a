"""Zones and lines: what counts, who stays where and for how long, who goes over which line to which side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sightings import Visit, looks

from segmenter.records import Box, Event
from segmenter.settings import VisionSettings
from segmenter.vision.events import events
from segmenter.zoning import Line, Point, Zone, ZoneVisit

LEFT = Zone("left", ((0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0)))
RIGHT = Zone("right", ((0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.5, 1.0)))
YARD = Zone("yard", ((0.0, 0.5), (1.0, 0.5), (1.0, 1.0), (0.0, 1.0)))
GATE = Line("gate", (0.5, 1.0), (0.5, 0.0))  # upwards: its right side is the picture's right
STEP = 0.25


def standing_at(x: float, y: float, height: float = 0.2) -> Box:
    return Box(x - 0.05, y - height, x + 0.05, y)


def walking(*path: tuple[float, Point]) -> Callable[[float], Box]:
    """From place to place, each at its time, at a steady pace in between."""

    def box(time: float) -> Box:
        for (t0, p0), (t1, p1) in pairwise(path):
            if t0 <= time <= t1:
                share = (time - t0) / (t1 - t0)
                return standing_at(p0[0] + share * (p1[0] - p0[0]), p0[1] + share * (p1[1] - p0[1]))
        return standing_at(*path[-1][1])

    return box


def found(*visits: Visit, zones: tuple[Zone, ...] = (), lines: tuple[Line, ...] = (), duration: float = 20) -> tuple[Event, ...]:
    return events(looks(visits, duration, STEP), duration, replace(VisionSettings(), zones=zones, lines=lines))[0]


ACROSS = Visit(7, 2.0, 10.0, box=walking((2.0, (0.1, 0.8)), (10.0, (0.9, 0.8))))  # passes x = 0.5 at 6.0


def test_without_zones_everything_counts_and_nothing_is_told() -> None:
    (event,) = found(ACROSS)
    assert (event.zones, event.crossings) == ((), ())


def test_what_is_outside_all_zones_opens_no_event() -> None:
    above = Visit(1, 2, 8, box=lambda _: standing_at(0.5, 0.45))
    assert found(above, zones=(YARD,)) == ()
    assert len(found(above, zones=(YARD, LEFT))) == 1


def test_an_event_lasts_while_somebody_is_inside() -> None:
    (event,) = found(ACROSS, zones=(RIGHT,))
    assert (event.start, event.end) == (6.0, 10.0)


def test_each_stay_has_its_entry_and_exit() -> None:
    (event,) = found(ACROSS, zones=(LEFT, RIGHT, YARD))
    assert event.zones == (
        ZoneVisit("left", 1, 2.0, 6.25),
        ZoneVisit("yard", 1, 2.0, 10.0),
        ZoneVisit("right", 1, 6.0, 10.0),
    )
    assert {visit.track for visit in event.zones} == {track.id for track in event.tracks}


def test_who_comes_back_soon_has_not_left() -> None:
    """Out for less than hold_s is one stay; for longer, two."""
    there_and_back = walking((0, (0.4, 0.8)), (4.0, (0.4, 0.8)), (4.25, (0.6, 0.8)), (4.5, (0.6, 0.8)), (4.75, (0.4, 0.8)))
    longer = walking((0, (0.4, 0.8)), (4.0, (0.4, 0.8)), (4.25, (0.6, 0.8)), (7.0, (0.6, 0.8)), (7.25, (0.4, 0.8)))
    for box, stays in ((there_and_back, [(2.0, 10.0)]), (longer, [(2.0, 4.25), (7.25, 10.0)])):
        (event,) = found(Visit(1, 2, 10, box=box), zones=(LEFT, YARD))
        assert [(v.start, v.end) for v in event.zones if v.zone == "left"] == stays


@pytest.mark.parametrize(
    ("zone", "counts"),
    [
        (replace(YARD, labels=("person",)), True),
        (replace(YARD, labels=("car", "dog")), False),
        (replace(YARD, min_height=0.19), True),
        (replace(YARD, min_height=0.21), False),
    ],
)
def test_labels_and_a_least_size_belong_to_a_zone(zone: Zone, counts: bool) -> None:
    assert bool(found(ACROSS, zones=(zone,))) == counts


def test_a_shorter_stay_than_the_dwell_is_not_told() -> None:
    (event,) = found(ACROSS, zones=(replace(LEFT, dwell_s=4.25), replace(RIGHT, dwell_s=4.25)))
    assert [visit.zone for visit in event.zones] == ["left"]


@pytest.mark.parametrize(("line", "side"), [(GATE, "right"), (Line("gate", GATE.end, GATE.start), "left")])
def test_a_crossing_has_its_time_and_side(line: Line, side: str) -> None:
    (event,) = found(ACROSS, lines=(line,))
    (crossing,) = event.crossings
    assert (crossing.line, crossing.track, crossing.direction) == ("gate", 1, side)
    assert crossing.time == pytest.approx(6.0, abs=1e-6)


def test_who_goes_back_crosses_twice() -> None:
    there_and_back = walking((2, (0.2, 0.8)), (5, (0.8, 0.8)), (8, (0.2, 0.8)))
    (event,) = found(Visit(1, 2, 8, box=there_and_back), lines=(GATE,))
    assert [c.direction for c in event.crossings] == ["right", "left"]
    assert [c.time for c in event.crossings] == pytest.approx([3.5, 6.5], abs=1e-6)


def test_a_box_that_trembles_on_the_line_crosses_it_once_at_most() -> None:
    trembling = Visit(1, 2, 12, box=lambda t: standing_at(0.5 + (0.008 if round(t / STEP) % 2 else -0.008), 0.8))
    (event,) = found(trembling, lines=(GATE,))
    assert event.crossings == ()


def test_who_passes_beside_the_end_of_a_line_does_not_cross_it() -> None:
    (event,) = found(ACROSS, lines=(Line("short", (0.5, 0.5), (0.5, 0.0)),))
    assert event.crossings == ()


def test_a_line_may_ask_for_labels() -> None:
    (event,) = found(ACROSS, lines=(replace(GATE, labels=("car",)),))
    assert event.crossings == ()


def test_what_flickers_stays_nowhere() -> None:
    """One sighting confirms no track: its stay and crossing are not told of anybody's event."""
    flicker = Visit(9, 4.0, 4.25, box=lambda _: standing_at(0.1, 0.9))
    (event,) = found(ACROSS, flicker, zones=(YARD,))
    assert {visit.track for visit in event.zones} == {1}


def test_an_event_that_goes_on_in_a_next_one_takes_what_happened_in_its_time() -> None:
    settings = replace(VisionSettings(), zones=(YARD,), lines=(GATE,), max_event_s=3.0)
    parts = events(looks([ACROSS], 20, STEP), 20, settings)[0]
    assert len(parts) > 1
    for part in parts:
        (stay,) = part.zones
        assert (stay.start, stay.end) == (part.start, part.end)
        assert all(part.start <= crossing.time <= part.end for crossing in part.crossings)
    assert sum(len(part.crossings) for part in parts) == 1


@st.composite
def _walks(draw: st.DrawFn) -> Visit:
    start = draw(st.integers(0, 40)) * STEP
    places = draw(st.lists(st.tuples(st.floats(0.1, 0.9), st.floats(0.3, 0.9)), min_size=2, max_size=6))
    path = [(start + 2.0 * i, place) for i, place in enumerate(places)]
    return Visit(draw(st.integers(1, 3)), start, path[-1][0], box=walking(*path))


@given(_walks(), st.integers(1, 40))
def test_shifted_time_shifts_stays_and_crossings(walk: Visit, by: int) -> None:
    shift = by * STEP
    moved = replace(walk, start=walk.start + shift, end=walk.end + shift, box=lambda t: walk.box(t - shift))
    early, late = (found(v, zones=(LEFT, YARD), lines=(GATE,), duration=60) for v in (walk, moved))
    assert [_told(event, shift) for event in early] == [_told(event, 0) for event in late]


def _told(event: Event, by: float) -> tuple[object, ...]:
    stays = [(v.zone, v.track, round(v.start + by, 6), round(v.end + by, 6)) for v in event.zones]
    return stays, [(c.line, c.track, round(c.time + by, 6), c.direction) for c in event.crossings]


@given(_walks())
def test_stays_lie_inside_their_event_and_those_in_one_zone_are_disjoint(walk: Visit) -> None:
    for event in found(walk, zones=(LEFT, RIGHT), lines=(GATE,), duration=60):
        for stay in event.zones:
            assert event.start <= stay.start <= stay.end <= event.end
        for zone in ("left", "right"):
            stays = [stay for stay in event.zones if stay.zone == zone]
            assert all(a.end <= b.start for a, b in pairwise(stays))
        sides = [crossing.direction for crossing in event.crossings]
        assert all(a != b for a, b in pairwise(sides))
