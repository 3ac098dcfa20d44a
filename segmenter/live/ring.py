"""The last seconds of a stream, as compressed as they came: what clips are made of once an event has turned out to be one."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from itertools import count, islice
from threading import Lock
from typing import Any

import av
from av.container import InputContainer
from av.packet import Packet
from av.stream import Stream

from segmenter.errors import BadInput
from segmenter.media.survey import nominal_duration

MOST_S = 300.0  # far more than any event needs to turn out to be one; a still camera sends next to nothing
_SPARE_S = 1.0  # sound may lie in the stream so much before the picture that it belongs to


class Session:
    """One connection: its first picture and sound stream, to be used while it is open, and for later how they are coded."""

    def __init__(self, container: InputContainer) -> None:
        """
        Raises:
            BadInput: there is no picture in it.
        """
        pictures, sounds = container.streams.video[:1], container.streams.audio[:1]
        if not pictures or pictures[0].codec_context is None:
            raise BadInput("there is no picture in it to watch")
        self.video = pictures[0]
        self.streams: tuple[Stream, ...] = (*pictures, *(s for s in sounds if s.codec_context is not None))
        # A closed container takes its streams along. This one, which nothing is ever written to, keeps their parameters.
        self._kept = av.open(BytesIO(), "w", format="matroska")
        self.templates: dict[int, Any] = {}
        for stream in self.streams:
            try:
                self.templates[stream.index] = self._kept.add_stream_from_template(stream, opaque=True)
            except ValueError:  # a codec that no clip can hold; the picture can be watched all the same
                continue
        self.coded = {s.index: _coded(s) for s in self.streams if s.index in self.templates}


def _coded(stream: Stream) -> tuple[object, ...]:
    """What must not change within a clip."""
    codec: Any = stream.codec_context
    size = (codec.width, codec.height) if stream.type == "video" else (codec.sample_rate, codec.channels)
    return stream.type, codec.name, codec.extradata, *size, stream.time_base


@dataclass(frozen=True, slots=True)
class Piece:
    """One packet, its times in ticks of `tick` seconds on the stream's clock; `number` counts them."""

    number: int
    session: Session
    stream: int
    picture: bool
    packet: Packet[Any]
    pts: int
    dts: int
    duration: int
    tick: Fraction

    @property
    def shown(self) -> float:
        return float(self.pts * self.tick)

    @property
    def decoded(self) -> float:
        return float(self.dts * self.tick)

    @property
    def end(self) -> float:
        return float((self.pts + self.duration) * self.tick)


class Ring:
    """Pieces in the order in which they came. One thread adds them, another takes them."""

    def __init__(self, most_bytes: int, most_s: float = MOST_S) -> None:
        self._most_bytes, self._most_s = most_bytes, most_s
        self._pieces: deque[Piece] = deque()
        self._openings: deque[Piece] = deque()  # those of them with which a clip can begin
        self._bytes = 0
        self._numbers = count(1)
        self._lock = Lock()
        self.lost = 0  # the number of the last piece that had to go for lack of room
        self.latest = 0.0  # when the last picture that came is decoded

    def add(self, packet: Packet[Any], session: Session) -> Piece:
        """A packet whose times are those of the stream's clock."""
        index, tick = packet.stream.index, packet.time_base
        picture = index == session.video.index
        lasts = packet.duration or round(nominal_duration(packet.stream) / tick)
        with self._lock:
            number, times = next(self._numbers), (packet.pts or 0, packet.dts or 0, lasts)
            piece = Piece(number, session, index, picture, packet, *times, tick)
            self._pieces.append(piece)
            if picture and packet.is_keyframe:
                self._openings.append(piece)
            self._bytes += packet.size
            while len(self._pieces) > 1 and self._is_full():
                self.lost = self._drop().number
            self.latest = piece.decoded if picture else self.latest
        return piece

    def since(self, number: int) -> list[Piece]:
        """Those from that number on."""
        with self._lock:
            first = self._pieces[0].number if self._pieces else 0
            return list(islice(self._pieces, max(0, number - first), None))

    def opening(self, time: float) -> Piece | None:
        """The last piece at or before `time` that a clip can begin with, else the first one after it."""
        with self._lock:
            before = (piece for piece in reversed(self._openings) if piece.shown <= time)
            return next(before, self._openings[0] if self._openings else None)

    def forget(self, before: float) -> None:
        """Nobody asks any more for what is shown before that time; what it takes to show it then is kept."""
        opening = self.opening(before - _SPARE_S)
        with self._lock:
            while opening and self._pieces[0].number < opening.number:
                self._drop()

    def _is_full(self) -> bool:
        return self._bytes > self._most_bytes or self._pieces[-1].decoded - self._pieces[0].decoded > self._most_s

    def _drop(self) -> Piece:
        piece = self._pieces.popleft()
        if self._openings and self._openings[0] is piece:
            self._openings.popleft()
        self._bytes -= piece.packet.size
        return piece
