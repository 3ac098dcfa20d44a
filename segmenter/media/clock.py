"""The file's timestamps -> the recording's clock.

Timestamps of real files jump: recordings are glued together and begin again, cameras restart, a flipped bit makes one
packet claim to be minutes away. Fed every packet in file order, a `Clock` follows one line of time per stream and tells
three things apart:

    ----  hole  ----          forward and onward: a hole, believed
    ------|                   backward and onward: the file begins again; the new part is laid behind the old one,
       |-----                 by the same shift in every stream, so that sound and picture stay together
    ----- ' -----             away and back within two packets: a slip, those times are not believed
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from segmenter.errors import BadInput
from segmenter.records import Mend

NEAR_S = 1.0  # further from where a packet is expected than reordering and jitter explain
TOGETHER_S = 5.0  # streams that jump to times this near belong to the same part
HOLE_S = 0.5  # a pause in the timestamps that is worth telling
SETTLED_PACKETS = 3  # so many in a row make a jump real
MAX_JUMPS = 10_000  # beyond it, times mean nothing


@dataclass(slots=True)
class _Stretch:
    """Earliest start and latest end of what was shown, in the file's seconds."""

    start: float = inf
    end: float = -inf

    def take(self, start: float, end: float) -> None:
        self.start, self.end = min(self.start, start), max(self.end, end)


@dataclass(slots=True)
class _Run:
    """Packets that left the line, until it is clear whether they are a jump or a slip."""

    first: int
    decoded_at: float
    expected: float
    shown: _Stretch
    packets: int = 1


@dataclass(slots=True)
class _Line:
    """One stream: when its next packet is expected, and what was shown in each part."""

    expected: float
    part: int
    shown: dict[int, _Stretch] = field(default_factory=dict)
    run: _Run | None = None


@dataclass(slots=True)
class _Part:
    """A stretch of the file in which time goes on. `edge`: how far the part before had come when this one began."""

    before: int
    edge: float
    shown: _Stretch


class Clock:
    """Follows the packets of all streams in file order; afterwards it knows the mends, and where each stream begins and ends."""

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}
        self._parts = [_Part(0, 0.0, _Stretch())]
        self._jumps: list[tuple[int, int, int | None]] = []  # stream, packet, part; None for a slip
        self._holes: list[tuple[int, int, float, float]] = []  # stream, part, from, to

    def see(self, stream: int, packet: int, decoded_at: float, start: float, end: float) -> None:
        """Packet number `packet` of `stream`, decoded at and shown from `start` to `end`, in the file's seconds.

        Raises:
            BadInput: the times jump without end.
        """
        line = self._lines.get(stream)
        if line is None:
            line = self._lines[stream] = _Line(decoded_at, len(self._parts) - 1)
        run, expected = line.run, decoded_at + end - start
        if abs(decoded_at - line.expected) <= NEAR_S:
            if run is not None:
                self._slip(stream, line, run, packet)
            line.expected = expected
            self._show(stream, line, start, end)
        elif run is not None and decoded_at >= run.expected - NEAR_S:
            run.shown.take(start, end)
            run.expected, run.packets = expected, run.packets + 1
            if run.packets >= SETTLED_PACKETS:
                self._settle(stream, line, run)
        else:
            line.run = _Run(run.first if run else packet, decoded_at, expected, _Stretch(start, end))

    def finish(self) -> None:
        """No packet follows: what left the line last is believed."""
        for stream, line in self._lines.items():
            if line.run is not None:
                self._settle(stream, line, line.run)

    @property
    def parts(self) -> int:
        """How often time begins in the file; more than one: recordings glued together."""
        return len(self._parts)

    @property
    def slips(self) -> int:
        """How often single packets claim to be far from where they are."""
        return sum(part is None for _, _, part in self._jumps)

    def mends(self) -> tuple[Mend, ...]:
        """What to add to the times of each stream, and from which packet on."""
        shifts = self._shifts()
        return tuple(Mend(s, n, None if part is None else shifts[part]) for s, n, part in self._jumps)

    def spans(self) -> dict[int, tuple[float, float]]:
        """Where each stream begins and ends: the file's seconds, mended."""
        shifts = self._shifts()
        return {
            stream: (
                min(shown.start + shifts[part] for part, shown in line.shown.items()),
                max(shown.end + shifts[part] for part, shown in line.shown.items()),
            )
            for stream, line in self._lines.items()
        }

    def holes(self, stream: int) -> list[tuple[float, float]]:
        """Where a stream has nothing to show for more than HOLE_S: the file's seconds, mended."""
        shifts = self._shifts()
        return [(start + shifts[part], end + shifts[part]) for s, part, start, end in self._holes if s == stream]

    def _show(self, stream: int, line: _Line, start: float, end: float) -> None:
        shown = line.shown.get(line.part)
        if shown is None:
            shown = line.shown[line.part] = _Stretch()
        elif start - shown.end > HOLE_S and len(self._holes) < MAX_JUMPS:
            self._holes.append((stream, line.part, shown.end, start))
        shown.take(start, end)
        self._parts[line.part].shown.take(start, end)

    def _slip(self, stream: int, line: _Line, run: _Run, packet: int) -> None:
        self._jump(stream, run.first, None)
        self._jump(stream, packet, line.part)
        line.run = None

    def _settle(self, stream: int, line: _Line, run: _Run) -> None:
        if run.decoded_at < line.expected:
            line.part = self._part_of(line, run)
            self._jump(stream, run.first, line.part)
        line.expected, line.run = run.expected, None
        self._show(stream, line, run.shown.start, run.shown.end)

    def _part_of(self, line: _Line, run: _Run) -> int:
        """The latest part, when another stream has begun it and this run lies beside it; else a new one."""
        latest = len(self._parts) - 1
        beside = self._parts[latest].shown
        if line.part < latest and beside.start - TOGETHER_S <= run.shown.start <= beside.end + TOGETHER_S:
            return latest
        self._parts.append(_Part(line.part, self._parts[line.part].shown.end, _Stretch()))
        return latest + 1

    def _jump(self, stream: int, packet: int, part: int | None) -> None:
        if len(self._jumps) >= MAX_JUMPS:
            raise BadInput(f"damaged: its timestamps jump more than {MAX_JUMPS:,} times")
        self._jumps.append((stream, packet, part))

    def _shifts(self) -> list[float]:
        """Seconds to add in each part, so that it begins where the one before ends."""
        shifts = [0.0]
        for part in self._parts[1:]:
            left = all(line.part != part.before for line in self._lines.values())
            edge = self._parts[part.before].shown.end if left else part.edge
            shifts.append(shifts[part.before] + edge - part.shown.start)
        return shifts
