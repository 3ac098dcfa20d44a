"""The clock of a stream: seconds since the watch began, whatever a camera writes into its packets."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

from av.packet import Packet
from av.stream import Stream

from segmenter.media.packets import shown_at

JUMP_S = 10.0  # no two packets of a stream lie so far apart, but where the camera's clock was set or the stream broke


class StreamClock:
    """Puts the packets' times on one clock that never stops.

    Within a connection it goes by the packets' own times. Across a break, or where they jump, it goes on by the wall
    clock, from the packet on that was least held up. A file's own clock (`timed` is false) is believed when it jumps
    ahead; where it jumps back, time goes on from there.
    """

    def __init__(self, timed: bool, wall: Callable[[], float] = monotonic) -> None:
        self._timed, self._wall = timed, wall
        self._shifts: deque[float] = deque(maxlen=2)  # the newest first; after a jump other streams still come by the old one
        self._latest: dict[int, float] = {}  # stream -> decoding time of its last packet
        self._ahead: float | None = None  # of the wall clock, by the packet that was least held up
        self.now = 0.0  # until when packets have come

    def begin(self, start: float | None = None) -> None:
        """A new connection; its own clock says `start` at its beginning, None: what the first packet says."""
        self._latest.clear()
        self._shifts.clear()
        if start is not None:
            self._shifts.append(self.later() - start)

    def later(self) -> float:
        """What the clock would say if a packet came now."""
        return self.now if self._ahead is None else max(self.now, self._wall() + self._ahead)

    def place(self, packet: Packet[Stream]) -> bool:
        """Writes the packet's times anew; false where it has none, and nothing can be done with it."""
        tick = float(packet.time_base or 1)
        pts = shown_at(packet, tick)
        given = packet.dts if packet.dts is not None else pts
        if pts is None or given is None:
            return False
        shift = round(self._shift(packet.stream.index, given * tick) / tick)
        packet.pts, packet.dts = pts + shift, given + shift
        self._latest[packet.stream.index] = packet.dts * tick
        self.now = max(self.now, (packet.pts + (packet.duration or 0)) * tick)
        if self._timed:
            ahead = self.now - self._wall()
            self._ahead = ahead if self._ahead is None else max(self._ahead, ahead)
        return True

    def _shift(self, stream: int, given: float) -> float:
        before = self._latest.get(stream)
        for shift in self._shifts:
            step = 0.0 if before is None else given + shift - before
            if step >= -JUMP_S and (step <= JUMP_S or not self._timed):
                return shift
        self._shifts.appendleft(self.later() - given)
        return self._shifts[0]
