"""On what a detector's weights run: as they are, or exported once to OpenVINO, which is faster on a CPU."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from segmenter import table
from segmenter.errors import ModelMissing, PackageMissing, SegmenterError, SettingsError
from segmenter.records import Finding
from segmenter.settings import VisionSettings
from segmenter.table import Row
from segmenter.vision.quiet_ultralytics import import_ultralytics
from segmenter.weights.quiet_openvino import import_openvino
from segmenter.weights.store import cache_folder, digest

Findings = tuple[Finding, ...]
ENGINES = {
    "auto": Row("segmenter.vision.engine:best", "OpenVINO on a CPU where it is installed, else torch"),
    "torch": Row("segmenter.vision.engine:as_they_are", "PyTorch, on a CPU or a graphics card"),
    "openvino": Row("segmenter.vision.engine:exported", "OpenVINO, exported once from .pt weights", ("openvino",), "openvino"),
}
TASKS = ("detect", "segment", "pose")  # whose results are upright boxes
EXPORTABLE = ".pt"  # other formats have an engine of their own
_FOLDER = "_openvino_model"  # how ultralytics knows such a folder


def load(weights: Path, settings: VisionSettings) -> tuple[Any, Findings]:
    """The ultralytics model in `weights` on the engine of the settings, and what the user should know of that.

    Raises:
        ModelMissing: there are no weights, or none that ultralytics can load.
        PackageMissing: the engine's package is not installed.
        SettingsError: there is no such engine, or the model finds no boxes.
    """
    choose: Callable[[Path, int], tuple[Path, Findings]] = table.load("engine", ENGINES, settings.engine)
    ready, findings = choose(weights, settings.image_size_px) if weights.suffix == EXPORTABLE else (weights, ())
    return opened(ready, settings.image_size_px), findings


def as_they_are(weights: Path, image_size_px: int) -> tuple[Path, Findings]:  # noqa: ARG001 - one signature for all
    """The `torch` row."""
    return weights, ()


def exported(weights: Path, image_size_px: int) -> tuple[Path, Findings]:
    """The `openvino` row: the weights in OpenVINO's format, from the cache, made there at first use.

    Raises:
        ModelMissing, SettingsError: see `load`; also where the export fails.
    """
    if not weights.is_file():
        return weights, ()
    import_openvino()
    identity = f"{digest(weights)[:16]}-{image_size_px}px-ultralytics-{version('ultralytics')}"
    folder = cache_folder() / "engines" / f"openvino-{version('openvino')}" / identity
    if not folder.is_dir():
        _export(weights, image_size_px, folder)
    return folder / f"{weights.stem}{_FOLDER}", ()


def best(weights: Path, image_size_px: int) -> tuple[Path, Findings]:
    """The `auto` row: the fastest on this machine, where it can be had."""
    import torch

    if torch.cuda.is_available():
        return weights, ()
    try:
        faster, findings = table.load("engine", ENGINES, "openvino")(weights, image_size_px)
    except PackageMissing as error:
        return weights, (_slow(str(error)),)
    except ModelMissing as error:
        return weights, (_slow(error.what),)
    return faster, findings


def _slow(reason: str) -> Finding:
    return Finding("slow_engine", f"{reason}; detection runs on torch and takes about twice as long", level="note")


def opened(weights: Path, image_size_px: int) -> Any:
    """The ultralytics model in `weights`, a file or a folder, ready for the first picture.

    Raises:
        ModelMissing, SettingsError: see `load`.
    """
    if not weights.exists():  # ultralytics would take the name for one that it may download
        raise ModelMissing("there are no such weights", path=weights, hint="name a .pt or .onnx file or an OpenVINO folder")
    try:
        model = import_ultralytics().YOLO(str(weights), task="detect")
        # the constructor only notes where exported weights are, and `names` would load them for itself alone
        (blank,) = model.predict(np.zeros((image_size_px, image_size_px, 3), np.uint8), imgsz=image_size_px, verbose=False)
    except ImportError as error:
        raise ModelMissing(
            f"these weights need the package {error.name}", path=weights, hint=f"pip install {error.name}"
        ) from error
    except Exception as error:  # every format and version fails in a way of its own
        reason = str(error).strip().partition("\n")[0]
        raise ModelMissing(f"ultralytics cannot load these weights: {reason}", path=weights) from error
    if model.task not in TASKS or not blank.names:
        raise SettingsError(
            f"these weights are for the task {model.task}", path=weights, hint=f"take some for {' or '.join(TASKS)}"
        )
    return model


def _export(weights: Path, image_size_px: int, folder: Path) -> None:
    """Export under another name, then move: another process finds all of it or nothing.

    With a dynamic shape only the picture itself is looked at, not the bars that would make it square.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent, prefix=".exporting-") as scratch:
        copy = Path(scratch) / "made" / weights.name  # ultralytics writes beside the weights
        copy.parent.mkdir()
        shutil.copyfile(weights, copy)
        try:
            model = opened(copy, image_size_px)
            if model.task != "detect":
                raise ModelMissing(f"weights for the task {model.task} are not exported")
            with warnings.catch_warnings(action="ignore"):  # torch's own, about how ultralytics traces the model
                model.export(format="openvino", dynamic=True, imgsz=image_size_px, verbose=False)
        except Exception as error:  # every version fails in a way of its own
            reason = error.what if isinstance(error, SegmenterError) else str(error).strip().partition("\n")[0]
            raise ModelMissing(f"no export to OpenVINO: {reason}", path=weights, hint="take the engine torch") from error
        copy.unlink()
        try:
            copy.parent.rename(folder)
        except OSError:  # another process was quicker
            if not folder.is_dir():
                raise
