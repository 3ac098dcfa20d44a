"""Only the file itself is opened, and only when it holds its data itself."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from recordings import Writer, look_at, steps

from segmenter.errors import BadInput, ForbiddenInput, SegmenterError, TooLarge
from segmenter.media.opening import check_content, opened

REFERENCES = {
    "hls": "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:2.0,\nclip.mp4\n",
    "hls after a byte order mark": "\ufeff\r\n#EXTM3U\r\n#EXTINF:2,\r\nclip.mp4\r\n",
    "concat": "ffconcat version 1.0\nfile clip.mp4\n",
    "dash": '<?xml version="1.0"?>\n<!-- made -->\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period/></MPD>',
    "svg": '<svg xmlns="http://www.w3.org/2000/svg"><image href="clip.png"/></svg>',
    "sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n",
    "pls": "[playlist]\nFile1=clip.mp3\n",
    "xspf": '<?xml version="1.0"?><playlist version="1"><trackList/></playlist>',
    "asx": '<ASX version="3.0"><entry><ref href="clip.wmv"/></entry></ASX>',
    "cue": 'FILE "clip.wav" WAVE\n  TRACK 01 AUDIO\n',
    "addresses": "rtsp://127.0.0.1/clip\n",
}


@pytest.mark.parametrize("text", REFERENCES.values(), ids=REFERENCES.keys())
def test_what_names_other_files_is_refused_by_its_content(tmp_path: Path, text: str) -> None:
    path = tmp_path / "talk.wav"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ForbiddenInput, match="names other files or addresses"):
        look_at(path)


def test_the_library_alone_opens_no_playlist_either(tmp_path: Path) -> None:
    """Behind the look at the content stands the list of containers: a playlist that slipped by opens nothing."""
    path = tmp_path / "talk.wav"
    path.write_text("\n" * 5000 + REFERENCES["hls"], encoding="utf-8")
    with pytest.raises(BadInput), opened(path):
        pass


def _film(path: Path) -> bytes:
    writer = Writer(path)
    writer.video()
    writer.show(steps(5, 0.2))
    return writer.close().read_bytes()


def _with_reference(content: bytes, kind: bytes, flags: int, named: bytes) -> bytes:
    """The film's only data reference exchanged; the boxes around it grow by as much."""
    old = struct.pack(">I4sI", 12, b"url ", 1)
    at = content.index(old)
    new = struct.pack(">I4sI", 12 + len(named), kind, flags) + named
    patched = bytearray(content[:at] + new + content[at + len(old) :])
    for parent in (b"moov", b"trak", b"mdia", b"minf", b"dinf", b"dref"):
        size_at = content.index(parent) - 4
        size = int.from_bytes(content[size_at : size_at + 4], "big") + len(new) - len(old)
        patched[size_at : size_at + 4] = size.to_bytes(4, "big")
    return bytes(patched)


@pytest.mark.parametrize("kind", [b"url ", b"alis"])
def test_tracks_whose_data_lie_in_another_file_are_refused(tmp_path: Path, kind: bytes) -> None:
    path = tmp_path / "b.mp4"
    path.write_bytes(_with_reference(_film(tmp_path / "a.mp4"), kind, 0, b"file:///etc/hostname\0"))
    with pytest.raises(ForbiddenInput, match="another file"):
        look_at(path)


@pytest.mark.parametrize(("flags", "named"), [(0, b""), (1, b"file:///etc/hostname\0")])
def test_tracks_that_name_nothing_or_hold_their_data_are_read(tmp_path: Path, flags: int, named: bytes) -> None:
    path = tmp_path / "b.mp4"
    path.write_bytes(_with_reference(_film(tmp_path / "a.mp4"), b"url ", flags, named))
    assert look_at(path)[0].video


@pytest.mark.parametrize("claimed", [20_000_001, 0x7FFFFFFF])
def test_an_index_that_claims_more_samples_than_memory_holds_is_refused(tmp_path: Path, claimed: int) -> None:
    content = _film(tmp_path / "a.mp4")
    at = content.index(b"stsz") + 8
    path = tmp_path / "b.mp4"
    path.write_bytes(content[:at] + struct.pack(">II", 1, claimed) + content[at + 8 :])
    with pytest.raises(BadInput, match="samples"):
        look_at(path)


def test_a_file_without_its_index_is_called_incomplete(tmp_path: Path) -> None:
    content = _film(tmp_path / "a.mp4")
    path = tmp_path / "b.mp4"
    path.write_bytes(content[: content.index(b"moov") - 4])
    with pytest.raises(BadInput, match="moov"):
        look_at(path)


@pytest.mark.parametrize(
    ("head", "error"),
    [
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", BadInput),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480), BadInput),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 30000, 30000), TooLarge),
        (b"RIFF\x10\0\0\0WEBPVP8 ", BadInput),
        (b"\0\0\0\x18ftypheic\0\0\0\0", BadInput),
    ],
)
def test_stills_are_called_stills(tmp_path: Path, head: bytes, error: type[SegmenterError]) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(head.ljust(200, b"\x07"))
    with pytest.raises(error, match="still picture"):
        look_at(path)


def box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(content), kind) + content


def test_boxes_nested_without_end_are_refused(tmp_path: Path) -> None:
    path, depth = tmp_path / "a.mp4", 3000
    nested = b"".join(struct.pack(">I4s", 8 * (depth - i), b"moov") for i in range(depth))
    path.write_bytes(box(b"ftyp", b"isom\0\0\0\0") + nested)
    with pytest.raises(BadInput):
        look_at(path)


def test_a_reference_too_short_to_name_anything_reads_nothing_of_what_follows(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    content = box(b"dref", struct.pack(">II", 0, 1) + box(b"url ", b""))
    for kind in (b"dinf", b"minf", b"mdia", b"trak", b"moov"):
        content = box(kind, content)
    path.write_bytes(box(b"ftyp", b"isom\0\0\0\0") + content + box(b"mdat", b"x" * 1000))
    check_content(path)
