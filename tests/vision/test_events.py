"""Sightings to events: right values, and the laws of the state machine."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sightings import HERE, Visit, looks, sliding

from segmenter.errors import SettingsError
from segmenter.records import Box, Event, Observation, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.events import EventWatch, events

# bridging has tests of its own below: most visits here are at one place, where one who follows at once would be the same
SETTINGS = VisionSettings(confirm_hits=2, confirm_s=1.0, bridge_s=0.0, hold_s=1.0, merge_gap_s=0.0, min_event_s=0.4)


def spans(found: tuple[Event, ...]) -> list[tuple[float, float]]:
    return [(event.start, event.end) for event in found]


def found_in(*visits: Visit, duration: float = 20.0, step: float = 0.25) -> tuple[Event, ...]:
    return events(looks(visits, duration, step), duration, SETTINGS)[0]


def test_an_event_opens_at_the_first_sighting_and_closes_where_the_last_ones_stretch_ended() -> None:
    assert spans(found_in(Visit(7, 2.0, 5.0))) == [(2.0, 5.0)]


def test_who_is_there_from_the_first_to_the_last_picture_fills_the_recording() -> None:
    assert spans(found_in(Visit(1, 0.0, 20.0))) == [(0.0, 20.0)]


def test_the_end_of_the_recording_closes_what_is_open() -> None:
    assert spans(events(looks([Visit(1, 3.0, 9.0)], 9.0), 9.1, SETTINGS)[0]) == [(3.0, 9.1)]


def test_later_tracks_join_and_hold_the_event_open() -> None:
    (event,) = found_in(Visit(1, 2.0, 6.0), Visit(2, 5.0, 9.0), Visit(3, 9.5, 11.0))
    assert (event.start, event.end) == (2.0, 11.0)
    assert [(track.id, track.start, track.end) for track in event.tracks] == [(1, 2.0, 6.0), (2, 5.0, 9.0), (3, 9.5, 11.0)]


@pytest.mark.parametrize(("back_at", "count"), [(5.75, 1), (6.0, 2)])
def test_an_event_closes_once_nobody_was_seen_for_longer_than_hold_s(back_at: float, count: int) -> None:
    """The last sighting is at 4.75 s: back one second later is the same event, later a new one."""
    assert len(found_in(Visit(1, 2.0, 5.0), Visit(2, back_at, 9.0))) == count


def test_a_single_sighting_neither_opens_nor_prolongs() -> None:
    assert spans(found_in(Visit(1, 2.0, 2.25), Visit(2, 5.0, 8.0), Visit(3, 8.5, 8.75))) == [(5.0, 8.0)]


def test_an_event_as_long_as_the_minimum_is_kept_and_a_shorter_one_counted() -> None:
    """In binary 0.6 - 0.2 is less than 0.4: lengths are compared in milliseconds."""
    seen = [Observation(t, (Sighting(1, "person", 0.9, HERE),)) for t in (0.2, 0.4)] + [Observation(0.6)]
    assert spans(events(seen, 9.0, SETTINGS)[0]) == [(0.2, 0.6)]
    found, findings = events(seen, 9.0, replace(SETTINGS, min_event_s=0.5))
    assert found == ()
    assert [(finding.code, finding.level) for finding in findings] == [("short_events", "note")]
    assert "1 " in findings[0].message


def test_what_lies_beyond_the_recording_is_taken_in_but_does_not_count() -> None:
    """The rest is still read, so that what reading it finds out is not lost."""
    rest = iter(looks([Visit(1, 2.0, 12.0)], 20.0))
    assert spans(events(rest, 10.0, SETTINGS)[0]) == [(2.0, 10.0)]
    assert next(rest, None) is None


def test_a_hole_in_the_video_closes_the_event_after_hold_s() -> None:
    """Nothing is known of the hole, so nobody is taken to have been there all the time."""
    seen = [o for o in looks([Visit(1, 0.0, 20.0)], 20.0) if not 6.0 < o.time < 12.0]
    assert spans(events(seen, 20.0, SETTINGS)[0]) == [(0.0, 7.0), (12.0, 20.0)]


def test_a_track_may_take_part_in_two_events_under_one_number() -> None:
    first, second = found_in(Visit(9, 2.0, 4.0), Visit(4, 8.0, 10.0), Visit(9, 9.0, 11.0))
    assert [(track.id, track.start, track.end) for track in first.tracks] == [(1, 2.0, 4.0)]
    assert [(track.id, track.start, track.end) for track in second.tracks] == [(2, 8.0, 10.0), (1, 9.0, 11.0)]


def test_a_tracks_label_is_voted_by_confidence_and_labels_are_in_order_of_time_seen() -> None:
    votes = [("cat", 0.3), ("dog", 0.7), ("cat", 0.3), ("dog", 0.2)]
    pet = [Observation(i * 0.25, (Sighting(1, label, sure, HERE),)) for i, (label, sure) in enumerate(votes)]
    people = looks([Visit(2, 1.0, 4.0)], 5.0)[4:]
    (event,) = events([*pet, *people], 5.0, SETTINGS)[0]
    assert event.labels == ("person", "dog")
    assert [track.label for track in event.tracks] == ["dog", "person"]


def test_the_best_view_is_large_and_sure() -> None:
    views = [(0.9, Box(0, 0, 0.1, 0.1)), (0.8, Box(0, 0, 0.5, 0.5)), (0.3, Box(0, 0, 0.6, 0.6))]
    seen = [Observation(i * 0.25, (Sighting(1, "person", sure, box),)) for i, (sure, box) in enumerate(views)]
    (event,) = events(seen, 5.0, SETTINGS)[0]
    (track,) = event.tracks
    assert (track.best.time, track.best.confidence, track.best.box) == (0.25, 0.8, Box(0, 0, 0.5, 0.5))


def test_a_parked_car_is_no_event_and_a_person_who_sits_still_is() -> None:
    assert found_in(Visit(1, 0.0, 20.0, label="car")) == ()
    assert len(found_in(Visit(1, 0.0, 20.0, label="person"))) == 1


@pytest.mark.parametrize(("merge_gap_s", "count"), [(3.0, 2), (3.1, 1)])
def test_events_closer_than_the_merge_gap_are_one(merge_gap_s: float, count: int) -> None:
    """However long the last look's stretch is: the gap is counted from the event's end, 5.0 s."""
    seen = looks([Visit(1, 2.0, 5.0), Visit(2, 8.0, 9.0)], 20.0)
    assert len(events(seen, 20.0, replace(SETTINGS, merge_gap_s=merge_gap_s))[0]) == count


@pytest.mark.parametrize(("back_at", "count"), [(7.5, 1), (8.0, 2)])
def test_a_track_that_is_missed_for_no_longer_than_bridge_s_holds_its_event(back_at: float, count: int) -> None:
    """It is last seen at 4.75 s; nobody is in view for much longer than hold_s."""
    seen = looks([Visit(1, 2.0, 5.0), Visit(1, back_at, 9.0)], 20.0)
    assert len(events(seen, 20.0, replace(SETTINGS, bridge_s=3.0))[0]) == count


def test_somebody_else_does_not_bridge_a_gap() -> None:
    elsewhere = Box(0.7, 0.4, 0.9, 0.6)
    seen = looks([Visit(1, 2.0, 5.0), Visit(2, 7.0, 9.0, box=lambda _: elsewhere)], 20.0)
    assert spans(events(seen, 20.0, replace(SETTINGS, bridge_s=3.0))[0]) == [(2.0, 5.0), (7.0, 9.0)]


def test_an_event_that_grows_too_long_goes_on_in_a_next_one() -> None:
    seen = looks([Visit(1, 2.0, 27.0), Visit(2, 10.0, 11.0)], 40.0)
    found = events(seen, 40.0, replace(SETTINGS, max_event_s=10.0))[0]
    assert spans(found) == [(2.0, 12.0), (12.0, 22.0), (22.0, 27.0)]
    assert [event.continues for event in found] == [None, 1, 2]
    assert [[track.id for track in event.tracks] for event in found] == [[1, 2], [1], [1]]


def test_the_end_of_an_event_that_was_cut_is_kept_however_short() -> None:
    found = events(looks([Visit(1, 2.0, 12.25)], 20.0), 20.0, replace(SETTINGS, max_event_s=10.0))[0]
    assert spans(found) == [(2.0, 12.0), (12.0, 12.25)]


def test_an_event_of_too_many_tracks_goes_on_in_a_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory has a limit in a crowd that never ends."""
    monkeypatch.setattr("segmenter.vision.events.MOST_TRACKS", 3)
    found = found_in(*(Visit(i, 2.0 + i, 4.0 + i) for i in range(1, 8)))
    assert len(found) > 1
    assert max(len(event.tracks) for event in found) == 3
    assert (found[0].start, found[-1].end) == (3.0, 11.0)
    assert all(a.end == b.start and b.continues == a.id for a, b in pairwise(found))


