"""Zones and lines of a camera's picture, as somebody draws them: the file that they come in, and what is told of them."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

from segmenter.errors import SettingsError

_Kind = TypeVar("_Kind")

Point = tuple[float, float]  # fractions of the upright picture, from its upper left corner: across, down

_STRICT: dict[str, str] = {"extra": "forbid"}
_HINT = "docs/zones.md shows such a file"


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the picture in which things count. A thing is where its box touches the ground: the middle of its lower edge."""

    __pydantic_config__: ClassVar = _STRICT
    name: str
    polygon: tuple[Point, ...]
    labels: tuple[str, ...] = ()  # none: all
    min_height: float = 0.0  # of the box, as a share of the picture's height: smaller things do not count here
    dwell_s: float = 0.0  # shorter stays are not told

    def __post_init__(self) -> None:
        if len(self.polygon) < 3:
            raise SettingsError(f"the polygon of zone {self.name!r} has {len(self.polygon)} corners, not three or more")
        _check_points(f"zone {self.name!r}", self.polygon)
        if not 0 <= self.min_height <= 1:
            raise SettingsError(f"min_height = {self.min_height} of zone {self.name!r} is no share of the picture, 0 to 1")
        if not (isfinite(self.dwell_s) and self.dwell_s >= 0):
            raise SettingsError(f"dwell_s = {self.dwell_s} of zone {self.name!r} is no time")


@dataclass(frozen=True, slots=True)
class Line:
    """Who goes over it, as seen from `start` looking to `end`, goes to the left or to the right."""

    __pydantic_config__: ClassVar = _STRICT
    name: str
    start: Point
    end: Point
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_points(f"line {self.name!r}", (self.start, self.end))
        if self.start == self.end:
            raise SettingsError(f"line {self.name!r} ends where it starts")


@dataclass(frozen=True, slots=True)
class Zoning:
    """All zones and lines of one camera; without zones the whole picture counts."""

    __pydantic_config__: ClassVar = _STRICT
    zones: tuple[Zone, ...] = ()
    lines: tuple[Line, ...] = ()

    def __post_init__(self) -> None:
        names = [zone.name for zone in self.zones] + [line.name for line in self.lines]
        for name in names:
            if names.count(name) > 1:
                raise SettingsError(f"there are two zones or lines called {name!r}")
        for zone in self.zones:
            _check_shape(zone)


@dataclass(frozen=True, slots=True)
class ZoneVisit:
    """A track of the event stays in a zone from `start` to `end`, in seconds."""

    zone: str
    track: int
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Crossing:
    """A track of the event goes over a line, to the `direction` of it as seen from its start."""

    line: str
    track: int
    time: float
    direction: Literal["left", "right"]


def read(path: str | Path) -> Zoning:
    """The zones in a TOML or JSON file, with tables `zones` and `lines`.

    Raises:
        SettingsError: the file cannot be read, or something in it is wrong: the message says where.
        PackageMissing: shapely is not installed.
    """
    from pydantic import ValidationError

    try:
        zoning = typed(Zoning, _tables(Path(path)))
    except ValidationError as error:
        first = error.errors()[0]
        what = "unknown name" if first["type"] == "unexpected_keyword_argument" else plain(first["msg"])
        raise SettingsError(f"{_place(first['loc']) or 'the whole'}: {what}", path=path, hint=_HINT) from error
    except SettingsError as error:
        raise SettingsError(error.what, path=path, hint=error.hint or _HINT) from error
    if not (zoning.zones or zoning.lines):
        raise SettingsError("neither zones nor lines in it", path=path, hint=_HINT)
    return zoning


def _tables(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except OSError as error:
        raise SettingsError(f"cannot read the zones: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # the parsers' errors name the line and the column
        raise SettingsError(f"cannot read the zones: {error}") from error


def typed(kind: type[_Kind], tables: Any) -> _Kind:
    """The dataclass `kind` from the tables of a file, no value taken for another: `true` is not 1, nor `"1"`.

    Raises:
        ValidationError: something in them is wrong.
        SettingsError: a number in them has more digits than any setting, or they are nested too deep.
    """
    from pydantic import TypeAdapter

    # By way of JSON, whose arrays may be tuples when pydantic is strict; what JSON has not, such as a date, fits nowhere.
    try:
        text = json.dumps(tables, default=str)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"cannot read the settings: {error}") from error
    return TypeAdapter(kind).validate_json(text, strict=True)


def plain(message: str) -> str:
    """What pydantic says of a wrong value, in the words of TOML."""
    return message.replace("a valid array", "an array").replace("an object", "a table")


def _place(parts: tuple[int | str, ...]) -> str:
    """`zones[0].polygon[2]`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).lstrip(".")


def _check_points(what: str, points: tuple[Point, ...]) -> None:
    for point in points:
        if not all(0 <= value <= 1 for value in point):
            raise SettingsError(f"a point of {what} lies outside the picture: {list(point)}", hint="fractions, 0 to 1")


def _check_shape(zone: Zone) -> None:
    from importlib.util import find_spec

    from segmenter.errors import PackageMissing

    if find_spec("shapely") is None:
        raise PackageMissing("shapely", "zones")
    from shapely import Polygon
    from shapely.validation import explain_validity

    if not Polygon(zone.polygon).is_valid:
        raise SettingsError(f"the polygon of zone {zone.name!r} is none: {explain_validity(Polygon(zone.polygon))}")
