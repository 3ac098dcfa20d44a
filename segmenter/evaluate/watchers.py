"""Ways to get from a recording to events: this project's trackers, and ultralytics' own loop over every frame beside them.

All read the same weights, and all sightings become events by the same rule. Each is for a process of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from segmenter.evaluate.events import EventScores
from segmenter.evaluate.processes import Cost
from segmenter.media.frames import Frame, VideoFrames
from segmenter.media.probe import probe
from segmenter.records import Finding, Observation, Span
from segmenter.settings import VisionSettings

EVERY_FRAME = {"every-frame": "auto", "every-frame-torch": "torch"}  # how it is called -> engine


@dataclass(frozen=True, slots=True)
class Watched:
    """Events found, the frames of the recording, how many the detector looked at; seconds from the first frame to the last.

    Loading the weights is not in the seconds: it weighs on short recordings only.
    """

    events: tuple[Span, ...]
    frames: int
    looks: int
    wall_s: float
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Shift:
    """One watcher on one recording, against the true events."""

    file: str
    seconds: float
    watcher: str
    seen: Watched
    cost: Cost  # of the whole process
    scores: EventScores
    beside: tuple[float, ...]  # its edges less those that the first watcher found


FIGURES = (
    *("frames/s", "times real time", "CPU s", "looks", "frames", "peak MB", "F1"),
    *("edges: median, worst (s)", "beside the first: median, worst (s)"),
)


def figures(shifts: Sequence[Shift]) -> Iterator[str]:
    """FIGURES of these together: the mean F1, and all edges as if of one."""
    frames, wall_s = sum(shift.seen.frames for shift in shifts), sum(shift.seen.wall_s for shift in shifts)
    yield f"{frames / wall_s:.1f}"
    yield f"{sum(shift.seconds for shift in shifts) / wall_s:.1f}"
    yield f"{sum(shift.seen.cpu_s for shift in shifts):.1f}"
    yield f"{sum(shift.seen.looks for shift in shifts)}"
    yield f"{frames}"
    yield f"{max(shift.cost.peak_mb for shift in shifts):.0f}"
    yield f"{fmean(shift.scores.f1 for shift in shifts):.2f}"
    for errors in ([e for s in shifts for e in s.scores.edge_errors], [e for s in shifts for e in s.beside]):
        yield ", ".join(f"{figure:.2f}" for figure in np.percentile(np.abs(errors), [50, 100])) if errors else "–"


def watch(name: str, path: Path, weights: str, settings: VisionSettings) -> Watched:
    """Watch a recording as `name` says: one of EVERY_FRAME, or a row of the table of trackers.

    Raises:
        SegmenterError: the recording cannot be read, or the tracker cannot be made.
    """
    from segmenter.vision.events import events

    findings: list[Finding] = []
    recording = probe(path, findings.append)
    stream = recording.video[0]
    track, step_s = _every_frame(weights, settings, name) if name in EVERY_FRAME else _tracker(weights, settings, name)
    frames = VideoFrames(recording, stream, findings.append, step_s=step_s)
    with _counting() as looks:
        wall, cpu = time.perf_counter(), time.process_time()
        found, _ = events(track(frames), stream.end, settings)
        wall_s, cpu_s = time.perf_counter() - wall, time.process_time() - cpu
    spans = tuple(Span(event.start, event.end) for event in found)
    return Watched(spans, frames.count, frames.count if name in EVERY_FRAME else len(looks), wall_s, cpu_s)


Track = Callable[[Iterable[Frame]], Iterator[Observation]]


def _tracker(weights: str, settings: VisionSettings, name: str) -> tuple[Track, float]:
    """This project's way, and the seconds from frame to frame that it wants."""
    from segmenter import table
    from segmenter.vision.tracker import TRACKERS

    arguments = [weights] if TRACKERS[name].weights else []
    tracker = table.load("tracker", TRACKERS, name)(*arguments, replace(settings, tracker=name))
    return tracker.track, 1 / tracker.rate_hz


def _every_frame(weights: str, settings: VisionSettings, name: str) -> tuple[Track, None]:
    """The loop of ultralytics' documentation: `YOLO.track` with its default tracker on one frame after the other."""
    from segmenter.vision import engine
    from segmenter.vision.detector import options
    from segmenter.vision.track_mode import sightings

    model, _ = engine.load(Path(weights), replace(settings, engine=EVERY_FRAME[name]))
    asked = options(model, settings)

    def track(frames: Iterable[Frame]) -> Iterator[Observation]:
        for frame in frames:
            (result,) = model.track(frame.image, persist=True, **asked)
            yield Observation(frame.time, tuple(sightings(result)))

    return track, None


@contextmanager
def _counting() -> Iterator[list[None]]:
    """One entry for each look that any detector of this process takes meanwhile."""
    from segmenter.vision.detector import Detection, Detector

    detect, looks = Detector.detect, list[None]()

    def detect_and_count(self: Detector, image: NDArray[np.uint8]) -> list[Detection]:
        looks.append(None)
        return detect(self, image)

    Detector.detect = detect_and_count  # type: ignore[method-assign]
    try:
        yield looks
    finally:
        Detector.detect = detect  # type: ignore[method-assign]
