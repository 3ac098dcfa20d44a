"""How a long stage says how far it is; the command line draws bars from it, a library caller may pass its own."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    def __call__(self, stage: str, done: float, total: float) -> None:
        """`done` of `total` seconds of the recording have gone through `stage`."""


def silent(stage: str, done: float, total: float) -> None:
    """Says nothing."""
