"""Parked vehicles are scenery; those that move count while they do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from hypothesis import given
from hypothesis import strategies as st
from sightings import Visit, looks, sliding

from segmenter.records import Box, Observation
from segmenter.vision.stages import passed
from segmenter.vision.stillness import MARGIN_S, Standing
from segmenter.vision.trail import LOOK_S

STEP = 0.25
LABELS = ("car",)
STAND_S = 6.0


def without_standing(observations: Iterable[Observation], labels: Collection[str]) -> Iterator[Observation]:
    return passed([Standing(labels, STAND_S)], observations)


def counted(visit: Visit, duration: float = 60.0) -> list[float]:
    """The times at which the visit counts."""
    return [o.time for o in without_standing(looks([visit], duration, STEP), LABELS) if o.sightings]


def test_a_parked_car_never_counts_though_its_box_trembles() -> None:
    def trembling(time: float) -> Box:
        shift = 0.003 if round(time / STEP) % 2 else 0.0
        return Box(0.4 + shift, 0.4, 0.6, 0.6)

    assert counted(Visit(1, 0.0, 60.0, "car", box=trembling)) == []


def test_a_parked_car_that_is_half_hidden_for_a_moment_does_not_count() -> None:
    """Somebody passes before it: for one look only its right half is seen."""

    def passed_by(time: float) -> Box:
        return Box(0.5 if time == 20.0 else 0.4, 0.4, 0.6, 0.6)

    assert counted(Visit(1, 0.0, 60.0, "car", box=passed_by)) == []


def test_a_car_that_is_gone_after_two_looks_counts() -> None:
    assert counted(Visit(1, 10.0, 10.5, "car", box=sliding(0.0, 1.6, 10.0, 10.5))) == [10.0, 10.25]


def test_a_car_that_drives_through_counts_from_its_first_to_its_last_sighting() -> None:
    times = counted(Visit(1, 10.0, 14.0, "car", box=sliding(0.0, 0.2, 10.0, 14.0)))
    assert (times[0], times[-1]) == (10.0, 13.75)
    assert len(times) == 16


def test_a_car_that_leaves_its_place_counts_from_about_then() -> None:
    times = counted(Visit(1, 0.0, 34.0, "car", box=sliding(0.1, 0.1, 30.0, 34.0)))
    assert 30.0 - MARGIN_S <= times[0] <= 30.0 + STEP
    assert times[-1] == 33.75


def test_a_car_that_creeps_out_of_its_place_counts() -> None:
    """An eighth of its length in two seconds."""
    times = counted(Visit(1, 0.0, 60.0, "car", box=sliding(0.1, 0.022, 20.0, 40.0)))
    assert times[0] <= 20.0 + LOOK_S
    assert times[-1] >= 40.0 - MARGIN_S


def test_a_short_stand_is_part_of_the_drive_and_a_long_one_is_not() -> None:
    def stopping(stand: float) -> list[float]:
        first, second = sliding(0.0, 0.2, 10.0, 12.0), sliding(0.4, 0.2, 12.0 + stand, 14.0 + stand)
        return counted(Visit(1, 10.0, 14.0 + stand, "car", box=lambda t: first(t) if t < 12 else second(t)))

    assert len(stopping(STAND_S - 1)) == round((STAND_S + 3) / STEP)
    times = stopping(20.0)
    assert not any(12.0 + MARGIN_S < time < 32.0 - MARGIN_S for time in times)
    assert times[0] == 10.0
    assert times[-1] == 33.75


def test_other_labels_may_stand_still() -> None:
    assert len(counted(Visit(1, 0.0, 60.0, "person"))) == 240


def test_a_parked_car_does_not_take_others_with_it() -> None:
    seen = looks([Visit(1, 0.0, 20.0, "car"), Visit(2, 5.0, 8.0, "person")], 20.0)
    kept = [{s.track for s in o.sightings} for o in without_standing(seen, LABELS)]
    assert set().union(*kept) == {2}
    assert sum(bool(tracks) for tracks in kept) == 12


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 160), st.sampled_from(["car", "person"])), max_size=60))
def test_observations_pass_one_for_one_with_nothing_added(seen: list[tuple[int, int, str]]) -> None:
    visits = [Visit(track, i / 4, i / 4 + 1, label) for track, i, label in seen]
    given_ones = looks(visits, 45.0)
    passed = list(without_standing(given_ones, LABELS))
    assert [o.time for o in passed] == [o.time for o in given_ones]
    assert all(set(after.sightings) <= set(before.sightings) for before, after in zip(given_ones, passed, strict=True))
    assert passed == list(without_standing(passed, ()))


def test_observations_wait_for_a_bounded_time() -> None:
    """A standing car may turn out to have stood briefly; after `STAND_S + LOOK_S` that is decided."""
    waiting = 0

    def stream() -> Iterator[Observation]:
        nonlocal waiting
        for observation in looks([Visit(1, 0.0, 120.0, "car")], 120.0, STEP):
            waiting += 1
            yield observation

    for _ in without_standing(stream(), LABELS):
        waiting -= 1
        assert waiting <= (STAND_S + LOOK_S) / STEP + 2
