"""Detections to tracks: which detections are one thing, and the laws of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.records import Box, Sighting
from segmenter.vision.association import GAP_S, Association
from segmenter.vision.detector import Detection

Look = tuple[float, list[Detection]]


def at(x: float, y: float = 0.5, width: float = 0.06, height: float = 0.2, label: str = "person", sure: float = 0.8) -> Detection:
    """A detection around the middle (x, y), cut by the picture's edges."""
    left, top = max(0.0, x - width / 2), max(0.0, y - height / 2)
    return Detection(label, sure, Box(left, top, min(1.0, x + width / 2), min(1.0, y + height / 2)))


def tracks(looks: Iterable[Look], aspect: float = 1.0) -> list[list[int]]:
    """The tracks of each look's sightings, the surest first."""
    association = Association(aspect=aspect)
    return [[sighting.track for sighting in association.update(time, seen)] for time, seen in looks]


def every(step: float, until: float) -> Iterator[float]:
    return takewhile(lambda time: time < until - 1e-9, (round(i * step, 6) for i in count()))


def test_a_walker_whose_boxes_do_not_overlap_from_look_to_look_is_one_track() -> None:
    """At 5 looks a second a walker seen from the side moves by more than its own width."""
    assert tracks((t, [at(0.1 + 0.4 * t)]) for t in every(0.2, 2.0)) == [[1]] * 10


def test_two_who_cross_keep_their_tracks() -> None:
    """Where they meet, both stand for either: the way they went decides."""
    looks = [(t, [at(0.2 + 0.3 * t, sure=0.9), at(0.8 - 0.3 * t, sure=0.8)]) for t in every(0.2, 2.0)]
    assert tracks(looks) == [[1, 2]] * 10


def test_a_weak_detection_prolongs_a_track_and_starts_none() -> None:
    weak, sure = at(0.5, sure=0.15), at(0.5, sure=0.25)
    assert tracks([(0.0, [weak]), (0.2, [sure]), (0.4, [weak])]) == [[], [1], [1]]


def test_labels_of_one_kind_may_change_in_a_track_and_others_not() -> None:
    car, truck, person = (at(0.5, label=label) for label in ("car", "truck", "person"))
    assert tracks([(0.0, [car]), (0.2, [truck]), (0.4, [person]), (0.6, [car])]) == [[1], [1], [2], [1]]


def test_a_label_of_no_kind_is_followed_by_itself() -> None:
    boat, car = at(0.5, label="boat"), at(0.5, label="car")
    assert tracks([(0.0, [boat]), (0.2, [boat]), (0.4, [car])]) == [[1], [1], [2]]


def test_two_names_for_one_thing_are_one_sighting_with_the_surer_name() -> None:
    van = [at(0.5, width=0.3, label="truck", sure=0.4), at(0.51, width=0.3, label="car", sure=0.7)]
    assert [(s.label, s.confidence) for s in Association().update(0.0, van)] == [("car", 0.7)]


def test_a_rider_and_the_bicycle_are_two() -> None:
    riding = [at(0.5, label="person", sure=0.9), at(0.5, 0.52, label="bicycle", sure=0.6)]
    assert [s.label for s in Association().update(0.0, riding)] == ["person", "bicycle"]


@pytest.mark.parametrize(("away_s", "track"), [(GAP_S, 1), (GAP_S + 0.1, 2)])
def test_what_is_lost_is_found_again_within_seconds(away_s: float, track: int) -> None:
    assert tracks([(0.0, [at(0.5)]), (0.2, [at(0.5)]), (0.2 + away_s, [at(0.5)])])[-1] == [track]


def test_what_comes_back_elsewhere_is_another() -> None:
    assert tracks([(0.0, [at(0.2)]), (0.2, [at(0.2)]), (1.2, [at(0.7)])])[-1] == [2]


def test_who_passes_a_thing_that_stands_does_not_take_it_along() -> None:
    """The standing thing is not seen while somebody walks past it, as near as the thing is large."""
    bag = at(0.5, 0.8, width=0.3, height=0.3)
    waiting = [(t, [bag]) for t in every(0.2, 2.0)]
    passing = [(2.0 + t, [at(0.2 + 0.3 * t, 0.65, width=0.2, height=0.6)]) for t in every(0.2, 1.6)]
    after = [(3.6, [bag])]
    assert tracks([*waiting, *passing, *after]) == [[1]] * 10 + [[2]] * 8 + [[1]]


