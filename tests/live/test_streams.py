"""Watching addresses: a real server on this machine, which breaks off, falls silent, refuses, or lies."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from itertools import count
from pathlib import Path
from threading import Event as Signal

import pytest
from streamed_films import MOTION, film, send, served

from segmenter.errors import BadInput
from segmenter.live.recorder import LiveEvent
from segmenter.live.sources import source
from segmenter.live.watching import Watched, watch
from segmenter.media.probe import probe
from segmenter.records import Finding
from segmenter.settings import Settings

VISITS = ((4.0, 7.0), (14.0, 17.0))
AT_ONCE = MOTION.changed("live", retry_s=0.01, retry_most_s=0.02)
PATIENT = AT_ONCE.changed("live", most_waiting=100_000)  # the servers send a film at once: no picture may be skipped


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return film(tmp_path_factory.mktemp("stream") / "stream.ts", 20, VISITS).read_bytes()


class Watching:
    """An address that is being watched; `seen` and `findings` as they come."""

    def __init__(self, address: str, how: Watched, settings: Settings = AT_ONCE) -> None:
        self.findings: list[Finding] = []
        self.stop = Signal()
        self._events = watch(source(address, self.findings.append), settings, how, self.findings.append, self.stop)

    def __iter__(self) -> Iterator[LiveEvent]:
        return self._events

    def codes(self) -> list[str]:
        return [finding.code for finding in self.findings]


def test_a_stream_that_breaks_off_is_connected_again(stream: bytes, tmp_path: Path) -> None:
    """The first answer ends in the middle of a packet, in the middle of a visit; the second and third are refused."""
    requests = count()

    def answer(request: BaseHTTPRequestHandler) -> None:
        number = next(requests)
        if number in (1, 2):
            request.send_error(503)
        elif number == 0:
            send(request, stream[: len(stream) * 16 // 20 - 50])
        else:
            send(request, stream)

    with served(answer) as address:
        how = Watched(clips=tmp_path, seconds=30.0)
        before = datetime.now(UTC)
        watching = Watching(address, how, PATIENT.changed("live", quiet_s=60.0))
        found = list(watching)
    broken = 16.0
    assert [live.event.start for live in found] == pytest.approx([4, 14, broken + 4], abs=0.7)
    assert [live.event.end for live in found] == pytest.approx([7, broken, broken + 7], abs=0.7)
    assert watching.codes() == ["stream_lost", "stream_gap"], watching.findings
    gap = watching.findings[1]
    assert "after 3 attempts" in gap.message
    assert gap.start == pytest.approx(broken, abs=0.5)
    for live in found:
        assert live.utc is not None
        assert live.utc >= before
        assert live.clip is not None
        assert probe(tmp_path / live.clip.file, lambda _: None).audio


def test_a_clip_ends_where_the_camera_comes_back_with_other_pictures(stream: bytes, tmp_path: Path) -> None:
    """Its post-roll would reach into what is coded otherwise."""
    requests, other = count(), film(tmp_path / "other.ts", 20, [], b_frames=0).read_bytes()
    (tmp_path / "clips").mkdir()

    def answer(request: BaseHTTPRequestHandler) -> None:
        send(request, other if next(requests) else stream[: len(stream) * 6 // 20])

    with served(answer) as address:
        settings = PATIENT.changed("live", quiet_s=60.0)
        (live,) = Watching(address, Watched(clips=tmp_path / "clips", seconds=20.0), settings)
    assert live.clip is not None
    assert live.clip.start < 4
    assert live.clip.end == pytest.approx(6, abs=0.5)


def test_an_event_ends_although_the_stream_has_fallen_silent(stream: bytes) -> None:
    """The server sends nothing more until the event of the visit that it broke off has been seen."""
    seen = Signal()

    def answer(request: BaseHTTPRequestHandler) -> None:
        send(request, stream[: len(stream) * 6 // 20])
        request.wfile.flush()
        seen.wait(60)

    with served(answer) as address:
        watching = Watching(address, Watched(), PATIENT.changed("live", quiet_s=3.0))
        live = next(iter(watching))
        watching.stop.set()
        seen.set()
        assert list(watching) == []
    assert live.event.start == pytest.approx(4, abs=0.5)
    assert live.event.end == pytest.approx(6, abs=0.7)


def test_who_looks_too_slowly_skips_pictures_and_says_so(stream: bytes) -> None:
    with served(lambda request: send(request, stream)) as address:
        watching = Watching(address, Watched(seconds=19.0), AT_ONCE.changed("live", most_waiting=1))
        assert list(watching) == [] or "pictures_skipped" in watching.codes()
    assert watching.codes()[-1] == "pictures_skipped"
    assert "pictures were skipped" in watching.findings[-1].message


def test_an_address_that_gives_nothing_is_told_at_once() -> None:
    with served(lambda request: request.send_error(404)) as address:
        secret = address.replace("http://", "http://admin:secret@") + "?token=secret"
        with pytest.raises(BadInput, match="cannot be opened") as raised:
            list(Watching(secret, Watched()))
    assert "secret" not in str(raised.value)
    assert address in str(raised.value)


def test_a_playlist_opens_no_file(tmp_path: Path) -> None:
    """Not even one that is a film."""
    path = film(tmp_path / "private.ts", 2, [], sound=False)
    playlist = f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://{path}\n#EXT-X-ENDLIST\n".encode()
    with (
        served(lambda request: send(request, playlist)) as address,
        pytest.raises(BadInput),
    ):
        list(Watching(address.replace(".ts", ".m3u8"), Watched()))
