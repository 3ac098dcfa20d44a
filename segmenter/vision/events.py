"""Sightings to events: pure, a stream, in seconds throughout.

An event opens at the first sighting of a track that is then confirmed, every confirmed sighting prolongs it, and it
closes where the last sighting's stretch ended once nobody was seen for `hold_s`.

    sightings    x xx xxx                   x xx
    event        |--------| hold_s ...      |----|
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise

from segmenter.records import Box, Event, Finding, Observation, Sighting, Track, View
from segmenter.settings import VisionSettings
from segmenter.timeline import length, milliseconds
from segmenter.vision.stillness import without_standing


def events(
    observations: Iterable[Observation], duration: float, settings: VisionSettings
) -> tuple[tuple[Event, ...], tuple[Finding, ...]]:
    """Events in order, disjoint, inside [0, duration], and what was left out.

    `observations` come in order of time and are taken in as a stream, to its end; those at or after `duration` lie
    beyond the recording and do not count. An observation stands for the time up to the next one, but for no more than
    `hold_s`: a hole in the video says nothing about who was there. Tracks are numbered 1, 2, ... in order of first
    sight; one that takes part in two events is listed in both, with its times within each.
    """
    inside = (observation for observation in observations if observation.time < duration)
    counted = confirmed(without_standing(inside, settings.only_moving), settings.confirm_hits, settings.confirm_s)
    visits = list(_visits(counted, duration, settings.hold_s))
    kept = [visit for visit in visits if not _exceeds(settings.min_event_s, length(visit))]
    return _numbered(kept), _left_out(len(visits) - len(kept), settings.min_event_s)


def confirmed(observations: Iterable[Observation], hits: int, within: float) -> Iterator[Observation]:
    """The observations, less the sightings of tracks that are not seen `hits` times within `within` seconds.

    A confirmed track counts from the first of these sightings on; so observations pass through `within` seconds late.
    """
    waiting: deque[Observation] = deque()
    sure: set[int] = set()

    def decided(observation: Observation) -> Observation:
        return replace(observation, sightings=tuple(s for s in observation.sightings if s.track in sure))

    for observation in observations:
        while waiting and _exceeds(observation.time - waiting[0].time, within):
            yield decided(waiting.popleft())
        waiting.append(observation)
        if any(s.track not in sure for s in observation.sightings):
            seen = Counter(s.track for o in waiting for s in o.sightings)
            sure |= {track for track, count in seen.items() if count >= hits}
    yield from map(decided, waiting)


@dataclass(slots=True)
class _Presence:
    """One track within one visit."""

    start: float
    end: float
    best: View
    seen_s: float = 0.0
    votes: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))  # label -> sum of confidences

    def see(self, sighting: Sighting, time: float, end: float) -> None:
        self.end = end
        self.seen_s += end - time
        self.votes[sighting.label] += sighting.confidence
        if _clearness(sighting.box, sighting.confidence) > _clearness(self.best.box, self.best.confidence):
            self.best = View(time, sighting.box, sighting.confidence)

    @property
    def label(self) -> str:
        return max(self.votes, key=lambda label: (self.votes[label], label))


@dataclass(slots=True)
class _Visit:
    """An event in the making."""

    start: float
    end: float
    last: float  # time of the last sighting
    present: dict[int, _Presence] = field(default_factory=dict)

    def see(self, observation: Observation, end: float) -> None:
        self.last, self.end = observation.time, end
        for sighting in observation.sightings:
            first = View(observation.time, sighting.box, sighting.confidence)
            presence = self.present.setdefault(sighting.track, _Presence(observation.time, end, first))
            presence.see(sighting, observation.time, end)

    def labels(self) -> tuple[str, ...]:
        """What was in view, the longest seen first."""
        seen_s: defaultdict[str, float] = defaultdict(float)
        for presence in self.present.values():
            seen_s[presence.label] += presence.seen_s
        return tuple(sorted(seen_s, key=lambda label: (-seen_s[label], label)))


def _visits(observations: Iterable[Observation], duration: float, hold_s: float) -> Iterator[_Visit]:
    visit: _Visit | None = None
    for observation, following in pairwise(chain(observations, [Observation(duration)])):
        if visit and _exceeds(observation.time - visit.last, hold_s):
            yield visit
            visit = None
        if observation.sightings:
            visit = visit or _Visit(observation.time, observation.time, observation.time)
            visit.see(observation, end=min(following.time, observation.time + hold_s))
    if visit:
        yield visit


def _numbered(visits: Iterable[_Visit]) -> tuple[Event, ...]:
    """Events and tracks with their numbers."""
    numbers: dict[int, int] = {}
    found = []
    for number, visit in enumerate(visits, start=1):
        tracks = tuple(
            Track(numbers.setdefault(track, len(numbers) + 1), p.label, p.start, p.end, p.best)
            for track, p in visit.present.items()
        )
        found.append(Event(number, visit.start, visit.end, tracks, visit.labels()))
    return tuple(found)


def _left_out(count: int, min_event_s: float) -> tuple[Finding, ...]:
    if not count:
        return ()
    return (Finding("short_events", f"{count} events shorter than {min_event_s} s are left out", level="note"),)


def _clearness(box: Box, confidence: float) -> float:
    """Large and sure is clear."""
    return (box.right - box.left) * (box.bottom - box.top) * confidence


def _exceeds(seconds: float, limit: float) -> bool:
    """Compared in whole milliseconds: in binary, 0.6 - 0.2 is less than 0.4."""
    return milliseconds(seconds) > milliseconds(limit)
