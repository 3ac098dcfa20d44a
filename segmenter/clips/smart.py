"""H.264 copied from the first picture on that needs no earlier one; only what comes before it, and the last few, re-encoded.

    recording   K....K....K....K....       K: a picture that needs no earlier one (IDR)
    passage       [...............]
    clip          [eeeK....K....Kee]       e: re-encoded

Pictures that are decoded ahead of others divide a recording into runs that are shown without a gap; the copied part
ends with such a run.

Source and encoder have parameter sets of their own. The encoder's get a number that no camera uses, and the clip's
header lists both, so that every picture finds the set it was made with (ISO/IEC 14496-15, 5.3.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, islice
from typing import Any, NamedTuple

from av.bitstream import BitStreamFilterContext
from av.codec.context import CodecContext, Flags
from av.container import OutputContainer
from av.packet import Packet
from av.video.codeccontext import VideoCodecContext

from segmenter.clips.copied import added, with_times
from segmenter.clips.encoded import ENCODER, QUALITY, drawn, prepare
from segmenter.clips.lane import Passage, Unfit, timed
from segmenter.media.decoding import Damage
from segmenter.media.opening import opened
from segmenter.media.passages import ROUNDED_S, Picture, packets_from, pictures, seconds
from segmenter.records import VideoStream

_SET_NUMBER = 31  # the last one that H.264 has; encoders count from 0
_EDGES = {**QUALITY, "x264-params": f"sps-id={_SET_NUMBER}"}
_IDR = 5
_START_CODE = b"\0\0\1"


class Seen(NamedTuple):
    """A packet of the source: times in ticks, and whether decoding may begin with it."""

    pts: int
    dts: int
    opens: bool


class SmartVideo:
    """The pictures shown during the passage.

    Raises:
        Unfit: not H.264, or nothing in it can be copied.
    """

    codec = "h264"

    def __init__(self, passage: Passage, stream: VideoStream) -> None:
        if stream.codec != "h264":
            raise Unfit(f"{stream.codec} cannot be joined from copied and re-encoded parts")
        self._passage, self._stream = passage, stream
        with opened(passage.recording.path) as container:
            self._time_base = container.streams[stream.index].time_base or Fraction(1)
        self._zero = round((passage.start + passage.recording.zero) / self._time_base)
        begin, end = (round((t - ROUNDED_S + passage.recording.zero) / self._time_base) for t in (passage.start, passage.end))
        self._before, self._copied, self._after = parted(self._survey(), begin, end)
        self.end = passage.start

    def _survey(self) -> list[Seen]:
        """The packets from the keyframe before the passage to its end."""
        seen, annex_b = [], self._annex_b()
        for packet in self._packets():
            if seconds(packet, packet.dts, self._passage.recording) > self._passage.end + ROUNDED_S:
                break
            pts, dts, key = packet.pts, packet.dts, packet.is_keyframe  # the filter takes the packet away
            assert pts is not None
            assert dts is not None
            seen.append(Seen(pts, dts, key and any(map(_is_idr, annex_b.filter(packet)))))
        return seen

    def _packets(self) -> Iterator[Packet[Any]]:
        recording = self._passage.recording
        return with_times(packets_from(recording, self._stream.index, self._passage.start), recording)

    def _annex_b(self) -> BitStreamFilterContext:
        """Start codes instead of lengths: one form for all containers, which the clip's muxer turns into its own."""
        with opened(self._passage.recording.path) as container:
            return BitStreamFilterContext("h264_mp4toannexb", container.streams[self._stream.index])

    def _time(self, ticks: int) -> float:
        return float(ticks * self._time_base) - self._passage.recording.zero

    def join(self, clip: OutputContainer) -> None:
        passage = self._passage
        self._out = added(clip, passage.recording, self._stream.index)
        first = next(self._pictures(passage.start, passage.end), None)
        if first is None:
            raise Unfit("no picture of it can be decoded")
        own, theirs = self._out.codec_context.extradata, self._encoder(first).extradata
        if not own or not theirs:
            raise Unfit("its header lists no parameter sets")
        self._out.codec_context.extradata = _sets(own) + theirs

    def _encoder(self, like: Picture) -> VideoCodecContext:
        context = CodecContext.create(ENCODER, "w")
        assert isinstance(context, VideoCodecContext)
        with opened(self._passage.recording.path) as container:
            prepare(context, like.frame, container.streams[self._stream.index], _EDGES)
        context.time_base = self._time_base
        context.flags |= Flags.global_header
        context.open()
        return context

    def packets(self) -> Iterator[Packet[Any]]:
        head, tail = ([seen.dts for seen in part] for part in (self._before, self._after))
        yield from self._edge(self._passage.start, self._time(self._copied[0].pts), head, from_end=True)
        yield from self._middle()
        if self._after:
            yield from self._edge(self._time(min(s.pts for s in self._after)), self._passage.end, tail, from_end=False)

    def _pictures(self, start: float, end: float) -> Iterator[Picture]:
        return pictures(self._passage.recording, self._stream, start, end, Damage("picture"))

    def _edge(self, start: float, end: float, decoded_at: list[int], from_end: bool) -> Iterator[Packet[Any]]:
        """Re-encoded pictures. They are decoded when the pictures were whose places they take: so times go on rising."""
        shown = list(self._pictures(start, end)) if end - start > ROUNDED_S else []
        if not shown:
            return
        if len(shown) > len(decoded_at):
            raise Unfit("more pictures than packets")
        times = decoded_at[-len(shown) :] if from_end else decoded_at[: len(shown)]
        context = self._encoder(shown[0])
        made: list[Packet[Any]] = []
        for picture in shown:
            made += context.encode(drawn(picture.frame, context, self._ticks(picture.start), self._time_base))
        made += context.encode(None)
        for packet, picture, dts in zip(made, shown, times, strict=True):
            lasts = self._ticks(picture.end) - self._ticks(picture.start)
            self.end = picture.end
            assert packet.pts is not None
            yield timed(packet, self._out, packet.pts, dts - self._zero, lasts, self._time_base)

    def _ticks(self, time: float) -> int:
        return round((time + self._passage.recording.zero) / self._time_base) - self._zero

    def _middle(self) -> Iterator[Packet[Any]]:
        end, annex_b = self._ticks(self._passage.end), self._annex_b()
        packets = islice(self._packets(), len(self._before), len(self._before) + len(self._copied))
        for packet, seen in zip(packets, self._copied, strict=True):
            pts = seen.pts - self._zero
            lasts = max(0, min(packet.duration or 0, end - pts))
            self.end = max(self.end, self._time(seen.pts + lasts))
            for made in annex_b.filter(packet):
                yield timed(made, self._out, pts, seen.dts - self._zero, lasts, self._time_base)