def test_a_track_tells_how_long_it_moved_and_stood() -> None:
    """It stands for 4 s, walks for 3 s, stands for 5 s."""
    (event,) = found_in(Visit(1, 2.0, 14.0, box=sliding(0.1, 0.1, 6.0, 9.0)))
    (track,) = event.tracks
    assert track.moved == pytest.approx(3.0, abs=0.5)
    assert track.moved + track.stood == pytest.approx(12.0)


def test_who_crosses_the_picture_never_stood() -> None:
    (event,) = found_in(Visit(1, 2.0, 6.0, box=sliding(0.1, 0.15, 2.0, 6.0)))
    assert [(track.moved, track.stood) for track in event.tracks] == [(4.0, 0.0)]


def test_an_event_is_told_of_as_soon_as_nothing_can_prolong_it() -> None:
    """Its last sighting is at 4.75 s: at 5.75 s somebody could still have held it open."""
    watch = EventWatch(SETTINGS)
    told = {o.time: ended for o in looks([Visit(1, 2.0, 5.0)], 20.0) if (ended := watch.see(o))}
    assert [(time, spans(tuple(ended))) for time, ended in told.items()] == [(6.25, [(2.0, 5.0)])]
    assert watch.finish(20.0) == []


def test_a_parked_car_in_view_delays_what_is_told_by_a_bounded_time() -> None:
    watch = EventWatch(SETTINGS)
    seen = looks([Visit(1, 2.0, 5.0), Visit(2, 0.0, 60.0, "car")], 60.0)
    (told,) = [(o.time, ended) for o in seen if (ended := watch.see(o))]
    assert spans(tuple(told[1])) == [(2.0, 5.0)]
    assert told[0] - 5.0 <= watch.delay_s