def test_who_came_and_stood_and_walks_on_keeps_the_track() -> None:
    """Looks lie 0.4 s apart where all is known: the first step leads out of the place that was kept."""
    coming = [(t, [at(0.2 + 0.2 * t, width=0.1)]) for t in every(0.2, 1.0)]
    standing = [(1.0 + t, [at(0.4, width=0.1)]) for t in every(0.4, 2.8)]
    leaving = [(3.8 + t, [at(0.5 + 0.25 * t, width=0.1)]) for t in every(0.4, 1.6)]
    assert tracks([*coming, *standing, *leaving]) == [[1]] * (5 + 7 + 4)


def test_distances_count_the_same_in_both_directions_of_a_wide_picture() -> None:
    """Half a diagonal in 0.05 s is too far; a picture three times as wide as high makes the sideways step so."""
    step = [(0.0, [at(0.3, width=0.1, height=0.3)]), (0.05, [at(0.42, width=0.1, height=0.3)])]
    assert tracks(step, aspect=1.0)[-1] == [1]
    assert tracks(step, aspect=4.0)[-1] == [2]


def test_the_closest_are_joined_rather_than_the_most() -> None:
    """One leaves and one comes: the one who stays keeps the track, though two poorer pairs would be possible."""
    before = [at(0.50, width=0.1), at(0.60, width=0.1)]
    after = [at(0.60, width=0.1), at(0.70, width=0.1)]
    first, then = tracks([(0.0, before), (0.5, after)])
    assert then[0] == first[1]


# --- laws ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Walker:
    """One thing in a lane of its own, at an even pace."""

    lane: int
    start_ms: int
    length_ms: int
    from_x: float
    per_second: float

    def at(self, time_ms: int) -> Detection | None:
        if not self.start_ms <= time_ms < self.start_ms + self.length_ms:
            return None
        x = self.from_x + self.per_second * (time_ms - self.start_ms) / 1000
        return at(x, 0.1 + 0.2 * self.lane, height=0.1) if 0.04 < x < 0.96 else None


def walkers() -> st.SearchStrategy[list[Walker]]:
    one = st.builds(
        Walker,
        lane=st.integers(0, 4),
        start_ms=st.integers(0, 3000),
        length_ms=st.integers(400, 5000),
        from_x=st.floats(0.1, 0.9),
        per_second=st.floats(-0.15, 0.15),  # up to 1.3 of its own diagonal: a brisk walk
    )
    return st.lists(one, max_size=5, unique_by=lambda walker: walker.lane)


def seen(scene: list[Walker], step_ms: int, shift_ms: int = 0) -> list[tuple[Sighting, ...]]:
    association = Association()
    looks = []
    for time_ms in range(0, 8000, step_ms):
        there = [detection for walker in scene if (detection := walker.at(time_ms))]
        looks.append(association.update((time_ms + shift_ms) / 1000, there))
    return looks


@given(walkers(), st.sampled_from([100, 200, 400]))
def test_each_has_one_track_of_its_own_at_any_rate(scene: list[Walker], step_ms: int) -> None:
    for step in (step_ms, step_ms // 2):
        lanes = {s.track: round((s.box.top - 0.05) / 0.2) for look in seen(scene, step) for s in look}
        looked_at = {walker.lane for walker in scene if any(walker.at(t) for t in range(0, 8000, step))}
        assert sorted(lanes.values()) == sorted(looked_at)


@given(walkers(), st.integers(0, 100_000_000))
def test_shifted_time_changes_nothing(scene: list[Walker], shift_ms: int) -> None:
    assert seen(scene, 200, shift_ms) == seen(scene, 200)


@given(walkers(), walkers())
def test_two_recordings_know_nothing_of_each_other(one: list[Walker], other: list[Walker]) -> None:
    """Looked at in turn, each gives what it gives alone."""
    first, second = Association(), Association()
    together = []
    for time_ms in range(0, 8000, 200):
        there, elsewhere = ([d for walker in scene if (d := walker.at(time_ms))] for scene in (one, other))
        together.append(first.update(time_ms / 1000, there))
        second.update(time_ms / 1000, elsewhere)
    assert together == seen(one, 200)


@given(st.lists(st.lists(st.builds(at, st.floats(0, 1), st.floats(0, 1), sure=st.floats(0.1, 1)), max_size=6), max_size=8))
def test_no_track_is_seen_twice_in_a_picture_and_numbers_begin_at_one(looks: list[list[Detection]]) -> None:
    found = tracks((i * 0.2, detections) for i, detections in enumerate(looks))
    assert all(len(look) == len(set(look)) for look in found)
    assert {track for look in found for track in look} == set(range(1, 1 + max((t for look in found for t in look), default=0)))
