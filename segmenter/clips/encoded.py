"""Re-encoded lanes: true to the frame and to the sample; H.264 and AAC, which play everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain
from math import inf
from typing import Any, Final

import av
import numpy as np
from av import AudioFrame, AudioResampler, VideoFrame
from av.container import OutputContainer
from av.packet import Packet
from av.video.codeccontext import VideoCodecContext
from numpy.typing import NDArray

from segmenter.clips.lane import Passage, Unfit, timed
from segmenter.media.decoding import Damage
from segmenter.media.opening import opened
from segmenter.media.passages import Picture, frames_from, pictures
from segmenter.records import AudioStream, VideoStream

TICK = Fraction(1, 90_000)  # MPEG's: all usual frame rates are whole numbers of it
ENCODER: Final = "libx264"
# Hardly told from the source; slower presets make smaller files, not better. Without B-frames the last picture decoded
# is the last one shown: MP4 would else lose how long that one stays.
QUALITY = {"crf": "18", "preset": "veryfast", "bf": "0"}
_COLOURS = ("color_range", "color_primaries", "color_trc", "colorspace")
_AAC_RATES_HZ = (96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350)  # ISO/IEC 14496-3
_AAC_FRAME = 1024
_BITS_PER_CHANNEL = 96_000
_WARM_UP_S = 0.2  # a decoder that begins anew gives its first packets only in part
_JITTER_S = 0.02  # timestamps are rounded: so little early or late is no hole


def usual_format(name: str) -> str:
    """The pixel format to encode: the picture's own where the encoder takes it, else 4:2:0 with as many bits."""
    known = av.Codec(ENCODER, "w").video_formats or []
    if any(name == format_.name for format_ in known):
        return name
    deep = any(component.bits > 8 for component in av.VideoFormat(name).components)
    return "yuv420p10le" if deep else "yuv420p"


def prepare(context: VideoCodecContext, like: VideoFrame, source: Any, options: dict[str, str]) -> None:
    """Size, pixel format, colours and rate of an encoder, as those of the picture."""
    context.pix_fmt = usual_format(like.format.name)
    even = context.pix_fmt.startswith("yuv4") and "444" not in context.pix_fmt  # 4:2:0 and 4:2:2 know no odd sizes
    context.width, context.height = (side - side % 2 if even else side for side in (like.width, like.height))
    context.sample_aspect_ratio = source.sample_aspect_ratio or Fraction(1)
    for name in _COLOURS:
        setattr(context, name, getattr(like, name))
    context.framerate = source.average_rate or Fraction(25)
    context.options = options


class EncodedVideo:
    """The pictures shown during the passage; the first one from the clip's beginning on, though it may appear earlier."""

    codec = "h264"

    def __init__(self, passage: Passage, stream: VideoStream) -> None:
        self._passage, self._stream = passage, stream
        self._pictures: Iterator[Picture] = iter(())
        self.end = passage.start

    def join(self, clip: OutputContainer) -> None:
        passage = self._passage
        shown = pictures(passage.recording, self._stream, passage.start, passage.end, Damage("picture"))
        first = next(shown, None)
        if first is None:
            raise Unfit("no picture of it can be decoded")
        self._pictures = chain([first], shown)
        self._out = clip.add_stream(ENCODER, rate=25, options=QUALITY)
        with opened(self._passage.recording.path) as container:
            prepare(self._out.codec_context, first.frame, container.streams[self._stream.index], QUALITY)
        self._out.codec_context.time_base = TICK
        self._out.time_base = TICK
        if first.frame.rotation:
            self._out.set_display_rotation(first.frame.rotation)

    def packets(self) -> Iterator[Packet[Any]]:
        context, lasts = self._out.codec_context, dict[int, int]()
        for picture in self._pictures:
            pts, until = (round((time - self._passage.start) / TICK) for time in (picture.start, picture.end))
            lasts[pts], self.end = until - pts, picture.end
            yield from self._timed(context.encode(drawn(picture.frame, context, pts, TICK)), lasts)
        yield from self._timed(context.encode(None), lasts)

    def _timed(self, packets: list[Packet[Any]], lasts: dict[int, int]) -> Iterator[Packet[Any]]:
        for packet in packets:
            assert packet.pts is not None
            assert packet.dts is not None
            yield timed(packet, self._out, packet.pts, packet.dts, lasts.pop(packet.pts), TICK)


