"""The mapping of timestamps to the recording's clock, with random packets."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.errors import BadInput
from segmenter.media.clock import MAX_JUMPS, Clock

STEP = 0.04


@dataclass(frozen=True)
class Packet:
    stream: int
    number: int
    start: float


def _follow(packets: list[Packet]) -> Clock:
    clock = Clock()
    for packet in packets:
        clock.see(packet.stream, packet.number, packet.start, packet.start, packet.start + STEP)
    clock.finish()
    return clock


def _mended(clock: Clock, packets: list[Packet]) -> list[tuple[int, float | None]]:
    """What a decoding pass makes of the packets."""
    times: list[tuple[int, float | None]] = []
    for packet in packets:
        mends = [m for m in clock.mends() if m.stream == packet.stream and m.packet <= packet.number]
        shift = mends[-1].shift if mends else 0.0
        times.append((packet.stream, None if shift is None else packet.start + shift))
    return times


def _part(counts: tuple[int, int], begin: float, length: int) -> list[Packet]:
    """`length` packets of each of two streams side by side; stream 1 lies 20 ms behind stream 0."""
    return [Packet(s, counts[s] + i, begin + i * STEP + 0.02 * s) for i in range(length) for s in (0, 1)]


parts = st.lists(st.tuples(st.floats(0, 1e5), st.integers(30, 60)), min_size=1, max_size=4)


def _glued(drawn: list[tuple[float, int]]) -> tuple[list[Packet], int]:
    """The packets of several parts in one file; how many parts begin clearly before the end of the one before."""
    packets: list[Packet] = []
    back, end, count = 0, None, 0
    for begin, length in drawn:
        if end is not None and begin < end:
            begin = min(begin, end - 1.5 - STEP)
            back += 1
        elif end is not None:
            begin = max(begin, end + 2)
        packets += _part((count, count), begin, length)
        count, end = count + length, begin + length * STEP
    return packets, back


@given(parts)
def test_mended_times_never_go_back_and_streams_stay_together(drawn: list[tuple[float, int]]) -> None:
    packets, back = _glued(drawn)
    clock = _follow(packets)
    assert clock.parts == 1 + back
    assert clock.slips == 0
    times = _mended(clock, packets)
    for stream in (0, 1):
        own = [t for s, t in times if s == stream]
        assert all(b - a >= STEP - 1e-6 for a, b in pairwise(own) if a is not None and b is not None)
    for (_, sound), (_, picture) in zip(times[::2], times[1::2], strict=True):
        assert sound is not None
        assert picture == pytest.approx(sound + 0.02, abs=1e-6)


@given(parts)
def test_a_stream_ends_where_its_last_packet_does(drawn: list[tuple[float, int]]) -> None:
    packets, _ = _glued(drawn)
    clock = _follow(packets)
    for stream, (start, end) in clock.spans().items():
        times = [t for s, t in _mended(clock, packets) if s == stream and t is not None]
        assert (start, end) == pytest.approx((min(times), max(times) + STEP))


@given(parts, st.floats(-100, 100))
def test_a_shifted_file_is_shifted_and_nothing_else(drawn: list[tuple[float, int]], shift: float) -> None:
    packets, _ = _glued(drawn)
    moved = [Packet(p.stream, p.number, p.start + shift) for p in packets]
    before, after = _follow(packets), _follow(moved)
    for a, b in zip(before.mends(), after.mends(), strict=True):
        assert (a.stream, a.packet) == (b.stream, b.packet)
        assert b.shift == pytest.approx(a.shift, abs=1e-6)
    for stream, (start, end) in before.spans().items():
        assert after.spans()[stream] == pytest.approx((start + shift, end + shift), abs=1e-6)


@given(st.integers(2, 90), st.one_of(st.floats(2, 1e5), st.floats(-1e5, -2)), st.integers(1, 2))
def test_packets_that_leave_and_come_back_are_not_believed(at: int, away: float, many: int) -> None:
    """One flipped bit makes a packet claim to be minutes away; it stretches nothing and moves nothing."""
    packets = [Packet(0, i, 10 + i * STEP + (away if at <= i < at + many else 0)) for i in range(100)]
    clock = _follow(packets)
    assert clock.parts == 1
    assert clock.slips == 1
    assert clock.spans()[0] == pytest.approx((10, 14))
    times = [t for _, t in _mended(clock, packets)]
    assert [i for i, t in enumerate(times) if t is None] == list(range(at, at + many))
    assert [t for t in times if t is not None] == [p.start for i, p in enumerate(packets) if not at <= i < at + many]


@given(st.floats(2, 1e6))
def test_a_jump_forward_is_a_hole(gap: float) -> None:
    packets = [Packet(0, i, i * STEP + (gap if i >= 50 else 0)) for i in range(100)]
    clock = _follow(packets)
    assert clock.mends() == ()
    ((start, end),) = clock.holes(0)
    assert (start, end) == pytest.approx((50 * STEP, 50 * STEP + gap))


def test_a_jump_of_one_stream_alone_moves_that_stream_alone() -> None:
    """The sound begins again in the middle; the picture goes on to the end of the file."""
    both = _part((0, 0), 0.0, 200)
    packets = [Packet(1, p.number, p.start - 3.0) if p.stream == 1 and p.number >= 100 else p for p in both]
    clock = _follow(packets)
    assert {m.stream for m in clock.mends()} == {1}
    assert clock.spans()[1][1] == pytest.approx(clock.spans()[0][1], abs=0.2)


def test_endless_jumping_is_refused() -> None:
    packets = [Packet(0, i, -100.0 * (i // 3) + i % 3 * STEP) for i in range(3 * MAX_JUMPS + 10)]
    with pytest.raises(BadInput, match="jump"):
        _follow(packets)
