"""What can be watched, and what cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamed_films import film

from segmenter.errors import BadInput, ForbiddenInput, NotAFile
from segmenter.live.sources import source


def ignored(_: object) -> None:
    pass


@pytest.mark.parametrize("text", ["file:///etc/hosts", "ftp://camera/a.ts", "udp://0.0.0.0:1234", "concat://a.ts|b.ts"])
def test_other_addresses_are_refused(text: str) -> None:
    with pytest.raises(ForbiddenInput, match=r"not opened .*http, https, rtsp, rtsps"):
        source(text, ignored)


@pytest.mark.parametrize("address", ["rtsp://admin:secret@10.0.0.7:554/live", "https://camera/live.m3u8?key=secret"])
def test_a_name_keeps_passwords_to_itself(address: str) -> None:
    made = source(address, ignored)
    assert "secret" not in made.name
    assert made.film is None


@pytest.mark.parametrize("device", ["/dev/null", "/dev/video987", "987"])
def test_what_is_no_camera_is_not_opened(device: str) -> None:
    with pytest.raises(NotAFile, match="camera"):
        source(device, ignored)


def test_a_file_is_looked_at(tmp_path: Path) -> None:
    made = source(str(film(tmp_path / "yard.mp4", 2, [])), ignored)
    assert made.name == "yard.mp4"
    assert made.film is not None
    assert made.film.duration == pytest.approx(2, abs=0.1)


def test_a_missing_file_and_a_playlist_are_told(tmp_path: Path) -> None:
    with pytest.raises(NotAFile):
        source(str(tmp_path / "no.mp4"), ignored)
    (tmp_path / "list.m3u8").write_text("#EXTM3U\n#EXTINF:2,\na.ts\n", "utf-8")
    with pytest.raises(ForbiddenInput):
        source(str(tmp_path / "list.m3u8"), ignored)


def test_sound_alone_cannot_be_watched(shared: Path) -> None:
    sound = next((shared / "speech").rglob("*.flac"), None)
    if sound is None:
        pytest.skip("there is no sound among the shared data")
    with pytest.raises(BadInput, match="no picture"):
        source(str(sound), ignored)