def drawn(frame: VideoFrame, context: VideoCodecContext, pts: int, time_base: Fraction) -> VideoFrame:
    """The picture as the encoder wants it; its type is left to the encoder."""
    fitted = frame.reformat(width=context.width, height=context.height, format=context.pix_fmt)
    fitted.pts, fitted.time_base, fitted.pict_type = pts, time_base, 0
    return fitted


class EncodedAudio:
    """The sound heard during the passage, to the sample; holes are silence, so that it stays with the picture."""

    codec = "aac"

    def __init__(self, passage: Passage, stream: AudioStream) -> None:
        self._passage, self._stream = passage, stream
        self._rate_hz = next((r for r in _AAC_RATES_HZ if r <= stream.sample_rate_hz), _AAC_RATES_HZ[-1])
        self._layout = "mono" if stream.channels == 1 else "stereo"  # what every player can play
        self.end = passage.start

    def join(self, clip: OutputContainer) -> None:
        self._out = clip.add_stream("aac", rate=self._rate_hz, layout=self._layout)
        self._out.codec_context.bit_rate = _BITS_PER_CHANNEL * self._out.codec_context.channels

    def packets(self) -> Iterator[Packet[Any]]:
        count = 0
        for samples in _in_frames(self._samples()):
            frame = AudioFrame.from_ndarray(samples, format="fltp", layout=self._layout)
            frame.sample_rate, frame.pts, frame.time_base = self._rate_hz, count, Fraction(1, self._rate_hz)
            count += samples.shape[1]
            yield from self._out.encode(frame)
        self.end = self._passage.start + count / self._rate_hz
        yield from self._out.encode(None)

    def _samples(self) -> Iterator[NDArray[np.float32]]:
        """All samples from the clip's beginning on, shape (channels, n) each."""
        start, rate = self._passage.start, self._rate_hz
        total, have, due = round((self._passage.end - start) * rate), 0, inf
        for time, samples in self._heard():
            at = round((time - start) * rate)
            at = int(due) if abs(at - due) <= _JITTER_S * rate else at
            due = at + samples.shape[1]
            yield from self._silence(min(at, total) - have)
            have = max(have, min(at, total))
            fresh = samples[:, max(0, have - at) : max(0, total - at)]
            yield fresh
            have += fresh.shape[1]
            if have >= total:
                return
        yield from self._silence(round((min(self._passage.end, self._stream.end) - start) * rate) - have)

    def _silence(self, count: int) -> Iterator[NDArray[np.float32]]:
        """So many samples, a second at a time: a hole may last for hours."""
        for first in range(0, count, self._rate_hz):
            yield np.zeros((1 if self._layout == "mono" else 2, min(self._rate_hz, count - first)), np.float32)

    def _heard(self) -> Iterator[tuple[float, NDArray[np.float32]]]:
        """Samples as the clip has them and the time of the first, on the recording's clock."""
        resampler = AudioResampler(format="fltp", layout=self._layout, rate=self._rate_hz)
        begin, until = max(0.0, self._passage.start - _WARM_UP_S), self._passage.end
        follows = 0.0
        for given, frame in frames_from(self._passage.recording, self._stream, begin, Damage("sound")):
            time = follows if given is None else given
            if time >= until:
                return
            follows = time + frame.samples / frame.sample_rate
            frame.pts = None  # the resampler counts on by itself
            for made in resampler.resample(frame):
                yield time, np.nan_to_num(np.asarray(made.to_ndarray(), np.float32), posinf=0.0, neginf=0.0)


def _in_frames(pieces: Iterator[NDArray[np.float32]]) -> Iterator[NDArray[np.float32]]:
    """The same samples, as many at once as the encoder takes; the last piece is what is left."""
    waiting: NDArray[np.float32] | None = None
    for piece in pieces:
        waiting = piece if waiting is None else np.concatenate([waiting, piece], axis=1)
        while waiting.shape[1] >= _AAC_FRAME:
            yield np.ascontiguousarray(waiting[:, :_AAC_FRAME])
            waiting = waiting[:, _AAC_FRAME:]
    if waiting is not None and waiting.shape[1]:
        yield np.ascontiguousarray(waiting)
