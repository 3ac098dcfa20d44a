"""What is in a recording: one look at the file and one pass over its packets; only a first picture is decoded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from av import VideoFrame
from av.audio.stream import AudioStream as AudioSource
from av.container import InputContainer
from av.error import FFmpegError
from av.stream import Disposition, Stream
from av.video.stream import VideoStream as VideoSource

from segmenter.errors import BadInput, TooLarge, printable
from segmenter.files import content_id, local_file
from segmenter.media.checks import check_length, check_survey
from segmenter.media.declared import declared_length
from segmenter.media.decoding import clockwise
from segmenter.media.opening import check_content, opened
from segmenter.media.packets import tolerant
from segmenter.media.sniff import MAX_PIXELS
from segmenter.media.survey import Count, Survey, survey
from segmenter.records import AudioStream, Chapter, Finding, Recording, VideoStream

Report = Callable[[Finding], None]

_PICTURES = Disposition.attached_pic | Disposition.timed_thumbnails | Disposition.still_image
_DECODED_START_S = 0.5  # libav's start of a stream, priming left out, is taken when it lies this near to the counted one
_FIRST_PICTURE_PACKETS = 200


def probe(path: str | Path, report: Report, audio_track: str | None = None) -> Recording:
    """Look at a recording; what is wrong with it and survived goes to `report`.

    `audio_track` says which of several audio tracks is used: its number, from 1 in the file's order, or its language as
    the file names it (the beginning is enough); None: the default one.

    Raises:
        NotAFile: not a local, regular, readable file.
        ForbiddenInput: it names other files or addresses; none has been opened.
        BadInput: not a recording, without sound and moving picture, or too damaged; or there is no such track.
        TooLarge: nothing but pictures or an index beyond the limits.
    """
    file = local_file(path)
    check_content(file)
    with opened(file) as container:
        streams = _usable(container, file, report)
        found = _survey(container, streams, file)
        streams = tuple(s for s in streams if _has_content(s, found.counts[s.index], report))
        if not streams:
            raise BadInput("no sound and no picture in it: the streams are empty", path=file)
        if container.format.name in ("gif", "apng") and all(found.counts[s.index].packets <= 1 for s in streams):
            raise BadInput("a still picture, not a recording", path=file)
        recording = _recording(container, streams, found, file)
        if audio_track is not None:
            recording = _with_track_first(recording, audio_track)
        check_length(declared_length(container, file), recording, report)
    check_survey(recording, found, report)
    return recording


def _survey(container: InputContainer, streams: tuple[Stream, ...], path: Path) -> Survey:
    try:
        return survey(container, streams)
    except BadInput as error:
        raise BadInput(error.what, path=path) from error


# --- which streams can be used -----------------------------------------------------------------------------------


def _usable(container: InputContainer, path: Path, report: Report) -> tuple[Stream, ...]:
    """Audio and video streams with a known codec and a bearable picture; the others are reported."""
    wanted = [s for s in container.streams if s.type in ("audio", "video") and not s.disposition & _PICTURES]
    refused = {s.index: why for s in wanted if (why := _why_not(s))}
    good = tuple(s for s in wanted if s.index not in refused)
    if not good:
        kind = TooLarge if "pixels" in " ".join(refused.values()) else BadInput
        raise kind("; ".join(refused.values()) or "no audio or video in it", path=path)
    for why in refused.values():
        report(Finding("stream_unusable", f"{why}: it is left out"))
    return good


def _why_not(stream: Stream) -> str | None:
    name = f"{stream.type} stream {stream.index}"
    if stream.codec_context is None:
        return f"{name} has an unknown codec and cannot be decoded"
    if isinstance(stream, VideoSource) and not stream.width * stream.height:  # libav sets the size to 0 where it refuses it
        return f"{name} has no picture size: it is damaged, or its pictures have over {MAX_PIXELS:,} pixels"
    return None


def _has_content(stream: Stream, count: Count, report: Report) -> bool:
    if not count.shown:
        report(Finding("stream_empty", f"the {stream.type} stream {stream.index} has no data and is left out"))
    return count.shown > 0


# --- the record --------------------------------------------------------------------------------------------------


def _recording(container: InputContainer, streams: tuple[Stream, ...], found: Survey, path: Path) -> Recording:
    counted = found.clock.spans()
    spans = {s.index: _decoded_span(s, counted[s.index]) for s in streams}
    zero = min(start for start, _ in spans.values())
    on_clock = {index: (start - zero, max(start, end) - zero) for index, (start, end) in spans.items()}
    duration = max(end for _, end in on_clock.values())
    audio = [_audio_stream(s, on_clock[s.index]) for s in streams if isinstance(s, AudioSource)]
    video = [_video_stream(s, on_clock[s.index], found.counts[s.index], path) for s in streams if isinstance(s, VideoSource)]
    pictures = sum(s.type == "video" and bool(s.disposition & _PICTURES) for s in container.streams)
    return Recording(
        path=str(path),
        id=content_id(path),
        duration=duration,
        duration_source="counted",
        container=container.format.name,
        audio=tuple(sorted(audio, key=lambda s: not s.default)),
        video=tuple(sorted(video, key=lambda s: not s.default)),
        chapters=_chapters(container, zero, duration),
        attached_pictures=pictures,
        title=_text(container.metadata, "title"),
        zero=zero,
        mends=found.clock.mends(),
    )


def _with_track_first(recording: Recording, wanted: str) -> Recording:
    numbered = dict(enumerate(sorted(recording.audio, key=lambda stream: stream.index), 1))
    for number, stream in numbered.items():
        if wanted == str(number) or (stream.language or "").casefold().startswith(wanted.casefold() or "?"):
            return replace(recording, audio=(stream, *(other for other in recording.audio if other is not stream)))
    there = ", ".join(f"{number} ({stream.language or 'no language'})" for number, stream in numbered.items())
    raise BadInput(f"no audio track {wanted!r}", path=recording.path, hint=f"there are: {there or 'none'}")


def _decoded_span(stream: Stream, counted: tuple[float, float]) -> tuple[float, float]:
    """Priming and pre-skip are packets but never heard: libav's start of the stream knows them."""
    start, end = counted
    known = stream.start_time * float(stream.time_base or 0) if stream.start_time is not None else start
    return (known if abs(known - start) < _DECODED_START_S and known <= end else start), end


