"""The clip of an event in the making: packets copied from the ring into a file, as long as the event goes on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import av

from segmenter.clips.checking import check
from segmenter.clips.cutting import suffix
from segmenter.clips.lane import Unfit, needed, timed
from segmenter.live.ring import Piece, Ring

_PART = f".part-{os.getpid()}-"  # nobody takes an unfinished clip for one, or for his own
_NUMBERS = count(1)


class Clip:
    """A file that begins with `opening`, a keyframe, and takes what the ring has of the same kind after it.

    Raises:
        FFmpegError, ValueError, OSError: it cannot be written.
    """

    def __init__(self, ring: Ring, opening: Piece, folder: Path) -> None:
        self.start = self.end = opening.shown
        self._ring, self._opening, self._coded = ring, opening, opening.session.coded
        self._next = dict.fromkeys(self._coded, 0)  # stream -> the number of the next piece that it may take
        self._dts: dict[int, int] = {}
        self._broken = False
        templates = opening.session.templates
        if opening.stream not in templates:
            raise ValueError("no clip can hold such pictures")
        ending = suffix(str(coded[1]) for coded in self._coded.values())
        self._part = folder / f"{_PART}{next(_NUMBERS)}{ending}"
        options = {"movflags": "+faststart"} if ending == ".mp4" else {}  # the index first: it plays while it loads
        self._file = av.open(str(self._part), "w", container_options=options)
        self._out: dict[int, Any] = {i: self._file.add_stream_from_template(t, opaque=True) for i, t in templates.items()}
        self._file.start_encoding()

    def pull(self, until: float) -> None:
        """Takes what the ring has by now of what is shown before that time.

        Raises:
            Unfit: something was lost before it could be taken.
        """
        taken = max(self._next.values())
        pieces = self._ring.since(min(self._next.values()))
        if taken and self._ring.lost >= taken:
            raise Unfit("more came at once than memory holds")
        wanted = [piece for stream in self._next for piece in self._needed(pieces, stream, until)]
        for piece in sorted(wanted, key=lambda piece: piece.number):
            if self._broken:
                return
            self._take(piece)

    def finish(self, name: str) -> Path:
        """Closes the file and looks at it; it is there under its name then, which gets a suffix, or not at all.

        Raises:
            Unfit, BadInput, FFmpegError, OSError: it is not what it should be.
        """
        try:
            self._file.close()
            check(self._part, self.end - self.start, pictures=1)
            return _moved(self._part, self._part.with_name(f"{name}{self._part.suffix}"))
        finally:
            self._part.unlink(missing_ok=True)

    def drop(self) -> None:
        """There will be no such clip."""
        with suppress(OSError, ValueError):  # on a full disk it cannot even be closed, and goes all the same
            self._file.close()
        self._part.unlink(missing_ok=True)

    def _needed(self, pieces: Iterable[Piece], stream: int, until: float) -> Iterator[Piece]:
        own = (piece for piece in pieces if piece.stream == stream and piece.number >= self._next[stream])
        return needed(own, until, decoded=lambda piece: piece.decoded, shown=lambda piece: piece.shown)

    def _take(self, piece: Piece) -> None:
        if piece.session.coded != self._coded:
            self._broken = True  # another picture size, another codec: that is another film
            return
        self._next[piece.stream] = piece.number + 1
        early = piece.picture and piece.number < self._opening.number
        if early or piece.shown < self.start or piece.dts <= self._dts.get(piece.stream, piece.dts - 1):
            return
        self._dts[piece.stream] = piece.dts
        shift = round(self.start / piece.tick)
        pts, dts = piece.pts - shift, piece.dts - shift
        self._file.mux(timed(piece.packet, self._out[piece.stream], pts, dts, piece.duration, piece.tick))
        self.end = max(self.end, piece.end)


def _moved(part: Path, path: Path) -> Path:
    """To its own name, or that with a number where there is such a file already."""
    for number in count(1):
        place = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        try:
            place.open("x").close()
        except FileExistsError:
            continue
        part.replace(place)
        return place
    raise AssertionError
