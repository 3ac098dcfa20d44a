"""Single pictures at given times, without decoding the whole recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from av import VideoFrame
from av.container import InputContainer
from av.error import FFmpegError

from segmenter.media.decoding import Damage, decoded
from segmenter.media.frames import Frame, upright
from segmenter.media.opening import opened
from segmenter.media.passages import ROUNDED_S
from segmenter.records import Recording, VideoStream

_JUMP_S = 10.0  # further ahead it is quicker to seek: encoders set a keyframe every 2 to 10 s

_Picture = tuple[float, VideoFrame]


def pictures_at(
    recording: Recording, stream: VideoStream, times: Sequence[float], width_px: int | None = None
) -> Iterator[Frame | None]:
    """For each of the rising `times` the upright picture that is shown then, at most `width_px` wide; None where none can be
    decoded.

    A frame's own `time` says when the picture appeared.
    """
    with opened(recording.path) as container:
        reader = _Reader(container, recording, stream)
        for time in times:
            shown = reader.at(time)
            yield None if shown is None else Frame(shown[0], upright(shown[1], width_px))


class _Reader:
    """Goes forward through the pictures of one stream, in jumps where that is quicker."""

    def __init__(self, container: InputContainer, recording: Recording, stream: VideoStream) -> None:
        self._container, self._recording, self._stream = container, recording, stream
        self._can_jump = not recording.mends  # seeking goes by the file's own times
        self._nominal_s = 1 / (stream.average_rate_hz or inf)
        self._pictures = self._from_here(last=-self._nominal_s)
        self._shown: _Picture | None = None
        self._next: _Picture | None = next(self._pictures, None)

    def at(self, time: float) -> _Picture | None:
        """The last picture that appears by `time`, or the first one there is."""
        if self._can_jump and self._next is not None and time - self._next[0] > _JUMP_S:
            self._jump(time)
        while self._next is not None and self._next[0] <= time + ROUNDED_S:
            self._shown, self._next = self._next, next(self._pictures, None)
        return self._shown or self._next

    def _jump(self, time: float) -> None:
        """To a keyframe before `time`; where the file cannot be sought in, all pictures are gone through, once."""
        for lead in (0.0, _JUMP_S):  # without an index a seek may land behind the keyframe that was meant
            if self._seek(time - lead) and self._next is not None and self._next[0] <= time:
                return
        self._can_jump = False
        self._seek(0.0)

    def _seek(self, time: float) -> bool:
        source = self._container.streams[self._stream.index]
        ticks = int((max(0.0, time) + self._recording.zero) / float(source.time_base or 1))
        try:
            self._container.seek(ticks, stream=source)
        except FFmpegError:
            return False
        self._pictures = self._from_here()
        self._shown, self._next = None, next(self._pictures, None)
        return True

    def _from_here(self, last: float = -inf) -> Iterator[_Picture]:
        """A picture without a time follows the one before, as in `VideoFrames`; then there is nothing to seek by."""
        for time, picture in decoded(self._container, self._recording, self._stream, Damage("picture")):
            self._can_jump = self._can_jump and time is not None
            last = last + self._nominal_s if time is None else time
            if last > -inf:
                yield last, picture
