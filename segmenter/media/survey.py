"""One pass over all packets, without decoding: what really is in the streams, and when."""

from __future__ import annotations

from dataclasses import dataclass

from av.container import InputContainer
from av.stream import Stream
from av.video.stream import VideoStream

from segmenter.media.clock import Clock
from segmenter.media.packets import REORDER_S, shown_at, tolerant

_NOMINAL_MAX_S = 1.0  # a packet without a duration lasts no longer than this


@dataclass(slots=True)
class Count:
    """What was counted in one stream."""

    seconds: float  # the length of a tick
    nominal: float  # seconds that a packet lasts when it does not say
    packets: int = 0
    shown: int = 0  # packets that are meant to be seen or heard
    untimed: int = 0
    doubles: int = 0  # packets with the time of the one before
    last: int | None = None
    at: float | None = None  # where the next packet without a time of its own begins

    def decoding(self, start: float) -> float:
        """Of a packet that has no decoding time: at once after the one before, unless its presentation is far from there."""
        return start if self.at is None or abs(start - self.at) > REORDER_S else self.at


def nominal_duration(stream: Stream) -> float:
    """Seconds that a picture lasts when it does not say: from the average rate, at most a second."""
    rate = stream.average_rate if isinstance(stream, VideoStream) else None
    return min(1 / float(rate), _NOMINAL_MAX_S) if rate else 0.0


@dataclass(frozen=True, slots=True)
class Survey:
    """Counts by stream index, the clock that followed all streams, and whether the file could be read to its end."""

    counts: dict[int, Count]
    clock: Clock
    whole: bool


def survey(container: InputContainer, streams: tuple[Stream, ...]) -> Survey:
    """Count all packets of `streams`.

    Raises:
        BadInput: the times jump without end.
    """
    counts = {s.index: Count(float(s.time_base or 1), nominal_duration(s)) for s in streams}
    clock, errors = Clock(), list[str]()
    for packet in tolerant(container, streams, errors.append):
        index = packet.stream.index  # the packet's own number is 0 in the empty packets at the end
        count = counts[index]
        number, count.packets = count.packets, count.packets + 1
        if packet.size == 0 or packet.is_discard:
            continue
        count.shown += 1
        pts, dts, lasts = shown_at(packet, count.seconds), packet.dts, packet.duration
        seconds = lasts * count.seconds if lasts else count.nominal
        if pts is None:
            count.untimed += 1
        elif pts == count.last:
            count.doubles += 1
        count.last = pts
        start = pts * count.seconds if pts is not None else count.at or 0.0
        decoded_at = dts * count.seconds if dts is not None else count.decoding(start)
        count.at = decoded_at + seconds
        clock.see(index, number, decoded_at, start, start + seconds)
    clock.finish()
    return Survey(counts, clock, not errors)
