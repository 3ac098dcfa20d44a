"""Copied lanes: the packets of the recording, as they are, with new times."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from av.container import OutputContainer
from av.packet import Packet

from segmenter.clips.lane import Passage, Unfit, needed, timed
from segmenter.media.opening import opened
from segmenter.media.passages import ROUNDED_S, packets_from, seconds
from segmenter.records import Recording, VideoStream

TEXT_CODECS = ("mov_text", "srt", "subrip", "ass", "ssa", "webvtt", "text")
_SUBTITLE_LEAD_S = 10.0  # a subtitle that is still shown was written into the file earlier
_REORDERED = 32  # more pictures than that are never decoded ahead of one that is shown: H.264 and HEVC allow 16
_LEAD_S = 0.5  # holds the packet before, whatever the sound


def keyframe_before(recording: Recording, stream: VideoStream, time: float) -> float:
    """When the last keyframe at or before `time` appears; below 0 where the file hides its beginning.

    Raises:
        Unfit: the packets do not say when they are shown.
    """
    found = None
    for packet in with_times(packets_from(recording, stream.index, time), recording):
        if seconds(packet, packet.dts, recording) > time + ROUNDED_S:
            break
        if packet.is_keyframe and seconds(packet, packet.pts, recording) <= time + ROUNDED_S:
            found = seconds(packet, packet.pts, recording)
    return stream.start if found is None else found


def with_times(packets: Iterator[Packet[Any]], recording: Recording) -> Iterator[Packet[Any]]:
    """The packets that hold something. Matroska does not say when its first ones are decoded: at even steps before the next.

    Raises:
        Unfit: one does not say when it is shown, or a whole group when it is decoded.
    """
    if recording.mends:
        raise Unfit("the file's times had to be mended")
    waiting: list[Packet[Any]] = []
    for packet in packets:
        if not packet.size:
            continue
        waiting.append(packet)
        if packet.pts is None or len(waiting) > _REORDERED:
            raise Unfit("not all packets have times")
        if packet.dts is not None:
            for steps, earlier in enumerate(reversed(waiting[:-1]), start=1):
                earlier.dts = packet.dts - steps * (packet.duration or 1)
            yield from waiting
            waiting.clear()
    if waiting:
        raise Unfit("not all packets have times")


class Copied:
    """One stream, from the packet shown at `since` on, by default at the beginning of the passage.

    `lead` packets before it come along where the container can hide them: AAC adds neighbours, so that a packet
    without the one before is never heard in full.
    """

    def __init__(self, passage: Passage, index: int, since: float | None = None, lead: int = 0) -> None:
        self._passage, self._index, self._lead = passage, index, lead
        self._since = passage.start if since is None else since
        with opened(passage.recording.path) as container:
            source = container.streams[index]
            self.codec = source.codec_context.name
            self._time_base = source.time_base or Fraction(1)
        self._offset = round((passage.start + passage.recording.zero) / self._time_base)
        self.end = passage.start

    def join(self, clip: OutputContainer) -> None:
        if "mp4" not in clip.format.name:
            self._lead = 0
        self._out = added(clip, self._passage.recording, self._index)

    def packets(self) -> Iterator[Packet[Any]]:
        for packet in self._cut():
            assert packet.pts is not None
            assert packet.dts is not None
            lasts, shift = packet.duration or 0, self._offset
            self.end = max(self.end, seconds(packet, packet.pts + lasts, self._passage.recording))
            yield timed(packet, self._out, packet.pts - shift, packet.dts - shift, lasts, self._time_base)

    def _cut(self) -> Iterator[Packet[Any]]:
        """From the first one shown in the passage to the last, and those that they need."""
        begin, end, recording = self._since - ROUNDED_S, self._passage.end - ROUNDED_S, self._passage.recording
        before: deque[Packet[Any]] = deque(maxlen=self._lead)
        near = packets_from(recording, self._index, self._since - (_LEAD_S if self._lead else 0.0))
        known = needed(
            with_times(near, recording),
            end,
            decoded=lambda packet: seconds(packet, packet.dts, recording),
            shown=lambda packet: seconds(packet, packet.pts, recording),
        )
        for packet in known:
            if seconds(packet, packet.pts, recording) < begin:
                before.append(packet)
            else:
                yield from (*before, packet)
                before.clear()


class Subtitles:
    """Text as it is, timed anew: what is shown when the clip begins or ends is shown for the part that is inside."""

    def __init__(self, passage: Passage, index: int) -> None:
        self._passage, self._index = passage, index
        with opened(passage.recording.path) as container:
            self.codec = container.streams[index].codec_context.name
        self.end = passage.start

    def join(self, clip: OutputContainer) -> None:
        self._out = added(clip, self._passage.recording, self._index)

    def packets(self) -> Iterator[Packet[Any]]:
        start, end, recording = self._passage.start, self._passage.end, self._passage.recording
        for packet in with_times(packets_from(recording, self._index, max(0.0, start - _SUBTITLE_LEAD_S)), recording):
            shown, tick = seconds(packet, packet.pts, recording), packet.time_base
            hidden = shown + (packet.duration or 0) * float(tick)
            if shown >= end:
                return
            if hidden > start:
                pts, until = (round((time - start) / tick) for time in (max(shown, start), min(hidden, end)))
                yield timed(packet, self._out, pts, pts, until - pts, tick)


def added(clip: OutputContainer, recording: Recording, index: int) -> Any:
    """A stream of the clip like one of the recording."""
    with opened(recording.path) as container:
        source = container.streams[index]
        out = clip.add_stream_from_template(source, opaque=True)
        out.metadata.update({key: value for key, value in source.metadata.items() if key in ("language", "title")})
    return out
