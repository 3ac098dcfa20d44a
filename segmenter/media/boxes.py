"""The boxes of an MP4 or QuickTime file, read before any library believes them.

Two things are looked for: data references that name another file, and sample counts that would make a reader set
aside more memory than the machine has (ISO/IEC 14496-12, 8.7 and 8.8).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from segmenter.errors import BadInput, ForbiddenInput

_DEEPEST = 16  # a data reference lies five boxes deep; libavformat refuses more than ten
MAX_SAMPLES = 20_000_000  # 92 hours at 60 frames a second; libavformat keeps 24 bytes for each

_FIRST = (b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"styp", b"moof", b"sidx", b"pnot", b"uuid")
_PARENTS = (b"moov", b"trak", b"mdia", b"minf", b"dinf", b"stbl", b"moof", b"traf")


class Box(NamedTuple):
    kind: bytes
    start: int  # of the content, in bytes from the beginning of the file
    end: int


def is_mp4(head: bytes) -> bool:
    """Whether the file begins with a box that opens MP4 and QuickTime files."""
    return head[4:8] in _FIRST


def check_boxes(file: BinaryIO, size: int, path: Path) -> bool:
    """Whether there is an index (moov) at all.

    Raises:
        ForbiddenInput: a track says that its data lie in another file.
        BadInput: the tracks claim more samples than MAX_SAMPLES.
    """
    has_index, samples = False, 0
    for box in _walk(file, 0, size):
        has_index = has_index or box.kind == b"moov"
        if box.kind == b"dref":
            _refuse_references(file, box, path)
        samples += _COUNTS[box.kind](file, box) if box.kind in _COUNTS else 0
        if samples > MAX_SAMPLES:
            raise BadInput(f"damaged: the index claims over {MAX_SAMPLES:,} samples", path=path)
    return has_index


def _walk(file: BinaryIO, start: int, end: int, depth: int = 0) -> Iterator[Box]:
    """Every box and, below the parents, its children; ends where the bytes make no sense."""
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", _read(file, start, 8))
        header = 8
        if size == 1:
            size, header = int.from_bytes(_read(file, start + 8, 8), "big"), 16
        stop = end if size == 0 else min(start + size, end)
        if stop < start + header:
            return
        yield Box(kind, start + header, stop)
        if kind in _PARENTS and depth < _DEEPEST:
            yield from _walk(file, start + header, stop, depth + 1)
        start = stop


def _read(file: BinaryIO, start: int, count: int) -> bytes:
    file.seek(start)
    return file.read(count).ljust(count, b"\0")


def _refuse_references(file: BinaryIO, dref: Box, path: Path) -> None:
    for entry in _walk(file, dref.start + 8, dref.end):
        flags = _read(file, entry.start, 4)[3]
        named = file.read(max(0, min(entry.end - entry.start - 4, 1024)))  # a negative count would read the whole file
        if not flags & 1 and named.strip(b"\0"):  # bit 0: the data are in this file
            raise ForbiddenInput(
                "its tracks refer to another file, which is never opened", path=path, hint="export it self-contained"
            )


def _equal_samples(file: BinaryIO, stsz: Box) -> int:
    """Samples of one size for all: the count is the header's word alone. Listed sizes are bounded by the file."""
    size, count = struct.unpack(">II", _read(file, stsz.start + 4, 8))
    return count if size else 0


def _fragment_samples(file: BinaryIO, trun: Box) -> int:
    return int.from_bytes(_read(file, trun.start + 4, 4), "big")


_COUNTS = {b"stsz": _equal_samples, b"trun": _fragment_samples}
