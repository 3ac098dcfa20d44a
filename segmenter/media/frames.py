"""The pictures of a recording by presentation time, upright, at a chosen step."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

import numpy as np
from av import VideoFrame
from av.container import InputContainer
from numpy.typing import NDArray

from segmenter.media.decoding import Damage, clockwise, decoded
from segmenter.media.opening import opened
from segmenter.media.pauses import Pauses
from segmenter.media.survey import nominal_duration
from segmenter.records import Finding, Recording, VideoStream

_EARLY_SHARE = 0.05  # of a step: a picture this little before its turn is taken, or rounded times would miss every other one
_MOST_BETWEEN = 16  # pictures that are kept beside one that is taken: all of them up to 160 a second at ten looks


class Frame:
    """One upright picture; `time` is its presentation time in seconds.

    What is asked for is made when it is asked for: most pictures of a quiet scene are only ever needed small and grey.
    `between` are the pictures since the one that was taken before, the last ones where they are many.
    """

    def __init__(self, time: float, picture: VideoFrame | NDArray[np.uint8], width_px: int | None = None) -> None:
        """`picture` is as it was decoded, to be scaled down to `width_px`, or ready BGR pixels, which are taken as they are."""
        self.time = time
        self.between: tuple[Frame, ...] = ()
        self._picture, self._width_px = picture, width_px

    @cached_property
    def image(self) -> NDArray[np.uint8]:
        """BGR, uint8, shape (height, width, 3)."""
        return upright(self._picture, self._width_px) if isinstance(self._picture, VideoFrame) else self._picture

    def grey(self, size_px: int) -> NDArray[np.uint8]:
        """Grey levels 0 to 255, uint8, shape (height, width), averaged down to `size_px` on the longer side."""
        picture = self._picture
        if not isinstance(picture, VideoFrame):
            picture = VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="bgr24")
        scale = min(1.0, size_px / max(picture.width, picture.height))
        width, height = (max(1, round(side * scale)) for side in (picture.width, picture.height))
        pixels = picture.reformat(width, height, "gray", interpolation="AREA").to_ndarray()
        return np.ascontiguousarray(np.rot90(pixels, -clockwise(picture.rotation) // 90), dtype=np.uint8)


def taken(frames: Iterable[Frame], step_s: float | None) -> Iterator[Frame]:
    """At most one picture a step, chosen by its time, the others in its `between`; without a step, each. Times rise."""
    due, passed = 0.0, deque[Frame](maxlen=_MOST_BETWEEN)
    for frame in frames:
        early = frame.time + _EARLY_SHARE * (step_s or 0.0)
        if step_s and early < due:
            passed.append(frame)
            continue
        due = (early // step_s + 1) * step_s if step_s else 0.0
        frame.between = tuple(passed)
        passed.clear()
        yield frame


class VideoFrames:
    """The pictures of one video stream by strictly rising time, upright.

    With `step_s`, at most one picture a step, chosen by timestamp: whether a file has 10 or 60 pictures a second makes
    no difference. With `width_px` they are scaled to that upright width. Pictures
    that cannot be decoded are skipped, counted and reported at the end. After iteration `end` is the end of the last
    decoded picture, in seconds, and `count` the number of all decoded ones.
    """

    def __init__(
        self,
        recording: Recording,
        stream: VideoStream,
        report: Callable[[Finding], None],
        step_s: float | None = None,
        width_px: int | None = None,
    ) -> None:
        self._recording, self._stream, self._report = recording, stream, report
        self._step_s, self._width_px = step_s, width_px
        self.end = 0.0
        self.count = 0

    def __iter__(self) -> Iterator[Frame]:
        self.end, self.count = 0.0, 0
        damage, oddities = Damage("picture"), _Oddities()
        with opened(self._recording.path) as container:
            pictures = self._in_order(container, damage, oddities)
            yield from taken((Frame(time, picture, self._width_px) for time, picture in pictures), self._step_s)
        damage.tell(self._report)
        oddities.tell(self._report)

    def _in_order(self, container: InputContainer, damage: Damage, oddities: _Oddities) -> Iterator[tuple[float, VideoFrame]]:
        """All decoded pictures by strictly rising time; a picture without a time follows the one before."""
        source = container.streams[self._stream.index]
        seconds, nominal = float(source.time_base or 1), nominal_duration(source)
        last = -inf
        for given, picture in decoded(container, self._recording, self._stream, damage):
            self.count += 1
            time = self.end if given is None else given
            oddities.sizes.add((picture.width, picture.height))
            if time <= last or time < 0:
                oddities.late += 1
                continue
            last = time
            oddities.pauses.see(time)
            self.end = time + (picture.duration * seconds or nominal)
            yield time, picture


@dataclass(slots=True)
class _Oddities:
    """What is told once about the pictures of a stream."""

    sizes: set[tuple[int, int]] = field(default_factory=set)
    late: int = 0
    pauses: Pauses = field(default_factory=Pauses)

    def tell(self, report: Callable[[Finding], None]) -> None:
        if len(self.sizes) > 1:
            sizes = ", ".join(f"{width}x{height}" for width, height in sorted(self.sizes))
            report(Finding("picture_size_changes", f"the size of the picture changes: {sizes}", level="note"))
        if self.late:
            report(Finding("picture_times_not_rising", f"{self.late} pictures repeat an earlier timestamp and are left out"))
        self.pauses.tell(report)


def upright(picture: VideoFrame, width_px: int | None = None) -> NDArray[np.uint8]:
    """BGR pixels, turned as the display matrix says and scaled down to `width_px` where it is wider."""
    turn = clockwise(picture.rotation)
    shown_px = picture.height if turn % 180 else picture.width
    scale = 1.0 if width_px is None else min(1.0, width_px / shown_px)
    width, height = (max(1, round(side * scale)) for side in (picture.width, picture.height))
    pixels = picture.to_ndarray(format="bgr24", width=width, height=height)
    return np.ascontiguousarray(np.rot90(pixels, -turn // 90), dtype=np.uint8)
