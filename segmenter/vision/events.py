"""Sightings to events: pure, a stream, in seconds throughout.

An event opens at the first sighting of a track that is then confirmed, every confirmed sighting prolongs it, and it
closes where the last sighting's stretch ended once nobody was seen for `hold_s`.

    sightings    x xx xxx                   x xx
    event        |--------| hold_s ...      |----|
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from segmenter.records import Event, Finding, Observation, Span
from segmenter.settings import VisionSettings
from segmenter.vision.confirming import Confirming
from segmenter.vision.reunion import Reunion
from segmenter.vision.stages import MOST_TRACKS, Recent, exceeds, last, step
from segmenter.vision.stillness import Standing
from segmenter.vision.trail import LOOK_S
from segmenter.vision.visits import Visit
from segmenter.vision.zones import Inside, ZoneWatch


def events(
    observations: Iterable[Observation], duration: float, settings: VisionSettings
) -> tuple[tuple[Event, ...], tuple[Finding, ...]]:
    """Events in order, disjoint, inside [0, duration], and what was left out.

    `observations` come in order of time and are taken in as a stream, to its end; those at or after `duration` lie
    beyond the recording and do not count.
    """
    watch = EventWatch(settings)
    found = [event for observation in observations if observation.time < duration for event in watch.see(observation)]
    found += watch.finish(duration)
    return tuple(found), watch.findings()


class EventWatch:
    """Observations in, one by one, in order of time; events out, each once, when it has ended, in order and disjoint.

    An observation stands for the time up to the next one, but for no more than `hold_s`: a hole in the video says
    nothing about who was there. Tracks are numbered 1, 2, ... in order of first sight; one that takes part in two events
    is listed in both, with its times within each.

    An event is given at the latest `delay_s` after its end, most often much sooner, or when it has grown to
    `max_event_s` or MOST_TRACKS; it is then continued by the next one. Memory holds what is seen within these times.
    """

    def __init__(self, settings: VisionSettings, last_id: int = 0) -> None:
        self._settings = settings
        self._stages = (
            Inside(settings.zones),
            Reunion(settings.bridge_s),
            Standing(settings.only_moving, settings.stationary_s),
            Confirming(settings.confirm_hits, settings.confirm_s),
        )
        self._zones = ZoneWatch(settings)
        self._before: Observation | None = None  # waits for the next one, which ends its stretch
        self._visit: Visit | None = None
        self._count = last_id  # events are counted on from here
        self._tracks: Recent[int] = Recent()
        self._tracks_count = 0
        self._short = 0

    @property
    def delay_s(self) -> float:
        """How long after its end an event is given, at the latest, but for two looks."""
        s = self._settings
        parked_s = s.stationary_s + LOOK_S if s.only_moving else 0.0
        return parked_s + s.confirm_s + max(s.hold_s, s.merge_gap_s, s.bridge_s)

    @property
    def open(self) -> Span | None:
        """The event that has not ended, as far as it goes by now; it may yet turn out too short to count."""
        return Span(self._visit.start, self._visit.end) if self._visit else None

    @property
    def decided_until(self) -> float:
        """No event that is not open yet will begin before this time."""
        return self._before.time if self._before else 0.0

    def see(self, observation: Observation) -> list[Event]:
        """The events that have ended by now."""
        return [event for decided in step(self._stages, [observation]) for event in self._next(decided)]

    def finish(self, end: float) -> list[Event]:
        """The rest: the recording ends at `end`, and with it what is still in view."""
        ended = [event for decided in last(self._stages) for event in self._next(decided)]
        return [*ended, *self._next(Observation(end)), *self._close()]

    def findings(self) -> tuple[Finding, ...]:
        if not self._short:
            return ()
        message = f"{self._short} events shorter than {self._settings.min_event_s} s are left out"
        return (Finding("short_events", message, level="note"),)

    def _next(self, observation: Observation) -> list[Event]:
        before, self._before = self._before, observation
        return [] if before is None else self._take(before, min(observation.time, before.time + self._settings.hold_s))

    def _take(self, observation: Observation, end: float) -> list[Event]:
        """One observation, which stands for the time until `end`."""
        visit, ended = self._visit, list[Event]()
        if visit and self._is_over(visit, observation):
            ended, visit = self._close(), None
        if observation.sightings:
            if visit and (exceeds(end - visit.start, self._settings.max_event_s) or len(visit.present) >= MOST_TRACKS):
                ended.append(self._event(visit))
                visit = visit.next_part(observation.time, self._count, since=observation.time - self._settings.bridge_s)
            self._visit = visit or Visit(observation.time, observation.time, observation.time)
            self._visit.see(observation, end)
            self._zones.note(observation, end)
        return ended

    def _is_over(self, visit: Visit, observation: Observation) -> bool:
        """Whether whoever is seen in `observation`, or comes later, begins another event."""
        settings, time = self._settings, observation.time
        if not exceeds(time - visit.last, settings.hold_s) or exceeds(settings.merge_gap_s, time - visit.end):
            return False
        back = [time - visit.seen[s.track] for s in observation.sightings if s.track in visit.seen]
        missed = back if observation.sightings else [time - visit.last]
        return all(exceeds(seconds, settings.bridge_s) for seconds in missed)

    def _close(self) -> list[Event]:
        visit, self._visit = self._visit, None
        if visit is None:
            return []
        if visit.continues is None and exceeds(self._settings.min_event_s, visit.end - visit.start):
            self._short += 1
            self._zones.forget()
            return []
        return [self._event(visit)]

    def _event(self, visit: Visit) -> Event:
        self._count += 1
        for track in visit.present:
            if track not in self._tracks:
                self._tracks_count += 1
            self._tracks[track] = self._tracks.get(track, self._tracks_count)
        zones, crossings = self._zones.taken(self._tracks)
        return replace(visit.event(self._count, self._tracks), zones=zones, crossings=crossings)
