"""A small film with a known result, and results of any length without a recording."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from segmenter.chunks.boundaries import boundaries
from segmenter.chunks.tile import tile
from segmenter.chunks.titles import titled
from segmenter.media.probe import probe
from segmenter.records import (
    Box,
    Event,
    Finding,
    ModelFile,
    Recording,
    Segmentation,
    Sentence,
    TopicBreak,
    TopicCurve,
    Track,
    View,
)
from segmenter.settings import ChunkSettings, Settings

RATE_HZ, SOUND_HZ, SECONDS = 10, 16000, 20

SAID = (
    Sentence("The coolant pump leaks under the machine.", 1.0, 3.5, "anna", "en"),
    Sentence("A new rubber seal arrives on Thursday.", 4.0, 7.0, "ben", "en"),
    Sentence("Thanks for watching, subscribe.", 7.5, 9.0, "ben", "en", ("repeats",)),
    Sentence("The summer picnic by the lake is in June.", 10.0, 13.0, "anna", "en"),
)


def film(path: Path) -> Path:
    """Twenty seconds: each second has a grey of its own, a tone sounds in the first half."""
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=RATE_HZ, options={"g": "20", "preset": "ultrafast"})
        video.width, video.height, video.pix_fmt = 640, 360, "yuv420p"
        audio = container.add_stream("aac", rate=SOUND_HZ, layout="mono")
        for i in range(SECONDS * RATE_HZ):
            frame = av.VideoFrame.from_ndarray(np.full((360, 640, 3), grey(i / RATE_HZ), np.uint8), format="rgb24")
            frame.pts, frame.time_base = i, Fraction(1, RATE_HZ)
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        wave = 0.5 * np.sin(2 * np.pi * 300 * np.arange(SECONDS * SOUND_HZ) / SOUND_HZ)
        wave[SECONDS * SOUND_HZ // 2 :] = 0
        for start in range(0, len(wave), 1024):
            sound = av.AudioFrame.from_ndarray(wave[None, start : start + 1024].astype(np.float32), format="fltp", layout="mono")
            sound.sample_rate, sound.pts, sound.time_base = SOUND_HZ, start, Fraction(1, SOUND_HZ)
            container.mux(audio.encode(sound))
        container.mux(audio.encode(None))
    return path


def grey(time: float) -> int:
    return 20 + 10 * int(time)


def visit(number: int, start: float, end: float, label: str = "person") -> Event:
    track = Track(number, label, start, end, View((start + end) / 2, Box(0.2, 0.2, 0.5, 0.9), 0.9))
    return Event(number, start, end, (track,), (label,))


def found(
    recording: Recording, said: Sequence[Sentence] = SAID, events: Sequence[Event] = (visit(1, 5, 12), visit(2, 15, 18.5, "car"))
) -> Segmentation:
    """What a run would say of these sentences and events, with one topic break in the middle."""
    sentences, middle = tuple(said), max(1, len(said) - 1)
    topics = (TopicBreak(middle - 1, said[middle].start, 0.8, ("distance 0.80",)),) if len(said) > 1 else ()
    cuts = boundaries(sentences, topics, events, recording.duration, ChunkSettings())
    times = tuple(s.start for s in sentences[1:])
    return Segmentation(
        recording=recording,
        settings=Settings().changed("speech", model="tiny.en").as_dict(),
        models={"transcriber": ModelFile("tiny.en", "/models/tiny.en", "ab" * 32, "cache")},
        sentences=sentences,
        topic_breaks=topics,
        events=tuple(events),
        boundaries=cuts,
        chunks=titled(tile(cuts, sentences, events, recording, 1.0), sentences, events),
        health=(Finding("doubtful", "1 sentence is doubtful", 7.5, 9.0),),
        timings={"speech": 2.5, "vision": 4.0},
        topic_curve=TopicCurve("distance", times, tuple(0.3 + 0.5 * (i % 3 == 1) for i in range(len(times))), 0.7),
    )


def of_film(folder: Path) -> Segmentation:
    return found(probe(film(folder / "film.mp4"), lambda _: None))


def long_talk(hours: float = 10, count: int = 5000) -> Segmentation:
    """Ten hours with 5,000 sentences and a visit every four minutes; the file itself is not there."""
    step = hours * 3600 / count
    words = ("budget", "pump", "picnic", "harvest", "library", "engine", "music", "winter", "garden", "contract")
    said = [
        Sentence(f"Sentence {i} is about the {words[i // 25 % 10]} and the {words[i % 7]}.", i * step, i * step + 0.8 * step)
        for i in range(count)
    ]
    visits = [visit(i + 1, i * 240 + 30, i * 240 + 90, ("person", "car", "dog")[i % 3]) for i in range(int(hours * 15))]
    return found(Recording("/nowhere/long.mp4", "0123456789abcdef", hours * 3600, "counted"), said, visits)
