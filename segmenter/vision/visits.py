"""Events in the making: who is in view, since when, and what is told about them in the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from segmenter.records import Box, Event, Observation, Sighting, Track, View
from segmenter.vision.trail import Trail


@dataclass(slots=True)
class Presence:
    """One track within one visit; `best` is its clearest view, largest and surest."""

    start: float
    end: float
    best: View
    seen_s: float = 0.0
    moved_s: float = 0.0
    votes: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))  # label -> sum of confidences
    _trail: Trail = field(default_factory=Trail)
    _moved_until: float = 0.0
    _before: float = 0.0  # the time of the last look at it

    def see(self, sighting: Sighting, time: float, end: float) -> None:
        """It is in view from `time` to `end`."""
        self.end = end
        self.seen_s += end - time
        self.votes[sighting.label] += sighting.confidence
        if _clearness(sighting.box, sighting.confidence) > _clearness(self.best.box, self.best.confidence):
            self.best = View(time, sighting.box, sighting.confidence)
        moved = self._trail.follow(time, sighting.box)
        if moved is not None:
            until = end if moved.end >= self._before else moved.end  # it still moves: that shows only at the second look
            self.moved_s += max(0.0, until - max(moved.start, self._moved_until))
            self._moved_until = max(until, self._moved_until)
        self._before = time

    @property
    def label(self) -> str:
        return max(self.votes, key=lambda label: (self.votes[label], label))

    def track(self, number: int) -> Track:
        moved = min(self.moved_s, self.end - self.start)
        return Track(number, self.label, self.start, self.end, self.best, moved, self.end - self.start - moved)


@dataclass(slots=True)
class Visit:
    """An event that has not ended. `last` is the time of the last sighting, `end` that of its stretch.

    `seen` are the times of each track's last sighting; `continues` is the event that it is the next part of.
    """

    start: float
    end: float
    last: float
    continues: int | None = None
    present: dict[int, Presence] = field(default_factory=dict)
    seen: dict[int, float] = field(default_factory=dict)

    def see(self, observation: Observation, end: float) -> None:
        self.last, self.end = observation.time, end
        for sighting in observation.sightings:
            first = View(observation.time, sighting.box, sighting.confidence)
            presence = self.present.setdefault(sighting.track, Presence(observation.time, end, first))
            presence.see(sighting, observation.time, end)
            self.seen[sighting.track] = observation.time

    def next_part(self, start: float, number: int, since: float) -> Visit:
        """The visit that goes on at `start`, where this one, now event `number`, has been cut; it knows who was seen `since`."""
        seen = {track: time for track, time in self.seen.items() if time >= since}
        return Visit(start, start, start, continues=number, seen=seen)

    def event(self, number: int, tracks: Mapping[int, int]) -> Event:
        """The event of that number; `tracks` gives the tracks theirs."""
        listed = tuple(presence.track(tracks[track]) for track, presence in self.present.items())
        return Event(number, self.start, self.end, listed, self._labels(), self.continues)

    def _labels(self) -> tuple[str, ...]:
        """What was in view, the longest seen first."""
        seen_s: defaultdict[str, float] = defaultdict(float)
        for presence in self.present.values():
            seen_s[presence.label] += presence.seen_s
        return tuple(sorted(seen_s, key=lambda label: (-seen_s[label], label)))


def _clearness(box: Box, confidence: float) -> float:
    """Large and sure is clear."""
    return (box.right - box.left) * (box.bottom - box.top) * confidence
