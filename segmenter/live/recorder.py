"""Closed events and their clips, in order: a clip is begun when its event opens, so that memory need not hold it whole."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from av.error import FFmpegError

from segmenter.clips.lane import Unfit
from segmenter.errors import InputError
from segmenter.formats.clips_json import ClipFile
from segmenter.formats.folder import folder_name
from segmenter.live.clip import Clip
from segmenter.live.ring import Ring
from segmenter.live.sources import Report
from segmenter.records import Event, Finding, Span
from segmenter.settings import ClipSettings
from segmenter.timeline import clock

_FAILURES = (Unfit, FFmpegError, InputError, OSError, ValueError)
_PICTURE_S = 0.1  # what is missing is told from about a picture on
_LATE_S = 1.0  # sound comes up to so much later than the picture that it belongs to


@dataclass(frozen=True, slots=True)
class LiveEvent:
    """An event that has ended, its clip, and when it started by the wall clock; None: not known."""

    event: Event
    utc: datetime | None
    clip: ClipFile | None = None


@dataclass(frozen=True, slots=True)
class State:
    """What is known by now: the events that have just ended, the one that goes on, and before which time none can begin
    any more; `began` is when the stream's clock said 0."""

    closed: Sequence[Event]
    open: Span | None
    decided_until: float
    began: datetime | None


class Recorder(Protocol):
    def follow(self, state: State) -> Iterator[LiveEvent]:
        """Those that are finished, clip and all, in order."""

    def finish(self) -> Iterator[LiveEvent]:
        """The rest: the stream has ended."""

    def close(self) -> None:
        """What is unfinished goes."""


class WithoutClips:
    """Events alone."""

    def follow(self, state: State) -> Iterator[LiveEvent]:
        return (LiveEvent(event, _utc(event, state.began)) for event in state.closed)

    def finish(self) -> Iterator[LiveEvent]:
        return iter(())

    def close(self) -> None:
        pass


@dataclass(slots=True)
class _Making:
    """The clip of the event that began at `start`; None where there can be none, which has been told."""

    start: float
    clip: Clip | None

    def drop(self) -> None:
        if self.clip is not None:
            self.clip.drop()
        self.clip = None


@dataclass(slots=True)
class _Ending:
    """An event that has ended, and its clip, which lacks the post-roll or is being looked at."""

    live: LiveEvent
    making: _Making
    begins: float
    until: float  # these two: what the clip should show
    made: Future[Path] | None = None


class WithClips:
    """Events and a clip of each in `folder`: from the keyframe before its pre-roll to the end of its post-roll.

    A pre-roll begins no earlier than the clip before was meant to end. A clip that cannot be made is reported.
    """

    def __init__(self, ring: Ring, folder: Path, settings: ClipSettings, report: Report) -> None:
        self._ring, self._folder, self._settings, self._report = ring, folder, settings, report
        self._making: _Making | None = None
        self._endings: deque[_Ending] = deque()
        self._until = 0.0  # of the clip before
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="segmenter-clip")  # an hour takes minutes to look at

    def follow(self, state: State) -> Iterator[LiveEvent]:
        for event in state.closed:
            self._end(event, state.began)
        if self._making is not None and (state.open is None or state.open.start != self._making.start):
            self._drop()  # it was too short to be an event
        needed = state.decided_until - self._settings.pre_s
        if state.open is not None:
            needed = min(needed, state.open.end)
            self._making = self._making or self._begun(state.open.start)
            self._pull(self._making, needed)
        for ending in self._endings:
            self._go_on(ending, complete=self._ring.latest >= ending.until + _LATE_S)
        self._ring.forget(needed)
        while self._endings and _is_done(self._endings[0]):
            yield self._told(self._endings.popleft())

    def finish(self) -> Iterator[LiveEvent]:
        for ending in self._endings:
            self._go_on(ending, complete=True)
        while self._endings:
            yield self._told(self._endings.popleft())

    def close(self) -> None:
        self._drop()
        for ending in self._endings:
            if ending.made is None:
                ending.making.drop()
        self._worker.shutdown()

    def _begins(self, start: float) -> float:
        """Where the clip of an event should begin that starts then."""
        return max(0.0, start - self._settings.pre_s, min(self._until, start))

    def _begun(self, start: float) -> _Making:
        opening = self._ring.opening(self._begins(start))
        try:
            if opening is None:
                raise Unfit("no keyframe has come")
            return _Making(start, Clip(self._ring, opening, self._folder))
        except _FAILURES as error:
            self._lost(error, start)
            return _Making(start, None)

    def _pull(self, making: _Making, until: float) -> None:
        try:
            if making.clip is not None:
                making.clip.pull(until)
        except _FAILURES as error:
            making.drop()
            self._lost(error, making.start)

    def _drop(self) -> None:
        if self._making is not None:
            self._making.drop()
        self._making = None

    def _end(self, event: Event, began: datetime | None) -> None:
        making = self._making if self._making and self._making.start == event.start else self._begun(event.start)
        if making is self._making:
            self._making = None
        until = event.end + self._settings.post_s
        self._endings.append(_Ending(LiveEvent(event, _utc(event, began)), making, self._begins(event.start), until))
        self._until = until

    def _go_on(self, ending: _Ending, complete: bool) -> None:
        if ending.made is not None:
            return
        self._pull(ending.making, ending.until)
        if complete and ending.making.clip is not None:
            ending.made = self._worker.submit(ending.making.clip.finish, _name(ending.live))

    def _told(self, ending: _Ending) -> LiveEvent:
        live, clip = ending.live, ending.making.clip
        if clip is None or ending.made is None:
            return live
        try:
            file = ending.made.result().name
        except _FAILURES as error:
            self._lost(error, live.event.start)
            return live
        if clip.start > live.event.start + _PICTURE_S:
            late = f"a clip begins {clip.start - live.event.start:.1f} s after its event: what came before was not kept so long"
            self._report(Finding("clip_late", late, live.event.start, clip.start))
        made = ClipFile("event", live.event.id, file, "copy", clip.start, clip.end, ending.begins, ending.until)
        return replace(live, clip=made)

    def _lost(self, error: Exception, start: float) -> None:
        self._report(Finding("clip_failed", f"no clip of the event that began then: {error}", start))


def _is_done(ending: _Ending) -> bool:
    return ending.making.clip is None or (ending.made is not None and ending.made.done())


def _utc(event: Event, began: datetime | None) -> datetime | None:
    return began and began + timedelta(seconds=event.start)


def _name(live: LiveEvent) -> str:
    when = live.utc.strftime("%Y%m%dT%H%M%SZ") if live.utc else clock(live.event.start).replace(":", "-")[:8]
    named = f"event-{live.event.id:04}_{when}_{'+'.join(live.event.labels[:2]) or 'unnamed'}"
    return folder_name(re.sub(r"[\s/\\.]+", "-", named))
