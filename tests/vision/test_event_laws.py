"""What holds for events whatever is seen: with random visits that move, stand, flicker, get lost and are found again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sightings import Visit, looks, sliding

from segmenter.records import Box, Event, Observation, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.events import EventWatch, events

DURATION, STEP = 20.0, 0.25
PATIENCE = VisionSettings(bridge_s=3.0, merge_gap_s=1.5, stationary_s=3.0, max_event_s=8.0)
settings = st.sampled_from([VisionSettings(), PATIENCE, VisionSettings(hold_s=0.5, min_event_s=0, only_moving=())])


@st.composite
def seen(draw: st.DrawFn) -> list[Observation]:
    """Looks at up to eight things that come, move or stand, are missed in some looks, and go."""
    visits = []
    for track in range(1, draw(st.integers(0, 8)) + 1):
        start = draw(st.integers(0, 72)) / 4
        end = min(DURATION, start + draw(st.integers(1, 60)) / 4)
        speed = draw(st.sampled_from([0.0, 0.0, 0.05, 0.2])) * draw(st.sampled_from([-1, 1]))
        box = clipped(sliding(draw(st.integers(0, 4)) / 5, speed, start, end))
        visits.append(Visit(track, start, end, draw(st.sampled_from(["person", "dog", "car"])), box=box))
    random = Random(draw(st.integers(0, 2**32)))
    missed = draw(st.sampled_from([0.0, 0.3, 0.8]))
    return [
        Observation(o.time, tuple(s for s in o.sightings if random.random() >= missed)) for o in looks(visits, DURATION, STEP)
    ]


def clipped(box: Callable[[float], Box]) -> Callable[[float], Box]:
    return lambda time: Box(*(min(1.0, max(0.0, edge)) for edge in box(time)))


def spans(found: tuple[Event, ...] | list[Event]) -> list[tuple[float, float]]:
    return [(event.start, event.end) for event in found]


def shifted(observations: list[Observation], by: float) -> list[Observation]:
    return [Observation(o.time + by, o.sightings) for o in observations]


@given(seen(), settings)
def test_events_are_disjoint_ordered_and_closed_inside_the_recording(them: list[Observation], how: VisionSettings) -> None:
    found, _ = events(them, DURATION, how)
    assert [event.id for event in found] == list(range(1, len(found) + 1))
    assert all(0 <= event.start < event.end <= DURATION for event in found)
    assert all(before.end <= after.start for before, after in pairwise(found))
    assert all(event.end - event.start <= how.max_event_s + 1e-6 for event in found)
    assert all(event.continues in (None, event.id - 1) for event in found)


@given(seen(), settings)
def test_tracks_fill_their_event_and_moved_and_stood_fill_the_track(them: list[Observation], how: VisionSettings) -> None:
    for event in events(them, DURATION, how)[0]:
        assert event.start == min(track.start for track in event.tracks)
        assert event.end == max(track.end for track in event.tracks)
        for track in event.tracks:
            assert track.moved >= 0
            assert track.stood >= 0
            assert track.moved + track.stood == pytest.approx(track.end - track.start)
            assert track.start <= track.best.time < track.end


@given(seen(), settings)
def test_one_by_one_gives_the_same_events_as_all_at_once_each_within_the_promised_delay(
    them: list[Observation], how: VisionSettings
) -> None:
    watch, told = EventWatch(how), list[Event]()
    for observation in them:
        for event in watch.see(observation):
            assert observation.time - event.end <= watch.delay_s + 2 * STEP
            told.append(event)
    assert (*told, *watch.finish(DURATION)) == events(them, DURATION, how)[0]


@given(seen(), settings)
def test_what_is_told_before_an_event_ends_stays_true(them: list[Observation], how: VisionSettings) -> None:
    """No event begins before `decided_until` but the one that is open, which only grows."""
    watch, told = EventWatch(how), list[tuple[float, float, float | None]]()
    for observation in them:
        for event in watch.see(observation):
            assert all(start == event.start or until <= event.start for start, until, _ in told)
            assert all(start != event.start or (end or 0) <= event.end for start, _, end in told)
            told.clear()
        span = watch.open
        told.append((-1.0 if span is None else span.start, watch.decided_until, None if span is None else span.end))
    for event in watch.finish(DURATION):
        assert all(start == event.start or until <= event.start for start, until, _ in told)
        told.clear()


@given(seen(), settings, st.integers(1, 400).map(lambda i: i / 8))
def test_shifted_time_shifts_the_events(them: list[Observation], how: VisionSettings, by: float) -> None:
    still, later = events(them, DURATION, how)[0], events(shifted(them, by), DURATION + by, how)[0]
    assert [(start + by, end + by) for start, end in spans(still)] == spans(later)
    assert [[track.moved for track in event.tracks] for event in still] == [[t.moved for t in event.tracks] for event in later]


@given(seen(), seen(), settings)
def test_cut_at_an_empty_moment_and_joined_the_events_are_the_same(
    one: list[Observation], two: list[Observation], how: VisionSettings
) -> None:
    """Between the two recordings nobody is in view for longer than any patience."""
    empty = [Observation(DURATION + i * STEP) for i in range(60)]
    start = DURATION + 15.0
    other = [replace(o, sightings=tuple(replace(s, track=s.track + 100) for s in o.sightings)) for o in two]
    joined = events([*one, *empty, *shifted(other, start)], start + DURATION, how)[0]
    assert spans(joined) == [
        *spans(events([*one, *empty], start, how)[0]),
        *((a + start, b + start) for a, b in spans(events(two, DURATION, how)[0])),
    ]


@given(seen(), seen(), settings)
def test_a_recording_before_leaves_no_trace(one: list[Observation], two: list[Observation], how: VisionSettings) -> None:
    alone = events(two, DURATION, how)
    events(one, DURATION, how)
    assert events(two, DURATION, how) == alone


@given(seen(), st.integers(0, 2**80 - 1), settings)
def test_added_empty_looks_change_nothing_beyond_one_step(them: list[Observation], after: int, how: VisionSettings) -> None:
    """Empty looks come after those of the 80 whose bit is set; only the stretch of a last sighting gets shorter."""
    how = replace(how, min_event_s=0, merge_gap_s=0, max_event_s=3600)
    extra = [Observation(o.time + STEP / 2) for i, o in enumerate(them) if after >> i & 1]
    more = sorted([*them, *extra], key=lambda o: o.time)
    for a, b in zip(*(events(o, DURATION, how)[0] for o in (them, more)), strict=True):
        assert a.start == b.start
        assert 0 <= a.end - b.end <= STEP


@given(st.lists(st.booleans(), min_size=80, max_size=80), st.integers(0, 2**32), st.integers(1, 12), settings)
def test_what_stands_still_never_opens_however_it_flickers(
    shown: list[bool], seed: int, lost_after: int, how: VisionSettings
) -> None:
    """A parked car, trembling as boxes of parked cars do, lost and found under ever new ids."""
    how = replace(how, only_moving=("car",))
    random = Random(seed)
    boxes = [trembling(random, 1 + i // lost_after) for i in range(len(shown))]
    flickering = [Observation(i * STEP, (box,) if here else ()) for i, (box, here) in enumerate(zip(boxes, shown, strict=True))]
    assert events(flickering, DURATION, how)[0] == ()


def trembling(random: Random, track: int) -> Sighting:
    dx, dy = random.uniform(-0.004, 0.004), random.uniform(-0.004, 0.004)
    return Sighting(track, "car", 0.9, Box(0.4 + dx, 0.4 + dy, 0.6 + dx, 0.6 + dy))
