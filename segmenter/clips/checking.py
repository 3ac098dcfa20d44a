"""A finished clip is opened like any recording: does it begin at 0, last as long as it should, and decode?"""

from __future__ import annotations

from pathlib import Path

from segmenter.clips.lane import Unfit
from segmenter.media.decoding import Damage, decoded
from segmenter.media.opening import opened
from segmenter.media.probe import probe
from segmenter.records import AudioStream, Recording, VideoStream

_LEAST_S = 0.05  # what a packet of sound lasts
_ROUNDED_S = 0.005  # Matroska and MP4 count in ticks of their own


def check(path: Path, length: float, pictures: int) -> None:
    """Looks at the clip in `path`, which should last `length` seconds and have so many streams of pictures, 0 or 1.

    Raises:
        Unfit: the clip is not what it should be.
        BadInput: it cannot even be opened.
    """
    clip = probe(path, lambda _: None)
    streams: list[VideoStream | AudioStream] = [*clip.video, *clip.audio]
    if len(clip.video) != pictures or not streams:
        raise Unfit("the clip lacks a stream")
    tolerance = max([_LEAST_S, *(1 / v.average_rate_hz + _ROUNDED_S for v in clip.video if v.average_rate_hz)])
    if abs(clip.zero) > tolerance:
        raise Unfit(f"the clip begins at {clip.zero:.3f} s instead of 0")
    if abs(clip.duration - length) > tolerance:
        raise Unfit(f"the clip lasts {clip.duration:.3f} s instead of {length:.3f}")
    for stream in streams:
        _decodes(clip, stream)


def _decodes(clip: Recording, stream: VideoStream | AudioStream) -> None:
    damage = Damage("clip")
    with opened(clip.path) as container:
        frames = sum(1 for _ in decoded(container, clip, stream, damage))
    if damage.lost or damage.marred or not frames:
        raise Unfit(f"{damage.lost + damage.marred} of {damage.packets} packets of the clip do not decode")
