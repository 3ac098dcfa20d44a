"""How long a file says it is: what lies between that and what was counted is missing from it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from av.container import InputContainer

# Containers whose header states a length. Of others libav guesses it, from the bit rate or the last timestamps.
_STATING = {"mov", "matroska", "avi", "flv", "asf", "mxf", "nut", "flac", "aiff", "caf", "w64", "ape", "wv", "tta", "amr"}
_OPEN_SIZES = (0, 0xFFFFFFFF, 0x7FFFFFFF, 0x7FFFF000)  # what recorders write that do not know the end yet


def declared_length(container: InputContainer, path: Path) -> float | None:
    """Seconds that the header states; None where it states nothing."""
    name = container.format.name.split(",")[0]
    if name in _OWN:
        with path.open("rb") as file:
            return _OWN[name](file, container)
    return _stated(container) if name in _STATING else None


def _stated(container: InputContainer) -> float | None:
    return container.duration / 1e6 if container.duration else None


def _wav_length(file: BinaryIO, container: InputContainer) -> float | None:
    """From the sizes in the header: libav cuts its own figure to the size of the file."""
    if file.read(12)[:4] != b"RIFF":
        return _stated(container)
    bytes_per_second = 0
    while len(header := file.read(8)) == 8:
        kind, size = struct.unpack("<4sI", header)
        if kind == b"data":
            return size / bytes_per_second if bytes_per_second and size not in _OPEN_SIZES else None
        content = file.read(min(size, 16))
        if kind == b"fmt " and len(content) == 16:
            bytes_per_second = struct.unpack("<I", content[8:12])[0]
        file.seek(size + size % 2 - len(content), 1)
    return None


def _mp3_length(file: BinaryIO, container: InputContainer) -> float | None:
    """Only the first frame of an encoder states a length; else it is guessed from the bit rate."""
    tag = file.read(10)
    skip = sum((byte & 127) << shift for byte, shift in zip(tag[6:10], (21, 14, 7, 0), strict=False)) + 10
    file.seek(skip if tag[:3] == b"ID3" else 0)
    head = file.read(4096)
    return _stated(container) if any(mark in head for mark in (b"Xing", b"Info", b"VBRI")) else None


_OWN: dict[str, Callable[[BinaryIO, InputContainer], float | None]] = {"wav": _wav_length, "mp3": _mp3_length}
