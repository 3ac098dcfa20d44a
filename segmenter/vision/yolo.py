"""Ultralytics detection and tracking: names what it sees. Takes .pt and .onnx files and OpenVINO folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml  # type: ignore[import-untyped]

from segmenter.errors import ModelMissing, SettingsError
from segmenter.media.frames import Frame
from segmenter.records import Box, Observation, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.quiet_ultralytics import import_ultralytics

_TASKS = ("detect", "segment", "pose")  # whose results are upright boxes


class YoloTracker:
    """The `yolo` row of the table of trackers.

    Raises:
        ModelMissing: there are no weights at `weights`, or none that ultralytics can load.
        SettingsError: the model finds no boxes, or does not know one of the labels.
    """

    def __init__(self, weights: str | Path, settings: VisionSettings) -> None:
        self.rate_hz = settings.rate_hz
        self._model = _load(Path(weights))
        self._tracker = _tracker_configuration(settings)
        self._options = {
            "classes": _classes(self._model.names, settings.labels),
            "conf": self._tracker["track_low_thresh"],
            "imgsz": settings.image_size_px,
            "verbose": False,
        }

    def track(self, frames: Iterable[Frame]) -> Iterator[Observation]:
        """One observation a frame, in order, empty ones too. Each call starts anew: ids begin at 1; one call at a time."""
        with TemporaryDirectory() as folder:
            configuration = Path(folder, "tracker.yaml")
            configuration.write_text(yaml.safe_dump(self._tracker), encoding="utf-8")
            for number, frame in enumerate(frames):
                # persist=False makes new trackers, True keeps them: so a call's first frame forgets the call before
                (result,) = self._model.track(frame.image, persist=number > 0, tracker=str(configuration), **self._options)
                yield Observation(frame.time, tuple(_sightings(result)))


def _load(weights: Path) -> Any:
    """The ultralytics model in `weights`, a file or a folder."""
    if not weights.exists():  # ultralytics would take the name for one that it may download
        raise ModelMissing("there are no such weights", path=weights, hint="name a .pt or .onnx file or an OpenVINO folder")
    try:
        model = import_ultralytics().YOLO(str(weights), task="detect")
        names = model.names  # loads exported weights, which the constructor only notes
    except ImportError as error:
        raise ModelMissing(
            f"these weights need the package {error.name}", path=weights, hint=f"pip install {error.name}"
        ) from error
    except Exception as error:  # every format and version fails in a way of its own
        reason = str(error).strip().partition("\n")[0]
        raise ModelMissing(f"ultralytics cannot load these weights: {reason}", path=weights) from error
    if model.task not in _TASKS or not names:
        raise SettingsError(
            f"these weights are for the task {model.task}", path=weights, hint=f"take some for {' or '.join(_TASKS)}"
        )
    return model


def _tracker_configuration(settings: VisionSettings) -> dict[str, Any]:
    """models/tracker.yaml, with what depends on the settings filled in."""
    configuration: dict[str, Any] = yaml.safe_load(files("segmenter.models").joinpath("tracker.yaml").read_text(encoding="utf-8"))
    return configuration | {
        "track_low_thresh": min(configuration["track_low_thresh"], settings.confidence),
        "track_high_thresh": settings.confidence,
        "new_track_thresh": settings.confidence,
        "track_buffer": round(configuration["lost_s"] * settings.rate_hz),
    }


def _classes(names: Mapping[int, str], labels: Sequence[str]) -> list[int]:
    numbers = {name: number for number, name in names.items()}
    unknown = [label for label in labels if label not in numbers]
    if unknown:
        raise SettingsError(f"the model knows no label {', '.join(map(repr, unknown))}", hint=f"it knows: {', '.join(numbers)}")
    return [numbers[label] for label in labels]


def _sightings(result: Any) -> Iterator[Sighting]:
    """`result` is an ultralytics Results; its boxes have no ids where nothing is tracked."""
    boxes = result.boxes
    if boxes.id is None:
        return
    columns = (boxes.id.int(), boxes.cls.int(), boxes.conf, boxes.xyxyn.clip(0, 1))
    for track, label, confidence, corners in zip(*(column.tolist() for column in columns), strict=True):
        yield Sighting(track, result.names[label], min(1.0, confidence), Box(*corners))
