"""A passage of one stream, its packets or its pictures, without reading the whole recording."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, pairwise
from math import inf
from typing import Any, NamedTuple

from av import VideoFrame
from av.container import InputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.stream import Stream

from segmenter.media.decoding import Damage, decoded
from segmenter.media.opening import opened
from segmenter.media.packets import mended
from segmenter.records import AudioStream, Recording, VideoStream

ROUNDED_S = 0.0006  # a time that was written in milliseconds means the picture that it was taken from
_LEADS_S = (0.0, 10.0, 60.0)  # without an index a seek may land behind the keyframe that was meant


class Picture(NamedTuple):
    """`frame` is shown during [start, end), seconds on the recording's clock."""

    start: float
    end: float
    frame: VideoFrame


@contextmanager
def _opened_at(recording: Recording, index: int, time: float) -> Iterator[InputContainer]:
    """The container; what is read first of stream `index` is a keyframe at or before `time`.

    Where the file cannot be sought in, or its times had to be mended, it is read from its beginning.
    """
    with opened(recording.path) as container:
        if not recording.mends and _found(container, recording, index, time):  # mends are counted from the beginning
            yield container
            return
    with opened(recording.path) as container:
        yield container


def _found(container: InputContainer, recording: Recording, index: int, time: float) -> bool:
    source = container.streams[index]
    for lead in _LEADS_S:
        target = round((time - lead + recording.zero) / float(source.time_base or 1))
        try:
            container.seek(target, stream=source)
            first = next((packet for packet in container.demux(source) if packet.is_keyframe), None)
            if first is not None and first.pts is None:
                return False
            if first is not None and seconds(first, first.pts, recording) <= time + ROUNDED_S:
                container.seek(target, stream=source)
                return True
        except FFmpegError:
            return False
    return False


def packets_from(recording: Recording, index: int, time: float) -> Iterator[Packet[Stream]]:
    """The packets of a stream in decoding order from a keyframe at or before `time` on."""
    with _opened_at(recording, index, time) as container:
        yield from mended(container, container.streams[index], recording.mends)


def seconds(packet: Packet[Any], ticks: int | None, recording: Recording) -> float:
    """A time of the packet, given in its ticks, on the recording's clock; minus infinity for None."""
    return -inf if ticks is None else ticks * float(packet.time_base) - recording.zero


def frames_from(
    recording: Recording, stream: AudioStream | VideoStream, time: float, damage: Damage
) -> Iterator[tuple[float | None, Any]]:
    """Decoded frames and their times, from a keyframe at or before `time` on."""
    with _opened_at(recording, stream.index, time) as container:
        yield from decoded(container, recording, stream, damage)


def pictures(recording: Recording, stream: VideoStream, start: float, end: float, damage: Damage) -> Iterator[Picture]:
    """What is shown during [start, end): the first picture from `start` on, though it may have appeared before."""
    shown = _rising(frames_from(recording, stream, start, damage), 1 / (stream.average_rate_hz or inf))
    for (time, frame), (following, _) in pairwise(chain(shown, [(stream.end, None)])):
        if time >= end - ROUNDED_S:
            return
        if frame is not None and following > start + ROUNDED_S:
            yield Picture(max(time, start), min(max(following, time), end), frame)


def _rising(frames: Iterator[tuple[float | None, Any]], nominal: float) -> Iterator[tuple[float, VideoFrame | None]]:
    """By strictly rising time; a picture without a time follows the one before, as in `VideoFrames`."""
    last = -inf
    for given, frame in frames:
        time = max(0.0, last + nominal) if given is None else given
        if time > last:
            last = time
            yield time, frame
