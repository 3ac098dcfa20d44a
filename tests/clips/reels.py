"""Films whose picture and sound tell the time: every clip of them can be compared with where it was cut."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.packet import Packet
from numpy.typing import NDArray

from segmenter.clips.plan import Wanted
from segmenter.media.audio import SAMPLE_RATE_HZ, AudioBlocks
from segmenter.media.frames import VideoFrames
from segmenter.media.probe import probe
from segmenter.records import Recording

TICK = Fraction(1, 1000)
SOUND_HZ = 48000
BITS = 12
Pixels = NDArray[np.uint8]


def picture(number: int, width: int, height: int) -> Pixels:
    """The number in binary, as black and white stripes: twelve bits from left to right."""
    stripes = np.array([255 * (number >> bit & 1) for bit in range(BITS)], np.uint8)
    row = stripes[np.minimum(np.arange(width) * BITS // width, BITS - 1)]
    return np.repeat(np.tile(row, (height, 1))[..., None], 3, axis=2)


def number_of(pixels: Pixels) -> int:
    """The number that a picture shows, turned or not: the stripes run along one of its sides."""
    grey = pixels.mean(axis=2)
    line = grey.mean(axis=0) if grey.std(axis=1).mean() > grey.std(axis=0).mean() else grey.mean(axis=1)
    middles = ((np.arange(BITS) + 0.5) * len(line) / BITS).astype(int)
    return sum(1 << bit for bit, place in enumerate(middles) if line[place] > 127)


def chirp(seconds: float) -> NDArray[np.float32]:
    """Noise, the same each time: any piece of it is found again at one place alone."""
    return (0.3 * np.random.default_rng(3).standard_normal(round(seconds * SOUND_HZ))).astype(np.float32)


def film(
    path: Path,
    times: Sequence[float],
    *,
    size: tuple[int, int] = (192, 96),
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
    options: dict[str, str] | None = None,
    sound: str | None = None,
    seconds: float = 0.0,
    rotation: int = 0,
    colours: dict[str, int] | None = None,
    subtitles: tuple[str, Sequence[tuple[float, float, str]]] | None = None,
) -> Path:
    """Picture number i at `times[i]`, noise for `seconds`, subtitles of a codec as (start, end, text)."""
    with av.open(str(path), "w") as container:
        regular = {"g": "25", "sc_threshold": "0"} if codec == "libx264" else {"g": "25"}
        video: Any = container.add_stream(codec, rate=25, options={**regular, **(options or {})})
        video.width, video.height, video.pix_fmt = *size, pix_fmt
        video.codec_context.time_base = TICK
        if rotation:
            video.set_display_rotation(-rotation)
        for name, value in (colours or {}).items():
            setattr(video.codec_context, name, value)
        audio = container.add_stream(sound, rate=SOUND_HZ, layout="mono") if sound else None
        texts = container.add_mux_stream(subtitles[0]) if subtitles else None
        container.start_encoding()
        for i, time in enumerate(times):
            frame = av.VideoFrame.from_ndarray(picture(i, *size), format="rgb24").reformat(format=pix_fmt)
            frame.pts, frame.time_base = round(time * 1000), TICK
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        if audio:
            play(container, audio, chirp(seconds))
        for start, end, text in subtitles[1] if subtitles else ():
            container.mux(_subtitle(texts, subtitles[0] if subtitles else "", start, end, text))
    return path


def play(container: Any, audio: Any, wave: NDArray[np.float32]) -> None:
    planar = audio.codec_context.format.name
    for first in range(0, len(wave), 960):
        piece = wave[None, first : first + 960]
        piece = (piece * 32767).astype(np.int16) if planar.startswith("s16") else piece
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(piece), format=planar, layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = SOUND_HZ, first, Fraction(1, SOUND_HZ)
        container.mux(audio.encode(frame))
    container.mux(audio.encode(None))


def _subtitle(stream: Any, codec: str, start: float, end: float, text: str) -> Packet[Any]:
    words = text.encode()
    packet = Packet(len(words).to_bytes(2, "big") + words if codec == "mov_text" else words)
    packet.stream, packet.time_base = stream, TICK
    packet.pts = packet.dts = round(start * 1000)
    packet.duration = round((end - start) * 1000)
    return packet


def steps(count: int, step: float) -> list[float]:
    return [i * step for i in range(count)]


def look_at(path: Path) -> Recording:
    return probe(path, lambda _: None)


def seen(path: Path) -> list[tuple[float, int]]:
    """Time and number of each picture."""
    recording = look_at(path)
    return [(f.time, number_of(f.image)) for f in VideoFrames(recording, recording.video[0], lambda _: None)]


def heard(path: Path) -> tuple[float, NDArray[np.float32]]:
    """When the sound begins, and its samples, mono 16 kHz."""
    recording = look_at(path)
    blocks = list(AudioBlocks(recording, recording.audio[0], lambda _: None))
    return blocks[0].start, np.concatenate([b.samples for b in blocks])


def lag(clip: Path, source: Path, start: float, at: float = 0.5) -> float:
    """Seconds by which the clip's sound is late, when the clip shows the source from `start` on."""
    (begins, piece), (_, whole) = heard(clip), heard(source)
    sample = piece[round(at * SAMPLE_RATE_HZ) :][: SAMPLE_RATE_HZ // 2]
    expected = round((start + begins + at) * SAMPLE_RATE_HZ)
    margin = SAMPLE_RATE_HZ // 4
    near = whole[max(0, expected - margin) : expected + margin + len(sample)]
    found = int(np.correlate(near, sample, "valid").argmax()) + max(0, expected - margin)
    return (expected - found) / SAMPLE_RATE_HZ


def wanted(start: float, end: float) -> Wanted:
    return Wanted("event", 1, start, end, "event-0001")
