"""Pauses between the pictures of a stream: a camera that is steady otherwise has lost something there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import accumulate

from segmenter.records import Finding
from segmenter.timeline import clock, milliseconds

LEAST_S = 1.0  # shorter ones hide nobody
TIMES = 10  # as long as the usual step; a time lapse pauses all the time
_STEADY_SHARE = 0.95  # of the steps are about the usual one
_MOST_KEPT = 10_000


class Pauses:
    """Sees the time of each picture, in order, and tells once where none came."""

    def __init__(self) -> None:
        self._steps: Counter[int] = Counter()  # in ms
        self._long: list[tuple[float, float]] = []
        self._last: float | None = None

    def see(self, time: float) -> None:
        if self._last is not None:
            self._steps[milliseconds(time - self._last)] += 1
            if time - self._last > LEAST_S and len(self._long) < _MOST_KEPT:
                self._long.append((self._last, time))
        self._last = time

    def tell(self, report: Callable[[Finding], None]) -> None:
        """A warning where the pictures come at a steady rate otherwise, else a note."""
        usual = self._usual_ms()
        long = [(start, end) for start, end in self._long if milliseconds(end - start) > TIMES * usual]
        if not long:
            return
        (start, end), count = long[0], sum(self._steps.values())
        more = f" and {len(long) - 1} times more" if len(long) > 1 else ""
        message = f"no pictures for {end - start:.1f} s at {clock(start, 0)}{more}"
        if sum(n for step, n in self._steps.items() if usual / 2 <= step <= usual * 1.5) < _STEADY_SHARE * count:
            report(Finding("picture_hole", f"{message}: their rate changes", start, end, "note"))
            return
        missing = sum(milliseconds(b - a) for a, b in long) // usual - len(long)
        what = f"{count + 1} of about {count + 1 + missing} came; nothing is known of what happened meanwhile"
        report(Finding("picture_hole", f"{message}: {what}", start, end))

    def _usual_ms(self) -> int:
        """The median step."""
        ordered = sorted(self._steps.items())
        passed = accumulate(count for _, count in ordered)
        half = sum(self._steps.values()) / 2
        return max(1, next((step for (step, _), so_far in zip(ordered, passed, strict=True) if so_far >= half), 1))
