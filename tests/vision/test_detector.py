"""The detector on real weights: what it answers, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from street import located, photograph

from segmenter.errors import ModelMissing, SettingsError
from segmenter.settings import VisionSettings
from segmenter.vision.detector import WEAKEST, Detector

pytest.importorskip("ultralytics")
SETTINGS = VisionSettings(image_size_px=320, engine="torch")


def test_weak_detections_are_answered_too() -> None:
    """They may prolong a track, so who starts one is not decided here."""
    found = Detector(located("yolo26n"), SETTINGS).detect(photograph())
    assert {d.label for d in found if d.confidence >= SETTINGS.confidence} == {"person", "bus"}
    assert all(WEAKEST <= d.confidence <= 1 for d in found)
    assert min(d.confidence for d in found) < SETTINGS.confidence


def test_only_the_labels_asked_for_are_seen_and_nothing_in_an_empty_picture() -> None:
    detector = Detector(located("yolo26n"), replace(SETTINGS, labels=("bus",)))
    assert {d.label for d in detector.detect(photograph())} == {"bus"}
    assert detector.detect(np.full((90, 160, 3), 114, np.uint8)) == []


def test_an_unknown_label_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"'persn'.*person, bicycle, car"):
        Detector(located("yolo26n"), replace(SETTINGS, labels=("person", "persn")))


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("engine", ["auto", "torch"])
def test_missing_and_damaged_weights_are_told(tmp_path: Path, engine: str) -> None:
    settings = replace(SETTINGS, engine=engine)
    with pytest.raises(ModelMissing, match="no such weights"):
        Detector(tmp_path / "yolo26n.pt", settings)
    damaged = tmp_path / "damaged.pt"
    damaged.write_bytes(b"not weights at all")
    with pytest.raises(ModelMissing, match="cannot load these weights"):
        Detector(damaged, settings)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [damaged]