def test_memory_does_not_grow_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody new every second, day in, day out; of the last hundred one knows who they were."""
    monkeypatch.setattr("segmenter.vision.stages.MOST_TRACKS", 100)
    watch, sizes = EventWatch(replace(SETTINGS, bridge_s=2.0, max_event_s=60.0)), []
    for i in range(4000):
        watch.see(Observation(i / 4, (Sighting(i // 4, "person", 0.9, Box((i % 4) / 5, 0, (i % 4) / 5 + 0.2, 0.4)),)))
        if i in (1400, 3800):
            sizes.append(len(pickle.dumps(watch, protocol=5)))
    assert sizes[1] < 1.2 * sizes[0]


@pytest.mark.parametrize("values", [{"hold_s": 0.1}, {"confirm_hits": 7}, {"rate_hz": 0.5}])
def test_settings_under_which_nothing_could_be_found_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(SettingsError, match="look to look"):
        replace(SETTINGS, **values)  # type: ignore[arg-type]


# --- laws ----------------------------------------------------------------------------------------------------------

DURATION = 40.0
eighths = st.integers(0, int(DURATION) * 8 - 16).map(lambda i: i / 8)  # exact in binary: sums and shifts do not round


@st.composite
def visits(draw: st.DrawFn) -> list[Visit]:
    starts = draw(st.lists(eighths, max_size=8))
    lengths = [draw(st.integers(1, 80)) / 8 for _ in starts]
    labels = [draw(st.sampled_from(["person", "dog", "cat"])) for _ in starts]
    return [
        Visit(i, a, min(a + n, DURATION), label) for i, (a, n, label) in enumerate(zip(starts, lengths, labels, strict=True), 1)
    ]


@st.composite
def clear_visits(draw: st.DrawFn) -> list[Visit]:
    """One after the other, each long enough to be confirmed, each gap clearly shorter or longer than the patience."""
    time, made = 0.0, []
    for track in range(1, draw(st.integers(1, 6)) + 1):
        time += draw(st.sampled_from([0.25, 0.5, 2.0, 5.0])) + draw(st.integers(0, 1)) / 8
        end = time + draw(st.integers(8, 40)) / 8
        made.append(Visit(track, time, end))
        time = end
    return made


@given(visits())
def test_events_are_disjoint_ordered_inside_the_recording_and_numbered(them: list[Visit]) -> None:
    found = found_in(*them, duration=DURATION)
    assert [event.id for event in found] == list(range(1, len(found) + 1))
    assert all(0 <= event.start < event.end <= DURATION for event in found)
    assert all(earlier.end < later.start for earlier, later in pairwise(found))
    ids = [track.id for event in found for track in event.tracks]
    assert sorted(set(ids)) == list(range(1, len(set(ids)) + 1))


@given(visits())
def test_an_event_is_as_long_as_its_tracks_together(them: list[Visit]) -> None:
    for event in found_in(*them, duration=DURATION):
        assert event.start == min(track.start for track in event.tracks)
        assert event.end == max(track.end for track in event.tracks)
        assert set(event.labels) == {track.label for track in event.tracks}
        assert all(track.start <= track.best.time < track.end for track in event.tracks)


@given(visits(), st.integers(1, 400).map(lambda i: i / 8))
def test_shifting_the_sightings_shifts_the_events(them: list[Visit], by: float) -> None:
    seen = looks(them, DURATION)
    moved = [Observation(o.time + by, o.sightings) for o in seen]
    still, later = events(seen, DURATION, SETTINGS)[0], events(moved, DURATION + by, SETTINGS)[0]
    assert [(start + by, end + by) for start, end in spans(still)] == spans(later)
    assert [event.labels for event in still] == [event.labels for event in later]


@given(clear_visits(), st.sampled_from([SETTINGS, replace(SETTINGS, bridge_s=1.0, merge_gap_s=1.5)]))
def test_twice_the_rate_changes_nothing_beyond_one_step(them: list[Visit], how: VisionSettings) -> None:
    step = 0.25
    duration = them[-1].end + 3
    coarse, fine = (events(looks(them, duration, often), duration, how)[0] for often in (step, step / 2))
    assert len(coarse) == len(fine)
    for a, b in zip(coarse, fine, strict=True):
        assert abs(a.start - b.start) <= step
        assert abs(a.end - b.end) <= step


@given(visits(), st.integers(0, 2**160 - 1))
def test_added_empty_looks_change_nothing_beyond_one_step(them: list[Visit], after: int) -> None:
    """Empty looks come after those of the 160 whose bit is set."""
    seen = looks(them, DURATION)
    extra = [Observation(o.time + 0.125) for i, o in enumerate(seen) if after >> i & 1]
    more = sorted([*seen, *extra], key=lambda o: o.time)
    for a, b in zip(*(events(o, DURATION, replace(SETTINGS, min_event_s=0))[0] for o in (seen, more)), strict=True):
        assert a.start == b.start
        assert 0 <= a.end - b.end <= 0.25


@given(visits())
def test_renaming_the_tracks_changes_nothing(them: list[Visit]) -> None:
    assert found_in(*them) == found_in(*(replace(visit, track=visit.track * 7 + 3) for visit in them))
