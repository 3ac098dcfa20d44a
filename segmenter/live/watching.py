"""A source watched as long as it goes on: pictures to sightings to events to clips, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Signal
from time import monotonic

from segmenter import weights
from segmenter.kit import Kit, Models
from segmenter.live.connections import Connections
from segmenter.live.feed import Feed
from segmenter.live.handover import Pictures, Pulled, Received
from segmenter.live.ids import Tracks
from segmenter.live.recorder import LiveEvent, Recorder, State, WithClips, WithoutClips
from segmenter.live.ring import Ring
from segmenter.live.sources import Report, Source
from segmenter.records import Finding, Observation
from segmenter.settings import Settings, VisionSettings
from segmenter.vision.events import EventWatch
from segmenter.vision.pace import paced
from segmenter.vision.tracker import TRACKERS, Tracker

_TICK_S = 1.0  # how often it is then looked whether an event has ended


@dataclass(frozen=True, slots=True)
class Watched:
    """How a source is watched.

    `clips` is the folder for clips, None: none are made. `seconds` of the stream are watched, None: all of it. A file is
    played at its own speed, or with `as_fast` as fast as it can be looked at. Events are counted on from `last_id`.
    """

    clips: Path | None = None
    seconds: float | None = None
    as_fast: bool = False
    last_id: int = 0


def watch(source: Source, settings: Settings, how: Watched, report: Report, stop: Signal) -> Iterator[LiveEvent]:
    """The events of a source as they end, in order, until it ends or `stop` is set; what is open then is closed.

    `stop` is set in the end: a thread may still wait for the source.

    Raises:
        InputError: the source cannot be opened when it is first tried; later breaks are survived.
        SettingsError, ModelMissing, PackageMissing: see `Kit`.
    """
    tracker, vision = _eyes(source, settings, report)
    live, pulled = settings.live, source.film is not None and how.as_fast
    ring = Ring(round(live.memory_mb * 1e6) if how.clips else 0)
    connections = Connections(source, live, report, stop, how.seconds)
    feed = Feed(connections, ring, 1 / tracker.rate_hz, None if source.film is None or pulled else stop)
    quiet_s = max(live.quiet_s, vision.hold_s)
    pictures: Pictures = Pulled(feed) if pulled else Received(feed, quiet_s, live.most_waiting)
    recorder: Recorder = WithClips(ring, how.clips, settings.clips, report) if how.clips else WithoutClips()
    events, looks = EventWatch(vision, how.last_id), _Looks(pictures, tracker, Tracks(live.most_open), report)
    try:
        for observation in looks.observations(stop):
            closed = events.see(observation)
            yield from recorder.follow(State(closed, events.open, events.decided_until, connections.began))
        end = max(feed.end, looks.last)
        yield from recorder.follow(State(events.finish(end), None, end, connections.began))
        yield from recorder.finish()
    finally:
        stop.set()
        recorder.close()
    feed.tell(report)
    looks.tell()
    for finding in events.findings():
        report(finding)


def _eyes(source: Source, settings: Settings, report: Report) -> tuple[Tracker, VisionSettings]:
    """The tracker, and the settings with the patience that a file's pictures need."""
    vision, findings, kit = settings.vision, list[Finding](), Kit(settings)
    models: Models = {"tracker": weights.locate(vision.weights)} if TRACKERS[vision.tracker].weights else {}
    tracker = kit.tracker(models)
    if source.film is not None:
        vision, findings = paced(vision, source.film.video[0].average_rate_hz)
    for finding in (*tracker.findings, *findings):
        report(finding)
    return tracker, vision


class _Looks:
    """Pictures to observations, run after run; `last` is the time of the last one."""

    def __init__(self, pictures: Pictures, tracker: Tracker, tracks: Tracks, report: Report) -> None:
        self._pictures, self._tracker, self._tracks, self._report = pictures, tracker, tracks, report
        self._looks = 0
        self.last = -1.0

    def observations(self, stop: Signal) -> Iterator[Observation]:
        """By rising time. During a pause of the stream there are empty ones: events end although nothing comes."""
        while True:
            yield from self._run()
            if self._pictures.over or stop.is_set():
                return
            paused, since = monotonic(), self.last + 1 / self._tracker.rate_hz
            while self.last >= 0:
                self.last = since + monotonic() - paused
                yield Observation(self.last)
                if stop.is_set() or not self._pictures.pause(_TICK_S):
                    break

    def tell(self) -> None:
        """What was not looked at, in the end."""
        skipped, left_out = self._pictures.skipped, self._tracks.left_out
        if skipped:
            what = f"{skipped} of {skipped + self._looks} pictures were skipped: they came too fast to be looked at, or too late"
            self._report(Finding("pictures_skipped", what))
        if left_out:
            self._report(Finding("tracks_left_out", f"{left_out} sightings were too many at once and are left out"))

    def _run(self) -> Iterator[Observation]:
        told = self._pictures.skipped > 0
        for observation in self._tracks.counted_on(self._tracker.track(self._pictures.run(self.last))):
            self._looks += 1
            self.last = observation.time
            if self._pictures.skipped and not told:
                told = True
                what = "pictures are skipped: they come too fast to be looked at, or too late"
                self._report(Finding("pictures_skipped", what, self.last))
            yield observation
