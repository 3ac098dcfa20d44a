"""`sightings.jsonl.gz`: everything the tracker saw, so that other event settings cost no second look.

JSON Lines. The first line says where the sightings come from; then one line an observation, empty ones too,
`[time, [track, label, confidence, left, top, right, bottom], ...]`, boxes as fractions of the upright picture; the last
line says where the pictures ended and what was found out about them.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from segmenter.errors import BadInput, NotAFile
from segmenter.files import local_file
from segmenter.formats.faults import FAULTS, wrong
from segmenter.records import Box, Finding, Observation, Sighting

NAME = "sightings.jsonl.gz"
VERSION = 1
_LINE_BYTES = 1_000_000  # some ten thousand boxes in one picture
_MOST_S = 1e7  # four months
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where sightings come from: the recording's id, the tracker, its weights, looks a second."""

    recording: str
    tracker: str
    model: str | None
    rate_hz: float


class Source(Protocol):
    """Observations in order, as a stream; after iteration `end` and `findings` are known."""

    @property
    def origin(self) -> Origin: ...
    @property
    def end(self) -> float: ...  # of the pictures
    @property
    def findings(self) -> Sequence[Finding]: ...
    def __iter__(self) -> Iterator[Observation]: ...


@dataclass(frozen=True, slots=True)
class SightingsWriter:
    """Writes a file of sightings while they pass."""

    file: BinaryIO | gzip.GzipFile

    def note(self, observations: Iterable[Observation]) -> Iterator[Observation]:
        """Every observation as the file keeps it, in microseconds and hundredths of a pixel.

        Events are made of these: read back, the file gives the same events, to the last digit.
        """
        for observation in map(_rounded, observations):
            self._line([observation.time, *([s.track, s.label, s.confidence, *s.box] for s in observation.sightings)])
            yield observation

    def close(self, source: Source) -> None:
        """The last line, once all have passed."""
        self._line({"end": source.end, "findings": [asdict(finding) for finding in source.findings]})

    def _line(self, value: object) -> None:
        self.file.write(json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode() + b"\n")


@contextmanager
def writing(path: Path | None, origin: Origin) -> Iterator[SightingsWriter]:
    """The same observations give the same bytes: the file holds no name and no date. None: they are not kept."""
    with Path(path or os.devnull).open("wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as file:
        writer = SightingsWriter(file)
        writer._line({"sightings": VERSION, **asdict(origin)})
        yield writer


def _rounded(observation: Observation) -> Observation:
    sightings = tuple(
        Sighting(s.track, s.label, round(s.confidence, 4), Box(*(round(edge, 5) for edge in s.box)))
        for s in observation.sightings
    )
    return Observation(round(observation.time, 6), sightings)


class KeptSightings:
    """The `Source` in a file, plain or gzip.

    Raises:
        NotAFile: not a regular file that can be read.
        BadInput: no such file, or a broken one; while iterating, too.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.end = 0.0
        self.findings: Sequence[Finding] = ()
        with self._lines() as lines:
            self.origin = self._read(next(lines, (1, b"")), _origin)

    def __iter__(self) -> Iterator[Observation]:
        last = -1.0
        with self._lines() as lines:
            next(lines)
            for number, line in lines:
                if line.startswith(b"{"):
                    self.end, self.findings = self._read((number, line), _closing)
                    next(lines, None)  # gzip compares its checksum only where the file ends
                    return
                observation = self._read((number, line), _observation)
                if observation.time <= last:
                    raise self._bad(number, f"the time {observation.time} comes after {last}")
                last = observation.time
                yield observation
        raise self._bad(None, "its last line is missing: the run that wrote it did not end")

    @contextmanager
    def _lines(self) -> Iterator[Iterator[tuple[int, bytes]]]:
        """Numbered lines; how gzip fails on a broken file is told."""
        local_file(self._path)
        try:
            with self._path.open("rb") as raw:
                zipped = raw.peek(2)[:2] == _GZIP
                file = gzip.GzipFile(fileobj=raw) if zipped else raw
                yield enumerate(iter(lambda: file.readline(_LINE_BYTES), b""), start=1)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise self._bad(None, str(error)) from error
        except OSError as error:
            raise NotAFile(f"it cannot be read: {error.strerror}", path=self._path) from error

    def _read(self, numbered: tuple[int, bytes], reader: Callable[[Any], Any]) -> Any:
        number, line = numbered
        try:
            return reader(json.loads(line))
        except FAULTS as error:
            raise self._bad(number, wrong(error)) from error

    def _bad(self, line: int | None, what: str) -> BadInput:
        where = "" if line is None else f"line {line}: "
        return BadInput(f"{where}no sightings as segmenter run keeps them: {what[:120]}", path=self._path)


def _origin(line: Any) -> Origin:
    if not isinstance(line, dict) or line.get("sightings") != VERSION:
        raise ValueError(f'the first line must say {{"sightings":{VERSION}, ...}}')
    model = line.get("model")
    return Origin(str(line["recording"]), str(line["tracker"]), None if model is None else str(model), float(line["rate_hz"]))


def _closing(line: Any) -> tuple[float, tuple[Finding, ...]]:
    return _number(line["end"], 0, _MOST_S), tuple(Finding(**finding) for finding in line["findings"])


def _observation(line: Any) -> Observation:
    time, *seen = line
    return Observation(_number(time, 0, _MOST_S), tuple(_sighting(*one) for one in seen))


def _sighting(track: Any, label: Any, confidence: Any, left: Any, top: Any, right: Any, bottom: Any) -> Sighting:
    box = Box(*(_number(edge, 0, 1) for edge in (left, top, right, bottom)))
    if type(track) is not int or not isinstance(label, str) or box.left > box.right or box.top > box.bottom:
        raise ValueError(f"no sighting: {[track, label, confidence, *box]}")
    return Sighting(track, label, _number(confidence, 0, 1), box)


def _number(value: Any, least: float, most: float) -> float:
    if type(value) not in (int, float) or not isfinite(value) or not least <= value <= most:
        raise ValueError(f"{value!r} is no number between {least:g} and {most:g}")
    return float(value)
