"""What is kept of the last seconds: never more than it may be, and always from a keyframe on."""

from __future__ import annotations

from pathlib import Path

import av
import pytest
from streamed_films import film

from segmenter.live.ring import Ring, Session

AMPLE = 10**9


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(tmp_path_factory.mktemp("ring") / "film.mp4", 12, [], keyframe_s=2.0)


@pytest.fixture
def filled(path: Path) -> Ring:
    return full_of(path, Ring(AMPLE))


def full_of(path: Path, ring: Ring) -> Ring:
    with av.open(str(path)) as container:
        session = Session(container)
        for packet in container.demux(session.streams):
            if packet.size:
                ring.add(packet, session)
    return ring


def test_a_clip_can_begin_at_the_keyframe_before(filled: Ring) -> None:
    opening = filled.opening(7.3)
    assert opening is not None
    assert opening.picture
    assert opening.shown == pytest.approx(6)


def test_what_nobody_needs_goes_but_for_what_is_needed_to_show_the_rest(filled: Ring) -> None:
    filled.forget(7.3)
    first = filled.since(0)[0]
    assert first.picture
    assert first.shown == pytest.approx(6)
    assert filled.opening(0.0) == first
    assert filled.lost == 0


def test_pieces_are_numbered(filled: Ring) -> None:
    numbers = [piece.number for piece in filled.since(0)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert [piece.number for piece in filled.since(100)] == numbers[99:]
    filled.forget(7.3)
    assert filled.since(0)[0].number > 1
    assert [piece.number for piece in filled.since(numbers[-1])] == numbers[-1:]
    assert filled.since(numbers[-1] + 1) == []


@pytest.mark.parametrize("most", [1, 5_000, 20_000])
def test_it_never_holds_more_bytes_than_it_may(path: Path, most: int) -> None:
    ring = full_of(path, Ring(most_bytes=most))
    pieces = ring.since(0)
    assert len(pieces) == 1 or sum(piece.packet.size for piece in pieces) <= most
    assert ring.lost == pieces[0].number - 1


def test_nor_more_seconds(path: Path) -> None:
    pieces = full_of(path, Ring(AMPLE, most_s=3.0)).since(0)
    assert 2.5 < pieces[-1].decoded - pieces[0].decoded <= 3.0


def test_streams_can_be_copied_when_their_connection_is_closed(filled: Ring) -> None:
    (session,) = {piece.session for piece in filled.since(0)}
    assert sorted(str(kind) for kind, *_ in session.coded.values()) == ["audio", "video"]
    assert all(template.type in ("audio", "video") for template in session.templates.values())
