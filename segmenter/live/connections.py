"""Connections to a source, one after the other: what breaks off is connected again, and its clock goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Event as Signal
from typing import Any

from av.container import InputContainer
from av.error import FFmpegError
from av.packet import Packet

from segmenter.errors import BadInput, InputError
from segmenter.live.clock import StreamClock
from segmenter.live.ring import Session
from segmenter.live.sources import Report, Source, why
from segmenter.media.sniff import MAX_PIXELS
from segmenter.records import Finding
from segmenter.settings import LiveSettings

_DOUBLED = 30  # times at most: by then every limit is reached, and a float is not


@dataclass(frozen=True, slots=True)
class _Break:
    """When it came, on the stream's clock, and why."""

    at: float
    why: str

    def healed(self, now: float, attempts: int) -> Finding:
        tries = "" if attempts == 1 else f" after {attempts} attempts"
        return Finding("stream_gap", f"nothing came for {now - self.at:.1f} s: {self.why}; it is back{tries}", self.at, now)


class Connections:
    """The packets of a source's first picture and sound stream, their times on the stream's clock.

    Ends with a file, after `seconds` on the clock, or when `stop` is set.
    """

    def __init__(self, source: Source, settings: LiveSettings, report: Report, stop: Signal, seconds: float | None) -> None:
        self._source, self._settings, self._report, self._stop, self._seconds = source, settings, report, stop, seconds
        self.clock = StreamClock(timed=source.film is None)
        self.began: datetime | None = None  # when the clock said 0; a file does not know
        self.untimed = 0
        self._came = False

    def packets(self) -> Iterator[tuple[Session, Packet[Any]]]:
        """
        Raises:
            InputError: the source cannot be opened when it is first tried.
        """
        failures, gap = 0, None
        while not self._is_over():
            try:
                for session, packet in self._connection():
                    if packet.size and gap is not None:
                        self._report(gap.healed(self.clock.now, failures))
                        failures, gap = 0, None
                    yield session, packet
                reason = "the source ended"
            except InputError as error:
                if not self._came:
                    raise
                reason = error.what
            if self._source.film is not None or self._is_over():
                return
            if gap is None:
                gap = _Break(self.clock.now, reason)
                self._report(Finding("stream_lost", f"{reason}: connecting again", gap.at))
            self._wait(failures)
            failures += 1

    def _connection(self) -> Iterator[tuple[Session, Packet[Any]]]:
        film = self._source.film
        with self._source.open() as container:
            session = Session(container)
            session.video.codec_context.options = {"max_pixels": str(MAX_PIXELS)}
            session.video.codec_context.thread_type = "AUTO"
            self.clock.begin(None if film is None else film.zero)
            packets = _demuxed(container, session)
            for packet in packets if film else _whole(packets):
                if self._is_over():
                    return
                if packet.size and not self.clock.place(packet):
                    self.untimed += 1
                    continue
                self._note_first()
                yield session, packet

    def _note_first(self) -> None:
        if not self._came:
            self._came = True
            self.began = datetime.now(UTC) if self._source.film is None else None

    def _is_over(self) -> bool:
        return self._stop.is_set() or (self._seconds is not None and self.clock.later() >= self._seconds)

    def _wait(self, failures: int) -> None:
        """Before the next attempt, after so many in a row that brought nothing; no longer than there is to watch."""
        wait = min(self._settings.retry_most_s, self._settings.retry_s * 2.0 ** min(failures, _DOUBLED))
        left = wait if self._seconds is None else min(wait, self._seconds - self.clock.later())
        self._stop.wait(max(0.0, left))


def _demuxed(container: InputContainer, session: Session) -> Iterator[Packet[Any]]:
    """
    Raises:
        BadInput: it broke off.
    """
    try:
        yield from container.demux(session.streams)
    except FFmpegError as error:
        raise BadInput(why(error)) from None


def _whole(packets: Iterator[Packet[Any]]) -> Iterator[Packet[Any]]:
    """All but the last one of each stream: of what breaks off, the last packet is cut short, and nothing in it says so."""
    held: dict[int, Packet[Any]] = {}
    for packet in packets:
        before = held.pop(packet.stream.index, None)
        if packet.size:
            held[packet.stream.index] = packet
            if before is not None:
                yield before
