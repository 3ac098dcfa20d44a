"""Ultralytics' own trackers, by name: they join detections by frames, as that library is mostly used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml  # type: ignore[import-untyped]

from segmenter.media.frames import Frame
from segmenter.records import Box, Observation, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision import engine
from segmenter.vision.detector import options
from segmenter.vision.stirring import without_things


class TrackMode:
    """Detection and tracking in one, by the tracker that the setting `association` names.

    Raises:
        ModelMissing, PackageMissing, SettingsError: see `Detector`.
    """

    def __init__(self, weights: str | Path, settings: VisionSettings) -> None:
        self.rate_hz, self._exempt = settings.rate_hz, settings.only_moving
        self._model, self.findings = engine.load(Path(weights), settings)
        self._tracker = configuration(settings)
        self._options = options(self._model, settings)

    def track(self, frames: Iterable[Frame]) -> Iterator[Observation]:
        """One observation a frame, in order, empty ones too, some seconds late. Ids begin at 1; one call at a time."""
        with TemporaryDirectory() as folder:
            path = Path(folder, "tracker.yaml")
            path.write_text(yaml.safe_dump(self._tracker), encoding="utf-8")
            numbers = count()

            def look(frame: Frame) -> tuple[Sighting, ...]:
                # persist=False makes new trackers, True keeps them: so a call's first frame forgets the call before
                (result,) = self._model.track(frame.image, persist=next(numbers) > 0, tracker=str(path), **self._options)
                return tuple(sightings(result))

            yield from without_things(frames, look, self._exempt)


def configuration(settings: VisionSettings) -> dict[str, Any]:
    """What models/tracker.yaml says of the tracker, with what depends on the settings filled in."""
    written: dict[str, Any] = yaml.safe_load(files("segmenter.models").joinpath("tracker.yaml").read_text(encoding="utf-8"))
    return {
        **written["every"],
        **written[settings.association],
        "tracker_type": settings.association,
        "track_low_thresh": min(written["every"]["track_low_thresh"], settings.confidence),
        "track_high_thresh": settings.confidence,
        "new_track_thresh": settings.confidence,
        "track_buffer": round(written["lost_s"] * settings.rate_hz),
    }


def sightings(result: Any) -> Iterator[Sighting]:
    """`result` is an ultralytics Results; its boxes have no ids where nothing is tracked."""
    boxes = result.boxes
    if boxes.id is None:
        return
    columns = (boxes.id.int(), boxes.cls.int(), boxes.conf, boxes.xyxyn.clip(0, 1))
    for track, label, confidence, corners in zip(*(column.tolist() for column in columns), strict=True):
        yield Sighting(track, result.names[label], min(1.0, confidence), Box(*corners))
