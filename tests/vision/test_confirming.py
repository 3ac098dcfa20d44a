"""A track counts once it was seen several times within a short time, from its first sight on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hypothesis import given
from hypothesis import strategies as st
from sightings import HERE, Visit, looks

from segmenter.records import Observation, Sighting
from segmenter.vision.confirming import Confirming
from segmenter.vision.stages import passed


def confirmed(observations: Iterable[Observation], hits: int, within: float = 1.0) -> Iterator[Observation]:
    return passed([Confirming(hits, within)], observations)


def test_confirmation_counts_from_the_first_of_the_sightings_within_its_time() -> None:
    seen = [Observation(t, (Sighting(1, "person", 0.9, HERE),)) for t in (0.0, 2.0, 2.75, 9.0)]
    assert [o.time for o in confirmed(seen, hits=2) if o.sightings] == [2.0, 2.75, 9.0]
    assert not any(o.sightings for o in confirmed(seen, hits=3))


def test_who_is_confirmed_waits_for_nobody() -> None:
    """A live event is told of at once, not a second later."""
    stage = Confirming(2, 1.0)
    one, two, three = looks([Visit(1, 0.0, 1.0)], 0.75)
    assert stage.see(one) == []
    assert stage.see(two) == [one, two]
    assert stage.see(three) == [three]
    assert stage.see(Observation(0.75)) == [Observation(0.75)]


def test_observations_wait_for_a_bounded_time() -> None:
    """A new track at every look, none ever seen twice: what is decided leaves again."""
    held = 0

    def endless() -> Iterator[Observation]:
        nonlocal held
        for i in range(1200):
            held += 1
            yield Observation(i / 4, (Sighting(i, "person", 0.9, HERE),))

    for _ in confirmed(endless(), hits=2):
        held -= 1
        assert held <= 6


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 160)), max_size=60), st.integers(1, 4))
def test_observations_pass_one_for_one_and_only_lose_tracks_that_are_too_rare(seen: list[tuple[int, int]], hits: int) -> None:
    given_ones = looks([Visit(track, i / 4, i / 4 + 0.5) for track, i in dict.fromkeys(seen)], 45.0)
    passed_on = list(confirmed(given_ones, hits))
    assert [o.time for o in passed_on] == [o.time for o in given_ones]
    times: dict[int, list[float]] = {}
    for observation in given_ones:
        for track in {s.track for s in observation.sightings}:
            times.setdefault(track, []).append(observation.time)
    enough = {track for track, at in times.items() for i in range(len(at) - hits + 1) if at[i + hits - 1] - at[i] <= 1.0}
    assert enough >= {s.track for o in passed_on for s in o.sightings}


def test_two_boxes_of_a_track_in_one_look_are_one_hit() -> None:
    twice = Observation(0.0, (Sighting(1, "person", 0.9, HERE), Sighting(1, "person", 0.8, HERE)))
    assert [o.sightings for o in confirmed([twice, Observation(0.25)], hits=2)] == [(), ()]
