"""Ultralytics detection, one picture at a time. Takes .pt and .onnx files and OpenVINO folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import SettingsError
from segmenter.records import Box
from segmenter.settings import VisionSettings
from segmenter.vision import engine

WEAKEST = 0.1  # weaker detections are noise; between it and the setting `confidence` they prolong a track but start none


@dataclass(frozen=True, slots=True)
class Detection:
    """One thing in one picture."""

    label: str
    confidence: float
    box: Box


class Detector:
    """Names and boxes what is in a picture; knows nothing of time. `findings`: what the user should know of how it runs.

    Raises:
        ModelMissing: there are no weights at `weights`, or none that ultralytics can load.
        PackageMissing: the package of the engine that is asked for is not installed.
        SettingsError: the model finds no boxes, or does not know one of the labels.
    """

    def __init__(self, weights: str | Path, settings: VisionSettings) -> None:
        self._model, self.findings = engine.load(Path(weights), settings)
        self._options = options(self._model, settings)

    def detect(self, image: NDArray[np.uint8]) -> list[Detection]:
        """What is seen in `image` (BGR, height x width x 3) of the labels asked for, the weak ones too."""
        (result,) = self._model.predict(image, **self._options)
        boxes = result.boxes
        columns = (boxes.cls.int(), boxes.conf, boxes.xyxyn.clip(0, 1))
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [Detection(result.names[label], min(1.0, confidence), Box(*corners)) for label, confidence, corners in rows]


def options(model: Any, settings: VisionSettings) -> dict[str, Any]:
    """What ultralytics is asked with, for single pictures and for its own track mode alike.

    Raises:
        SettingsError: the model does not know one of the labels.
    """
    return {
        "classes": _classes(model.names, settings.labels),
        "conf": min(WEAKEST, settings.confidence),
        "imgsz": settings.image_size_px,
        "verbose": False,
    }


def _classes(names: Mapping[int, str], labels: Sequence[str]) -> list[int]:
    numbers = {name: number for number, name in names.items()}
    unknown = [label for label in labels if label not in numbers]
    if unknown:
        raise SettingsError(f"the model knows no label {', '.join(map(repr, unknown))}", hint=f"it knows: {', '.join(numbers)}")
    return [numbers[label] for label in labels]
