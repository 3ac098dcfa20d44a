"""Files are local, regular and readable, or refused by name without being opened."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from segmenter.errors import BadInput, NotAFile, TooLarge
from segmenter.files import content_id, local_file, read_bytes, read_start


def test_a_plain_file_is_read_whole_or_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"0123456789")
    assert read_bytes(path, 10) == b"0123456789"
    assert read_start(path, 4) == b"0123"
    assert content_id(path) == hashlib.sha256(b"0123456789").hexdigest()[:16]


def test_the_name_stays_as_given_but_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").write_bytes(b"x")
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    assert local_file("link") == tmp_path / "link"


def test_a_larger_file_than_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"0123456789")
    with pytest.raises(TooLarge, match="limit"):
        read_bytes(path, 9)


def test_an_empty_file_is_said_to_be_empty(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(BadInput, match="empty"):
        local_file(tmp_path / "a")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing", "no such file"),
        ("dangling", "no such file"),
        ("folder", "folder"),
        ("fifo", "pipe"),
        ("/dev/null", "device"),
        ("http://127.0.0.1/x.srt", "address"),
        ("pipe:0", "address"),
        ("n" * 300, "long"),
        ("nul\0", "null"),
    ],
)
def test_what_is_not_a_file_is_named_and_never_opened(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo(tmp_path / "fifo")  # opening it would wait for ever
    with pytest.raises(NotAFile, match=message):
        local_file(name if ":" in name else tmp_path / name)
