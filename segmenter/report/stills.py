"""Stills: a key picture for each chunk and each event, as small JPEG files."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
from av.error import FFmpegError

from segmenter.errors import InputError
from segmenter.media.frames import Frame
from segmenter.media.stills import pictures_at
from segmenter.progress import Progress, silent
from segmenter.records import Chunk, Segmentation, Track

WIDTH_PX = 320
_QUALITY = 5  # of 2, the best, to 31: some 10 kB a picture
_RATE = 25  # a JPEG has no time, but the encoder wants one


def chunk_name(index: int) -> str:
    return f"chunk-{index + 1:04}.jpg"


def event_name(event: int) -> str:
    return f"event-{event:04}.jpg"


def times(segmentation: Segmentation) -> dict[str, float]:
    """File name -> the time of its picture: the largest and surest view in the chunk or event, else the middle."""
    best = {track.id: track for event in segmentation.events for track in event.tracks}
    chunks = {
        chunk_name(i): _best_time([best[t] for t in chunk.tracks if _inside(best[t], chunk)], chunk.start, chunk.end)
        for i, chunk in enumerate(segmentation.chunks)
    }
    events = {event_name(event.id): _best_time(event.tracks, event.start, event.end) for event in segmentation.events}
    return {**chunks, **events}


def write(segmentation: Segmentation, folder: Path, progress: Progress = silent) -> None:
    """The pictures of a recording that has some; one that cannot be read any more leaves the folder empty."""
    folder.mkdir()
    if not segmentation.recording.video:
        return
    wanted = sorted(times(segmentation).items(), key=lambda item: item[1])
    try:
        for (name, _), picture in zip(wanted, _pictures(segmentation, [time for _, time in wanted], progress), strict=True):
            if picture is not None:
                (folder / name).write_bytes(jpeg(picture))
    except (InputError, FFmpegError):  # the file was moved since, or is damaged: the page does without
        return


def _pictures(segmentation: Segmentation, rising: list[float], progress: Progress) -> Iterator[Frame | None]:
    recording = segmentation.recording
    for time, picture in zip(rising, pictures_at(recording, recording.video[0], rising, WIDTH_PX), strict=True):
        progress("stills", min(time, recording.duration), recording.duration)
        yield picture
    progress("stills", recording.duration, recording.duration)


def _inside(track: Track, chunk: Chunk) -> bool:
    return chunk.start <= track.best.time < chunk.end


def _best_time(tracks: tuple[Track, ...] | list[Track], start: float, end: float) -> float:
    best = max(tracks, key=_clarity, default=None)
    return (start + end) / 2 if best is None else best.best.time


def _clarity(track: Track) -> float:
    left, top, right, bottom = track.best.box
    return (right - left) * (bottom - top) * track.best.confidence


def jpeg(picture: Frame) -> bytes:
    """The picture as a JPEG file; the same picture gives the same bytes."""
    height, width = picture.image.shape[:2]
    encoder = av.VideoCodecContext.create("mjpeg", "w")
    encoder.width, encoder.height, encoder.pix_fmt = width, height, "yuvj420p"
    encoder.framerate, encoder.thread_count = Fraction(_RATE), 1
    encoder.options = {"qmin": str(_QUALITY), "qmax": str(_QUALITY)}
    frame = av.VideoFrame.from_ndarray(picture.image, format="bgr24").reformat(format="yuvj420p", dst_color_range="JPEG")
    return b"".join(bytes(packet) for packet in [*encoder.encode(frame), *encoder.encode(None)])
