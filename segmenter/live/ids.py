"""Tracks of a stream that is looked at in runs: each id once, and never more of them at once than memory is meant for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from segmenter.records import Observation


class Tracks:
    """Observations of one run after the other.

    A tracker numbers anew in each run: its ids are counted on. Of more than `most` sightings at once, those of tracks that
    were there before stay, then the surest.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._highest = 0
        self._before: frozenset[int] = frozenset()
        self.left_out = 0

    def counted_on(self, observations: Iterable[Observation]) -> Iterator[Observation]:
        """The observations of a run."""
        first = self._highest
        for observation in observations:
            sightings = [replace(s, track=s.track + first) for s in observation.sightings]
            self._highest = max([self._highest, *(s.track for s in sightings)])
            if len(sightings) > self._most:
                self.left_out += len(sightings) - self._most
                sightings.sort(key=lambda s: (s.track not in self._before, -s.confidence, s.track))
                del sightings[self._most :]
            self._before = frozenset(s.track for s in sightings)
            yield Observation(observation.time, tuple(sightings))