def parted(seen: Sequence[Seen], begin: int, end: int) -> tuple[list[Seen], list[Seen], list[Seen]]:
    """What comes before the first packet from `begin` on with which decoding may begin, what can be copied, and the rest.

    What can be copied is shown before `end`, and all that follows is shown after it.

    Raises:
        Unfit: nothing can be copied.
    """
    first = next((i for i, s in enumerate(seen) if s.opens and begin <= s.pts < end), None)
    if first is None:
        raise Unfit("no keyframe lies inside")
    inside = seen[first:]
    shown = [s.pts for s in inside]
    latest = accumulate(shown, max)
    soonest = reversed(list(accumulate([end, *reversed(shown[1:])], min)))
    ends = [i for i, (last, following) in enumerate(zip(latest, soonest, strict=True), start=1) if last < following]
    if not ends:
        raise Unfit("no run of pictures can be copied")
    return list(seen[:first]), list(inside[: ends[-1]]), list(inside[ends[-1] :])


def _sets(extradata: bytes) -> bytes:
    """The parameter sets of a stream's header with start codes (ISO/IEC 14496-15, 5.3.3.1, where it has none)."""
    if extradata[:1] != b"\1":
        return extradata
    sets, at = b"", 5
    for mask in (0x1F, 0xFF):  # those of sequences, then those of pictures
        count, at = extradata[at] & mask, at + 1
        for _ in range(count):
            size = int.from_bytes(extradata[at : at + 2], "big")
            sets += b"\0" + _START_CODE + extradata[at + 2 : at + 2 + size]
            at += 2 + size
    return sets


def _is_idr(packet: Packet[Any]) -> bool:
    """Whether a unit of the packet is a slice that no later picture looks back over."""
    units = bytes(packet).split(_START_CODE)[1:]
    return any(unit and unit[0] & 0x1F == _IDR for unit in units)
