"""The clock of a stream: what cameras write into their packets, and what it makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import av
import pytest
from av.packet import Packet
from streamed_films import film

from segmenter.live.clock import StreamClock

STEP_S = 0.1


class Wall:
    """A clock that goes when it is told to."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def packets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Packet[Any]]]:
    with av.open(str(film(tmp_path_factory.mktemp("clock") / "film.mkv", 3, []))) as container:
        yield [p for p in container.demux() if p.size]


@pytest.fixture
def sent(packets: list[Packet[Any]]) -> Any:
    """Sends a picture or a sound that claims a time, and says at which one it is put, or None."""
    kinds = {p.stream.type: p for p in packets}

    def send(clock: StreamClock, claims: float | None, kind: str = "video") -> float | None:
        packet = kinds[kind]
        packet.pts = packet.dts = None if claims is None else round(claims / packet.time_base)
        packet.duration = round(STEP_S / packet.time_base)
        return float((packet.pts or 0) * packet.time_base) if clock.place(packet) else None

    return send


def test_it_begins_at_0_whatever_the_camera_says(sent: Any) -> None:
    clock = StreamClock(timed=True, wall=Wall())
    clock.begin()
    assert sent(clock, 5000.0) == pytest.approx(0)
    assert sent(clock, 5000.1) == pytest.approx(0.1)
    assert clock.now == pytest.approx(0.2)


def test_across_a_break_it_goes_on_by_the_wall_clock(sent: Any) -> None:
    wall = Wall()
    clock = StreamClock(timed=True, wall=wall)
    clock.begin()
    sent(clock, 70.0)
    wall.now += 12.5
    assert clock.later() == pytest.approx(STEP_S + 12.5)
    clock.begin()
    assert sent(clock, 3.0) == pytest.approx(STEP_S + 12.5)
    assert sent(clock, 3.1) == pytest.approx(STEP_S + 12.6)


@pytest.mark.parametrize("jump", [0.0, 90_000.0])
def test_a_camera_may_set_its_clock(sent: Any, jump: float) -> None:
    """Sound still comes by the old one for a moment."""
    clock = StreamClock(timed=True, wall=Wall())
    clock.begin()
    sent(clock, 5000.0)
    sent(clock, 5000.0, "audio")
    assert sent(clock, jump) == pytest.approx(0.1)
    assert sent(clock, 5000.1, "audio") == pytest.approx(0.1)
    assert sent(clock, jump + 0.1) == pytest.approx(0.2)
    assert sent(clock, jump + 0.1, "audio") == pytest.approx(0.2)


def test_the_pauses_of_a_film_are_believed(sent: Any) -> None:
    clock = StreamClock(timed=False, wall=Wall())
    clock.begin(1.0)
    assert sent(clock, 1.0) == pytest.approx(0)
    assert sent(clock, 3601.0) == pytest.approx(3600)
    assert clock.later() == clock.now
    assert sent(clock, 1.0) == pytest.approx(3600.1)  # glued to another one


def test_a_packet_without_a_time_is_told_apart(sent: Any) -> None:
    clock = StreamClock(timed=True, wall=Wall())
    clock.begin()
    assert sent(clock, None) is None
    assert clock.now == 0
