"""How far a run is, on standard error: bars with time left on a terminal, now and then a line elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from segmenter.progress import Progress as Report
from segmenter.progress import silent
from segmenter.timeline import clock

_EVERY_S = 10.0  # between two plain lines of one stage


@contextmanager
def shown(console: Console, quiet: bool) -> Iterator[Report]:
    """Draws what is reported inside the block."""
    if quiet:
        yield silent
    elif console.is_terminal:
        columns = (
            TextColumn("{task.description:>8}"),
            BarColumn(),
            TextColumn("{task.fields[at]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=console, transient=True) as bars:
            yield _Bars(bars)
    else:
        yield _Lines(console)


class _Bars:
    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, stage: str, done: float, total: float) -> None:
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(stage, total=total, at="")
        at = f"{clock(done, 0)} of {clock(total, 0)}"
        self._bars.update(self._tasks[stage], completed=done, total=total, at=at)


class _Lines:
    """`speech 1:30 of 10:00, about 2:10 left`, at most every ten seconds."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._began: dict[str, float] = {}
        self._said: dict[str, float] = {}

    def __call__(self, stage: str, done: float, total: float) -> None:
        now = monotonic()
        began = self._began.setdefault(stage, now)
        if now - self._said.setdefault(stage, now) < _EVERY_S or done <= 0:
            return
        self._said[stage] = now
        left = (now - began) / done * (total - done)
        self._console.print(f"{stage} {clock(done, 0)} of {clock(total, 0)}, about {clock(left, 0)} left", highlight=False)
