"""A source as pictures on the stream's clock; its packets go into the ring on the way."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event as Signal
from time import monotonic
from typing import Any

from av import VideoFrame
from av.error import FFmpegError
from av.packet import Packet

from segmenter.live.connections import Connections
from segmenter.live.ring import Ring, Session
from segmenter.live.sources import Report
from segmenter.media.decoding import Damage
from segmenter.media.frames import Frame, taken
from segmenter.records import Finding


class Feed:
    """Pictures by rising time, at most one every `step_s`. With `pace`, they come at the speed at which they were filmed."""

    def __init__(self, connections: Connections, ring: Ring, step_s: float, pace: Signal | None = None) -> None:
        """`pace` is set when nobody wants to wait any longer."""
        self._connections, self._ring, self._step_s, self._pace = connections, ring, step_s, pace
        self._damage = Damage("picture")
        self.end = 0.0  # of the last picture

    def __iter__(self) -> Iterator[Frame]:
        return taken(self._all(), self._step_s)

    def _all(self) -> Iterator[Frame]:
        last, began = -1.0, monotonic()
        for session, packet in self._connections.packets():
            if self._pace is not None and packet.dts is not None:
                self._pace.wait(max(0.0, packet.dts * float(packet.time_base) - (monotonic() - began)))
            for time, picture in self._taken(session, packet):
                if time > last and time >= 0:
                    last = time
                    yield Frame(time, picture)

    def tell(self, report: Report) -> None:
        """What was lost, in the end."""
        self._damage.tell(report)
        if self._connections.untimed:
            what = f"{self._connections.untimed} packets do not say when they are shown and are left out"
            report(Finding("packets_untimed", what))

    def _taken(self, session: Session, packet: Packet[Any]) -> list[tuple[float, VideoFrame]]:
        """What a packet shows, with its times; it is in the ring then."""
        found = list(self._decoded(packet)) if packet.stream.index == session.video.index else []
        if packet.size:
            piece = self._ring.add(packet, session)
            self.end = max(self.end, piece.end) if piece.picture else self.end
        return found

    def _decoded(self, packet: Packet[Any]) -> Iterator[tuple[float, VideoFrame]]:
        self._damage.packets += packet.size > 0
        try:
            frames = packet.decode()
        except EOFError:
            return
        except FFmpegError:
            self._damage.at(self.end)
            self._damage.lost += 1
            return
        for frame in frames:
            if frame.is_corrupt:
                self._damage.at(self.end)
                self._damage.marred += 1
            yield (self.end if frame.pts is None else frame.pts * float(packet.time_base)), frame
