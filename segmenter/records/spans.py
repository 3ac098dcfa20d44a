"""What every record is made of: spans of time, and what is told of them."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Literal

Level = Literal["note", "warning"]


def check(owner: object, start: float, end: float) -> None:
    if not (isfinite(start) and isfinite(end) and 0 <= start <= end):
        raise ValueError(f"{type(owner).__name__}: 0 <= start <= end does not hold for [{start}, {end}]")


def check_share(owner: object, name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{type(owner).__name__}: {name} must lie between 0 and 1, not {value}")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time, [start, end)."""

    start: float
    end: float

    def __post_init__(self) -> None:
        check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Finding:
    """What the user should know. A warning says that something was lost, damaged or assumed; a note does not."""

    code: str
    message: str
    start: float | None = None
    end: float | None = None
    level: Level = "warning"
