"""One stream on its way into a clip: what all ways of making one have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from av.container import OutputContainer
from av.packet import Packet
from av.stream import Stream

from segmenter.records import Recording

Part = TypeVar("Part")
Time = Callable[[Part], float]  # in seconds


class Unfit(Exception):
    """This stream cannot be cut this way; the message says why."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What a clip shows of a recording: [start, end), seconds on its clock."""

    recording: Recording
    start: float
    end: float


class Lane(Protocol):
    codec: str  # libav's name
    end: float  # seconds on the recording's clock; of what was written, once it is

    def join(self, clip: OutputContainer) -> None:
        """Adds its stream to the clip."""

    def packets(self) -> Iterator[Packet[Any]]:
        """The packets in decoding order, timed from the clip's beginning.

        Raises:
            Unfit: it cannot be cut this way after all.
        """


def needed(
    parts: Iterable[Part], until: float, decoded: Callable[[Part], float], shown: Callable[[Part], float]
) -> Iterator[Part]:
    """Of one stream's parts, in decoding order, those that are shown before that time and those that they may need.

    One that is shown later is kept only where one that is shown in time is decoded after it.
    """
    waiting: list[Part] = []
    for part in parts:
        if decoded(part) >= until:
            return
        waiting.append(part)
        if shown(part) < until:
            yield from waiting
            waiting.clear()


def timed(packet: Packet[Any], stream: Stream, pts: int, dts: int, duration: int, time_base: Fraction) -> Packet[Any]:
    """The packet as a part of `stream`; times in ticks of `time_base`."""
    packet.stream = stream
    packet.time_base = time_base
    packet.pts, packet.dts, packet.duration = pts, dts, duration
    return packet
