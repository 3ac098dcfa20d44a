"""Tracks that are numbered on from run to run, and of which there are never too many."""

from __future__ import annotations

from segmenter.live.ids import Tracks
from segmenter.records import Box, Observation, Sighting

BOX = Box(0.1, 0.1, 0.2, 0.2)


def seen(time: float, *tracks: tuple[int, float]) -> Observation:
    return Observation(time, tuple(Sighting(track, "person", confidence, BOX) for track, confidence in tracks))


def ids(observation: Observation) -> set[int]:
    return {sighting.track for sighting in observation.sightings}


def test_no_id_is_given_twice() -> None:
    tracks = Tracks(most=10)
    first = list(tracks.counted_on([seen(0, (1, 0.5)), seen(1, (2, 0.5), (1, 0.5))]))
    second = list(tracks.counted_on([seen(9, (1, 0.5)), seen(10, (3, 0.5))]))
    assert [ids(o) for o in (*first, *second)] == [{1}, {1, 2}, {3}, {5}]
    assert tracks.left_out == 0


def test_of_too_many_those_stay_who_were_there_then_the_surest() -> None:
    tracks = Tracks(most=2)
    found = list(tracks.counted_on([seen(0, (1, 0.3)), seen(1, (2, 0.6), (3, 0.9), (1, 0.3)), seen(2, (2, 0.9), (3, 0.4))]))
    assert [ids(o) for o in found] == [{1}, {1, 3}, {2, 3}]
    assert tracks.left_out == 1