def _audio_stream(stream: AudioSource, span: tuple[float, float]) -> AudioStream:
    return AudioStream(
        index=stream.index,
        codec=stream.codec_context.name,
        sample_rate_hz=stream.codec_context.sample_rate,
        channels=stream.codec_context.channels,
        start=span[0],
        end=span[1],
        end_source="counted",
        language=_text(stream.metadata, "language"),
        title=_text(stream.metadata, "title"),
        default=bool(stream.disposition & Disposition.default),
    )


def _video_stream(stream: VideoSource, span: tuple[float, float], count: Count, path: Path) -> VideoStream:
    length = span[1] - span[0]
    return VideoStream(
        index=stream.index,
        codec=stream.codec_context.name,
        width_px=stream.width,
        height_px=stream.height,
        rotation=_rotation(path, stream.index),
        start=span[0],
        end=span[1],
        end_source="counted",
        average_rate_hz=count.shown / length if length > 0 else None,
        base_rate_hz=float(stream.base_rate) if stream.base_rate else None,
        default=bool(stream.disposition & Disposition.default),
    )


def _rotation(path: Path, index: int) -> int:
    """From the first picture that can be decoded: PyAV shows the display matrix on frames alone."""
    with opened(path) as container:
        stream = container.streams[index]
        for number, packet in enumerate(tolerant(container, (stream,))):
            try:
                frames = packet.decode()
            except FFmpegError:
                frames = []
            if frames and isinstance(frames[0], VideoFrame):
                return clockwise(frames[0].rotation)
            if number >= _FIRST_PICTURE_PACKETS:
                break
    return 0


def _chapters(container: InputContainer, zero: float, duration: float) -> tuple[Chapter, ...]:
    found = []
    for chapter in container.chapters():
        seconds = float(chapter["time_base"] or 0)
        start, end = (min(max(chapter[edge] * seconds - zero, 0.0), duration) for edge in ("start", "end"))
        found.append(Chapter(_text(chapter["metadata"], "title") or "", start, max(start, end)))
    return tuple(found)


def _text(metadata: dict[str, str], key: str) -> str | None:
    value = metadata.get(key, "")
    return printable(value) if value and (key, value) != ("language", "und") else None
