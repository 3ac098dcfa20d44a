"""Detector and motion together on real recordings of known truth."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from street import located

from segmenter.evaluate.events import score
from segmenter.media.frames import VideoFrames
from segmenter.media.probe import probe
from segmenter.records import Event, Finding, Span
from segmenter.settings import VisionSettings
from segmenter.vision.both import BothTracker
from segmenter.vision.detector import Detection, Detector
from segmenter.vision.events import events

pytest.importorskip("ultralytics")
SETTINGS = VisionSettings(tracker="both")


@dataclass
class Watched:
    events: tuple[Event, ...]
    calls: int


@cache
def made(settings: VisionSettings) -> BothTracker:
    return BothTracker(located(settings.weights), settings)


def watched(path: Path, end: float, settings: VisionSettings, patch: pytest.MonkeyPatch) -> Watched:
    """The events in the first `end` seconds, and how often the detector was called."""
    calls, detect = [], Detector.detect

    def counted(self: Detector, image: NDArray[np.uint8]) -> list[Detection]:
        calls.append(image.shape)
        return detect(self, image)

    patch.setattr(Detector, "detect", counted)
    tracker = made(settings)
    findings: list[Finding] = []
    recording = probe(path, findings.append)
    frames = VideoFrames(recording, recording.video[0], findings.append, step_s=1 / tracker.rate_hz)
    piece = (frame for frame in frames if frame.time < end)
    found, _ = events(tracker.track(piece), end, settings)
    return Watched(found, len(calls))


def truth(shared: Path, name: str, end: float) -> list[Span]:
    known: dict[str, Any] = json.loads((shared / "video" / "events.json").read_text(encoding="utf-8"))[name]
    return [Span(event["start"], min(end, event["end"])) for event in known["events"] if event["start"] < end]


@pytest.mark.parametrize(
    ("name", "end", "labels"),
    [
        ("people.mp4", 10.0, {"person"}),  # balloons sway there all the time
        ("car_detection.mp4", 10.0, {"car", "moving"}),  # from straight above, where a detector knows no cars
    ],
)
def test_with_the_gate_and_without_it_the_events_are_the_true_ones(
    shared: Path, name: str, end: float, labels: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, true = shared / "video" / name, truth(shared, name, end)
    found = {gate: watched(path, end, replace(SETTINGS, gate=gate), monkeypatch) for gate in (True, False)}
    for gate in found:
        scores = score(found[gate].events, true, end)
        assert scores.f1 == 1.0
        assert max(abs(error) for error in scores.edge_errors) <= 0.3
        assert {label for event in found[gate].events for label in event.labels} <= labels
    assert found[True].calls < found[False].calls


def test_an_empty_room_is_hardly_looked_at(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five times a second while nothing is known of it, then once in ten seconds."""
    room = watched(shared / "video" / "empty_room.mp4", 25.0, SETTINGS, monkeypatch)
    assert room == Watched(events=(), calls=12)


def test_a_parked_car_and_a_bin_bag_hold_nothing_open(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rain falls on two parked cars, and on bags that the detector now and then takes for people."""
    assert watched(shared / "video" / "rain_walk.mp4", 8.0, SETTINGS, monkeypatch).events == ()


def test_who_asks_for_labels_gets_nothing_without_one(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = replace(SETTINGS, labels=("dog",))
    assert watched(shared / "video" / "car_detection.mp4", 7.0, asked, monkeypatch).events == ()
