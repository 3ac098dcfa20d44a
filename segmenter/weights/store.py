"""Where weights lie on this machine, and whether they are the ones that the catalogue means. Never downloads."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from platformdirs import user_cache_dir

from segmenter.errors import ModelMissing, SettingsError
from segmenter.records import ModelFile
from segmenter.weights import catalogue
from segmenter.weights.catalogue import Model

ORIGIN = "origin.json"  # beside fetched weights: where they came from, and the hashes of converted ones
TRUSTED = "SEGMENTER_MODELS"  # the variable that names a folder of the user's, and the source of what lies there
WEIGHTS = frozenset((".bin", ".engine", ".mnn", ".onnx", ".pb", ".pt", ".safetensors", ".tflite", ".torchscript"))


def cache_folder() -> Path:
    """Where segmenter keeps what can be had again: SEGMENTER_CACHE, else the system's place for caches."""
    return Path(os.environ.get("SEGMENTER_CACHE") or user_cache_dir("segmenter", appauthor=False))


def place_of(model: Model) -> Path:
    """The model's own folder: in the installed package that carries it, else in the cache, whether it is there or not."""
    return _packaged(model) or cache_folder() / "models" / model.name


def _packaged(model: Model) -> Path | None:
    package, _, inside = model.package.partition("/")
    found = find_spec(package) if package else None
    return Path(found.origin).parent / inside if found and found.origin else None


def user_folder() -> Path | None:
    """The folder that SEGMENTER_MODELS names.

    Raises:
        SettingsError: it is not there.
    """
    named = os.environ.get(TRUSTED)
    if not named:
        return None
    if not Path(named).is_dir():
        raise SettingsError(f"{TRUSTED} names no folder", path=named, hint="name one, or unset it to use the cache")
    return Path(named)


def digest(path: Path) -> str:
    """The file's SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main_file(path: Path) -> Path | None:
    """The weights themselves: the file at `path`, or the largest file of weights in the folder; None where there are none."""
    if path.is_file():
        return path
    inside = [p for p in path.rglob("*") if p.suffix in WEIGHTS and p.is_file()] if path.is_dir() else []
    return max(inside, key=lambda p: (p.stat().st_size, p.name), default=None)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where fetched weights came from. Converted ones have hashes of their own, which the catalogue cannot know."""

    source: str = "cache"
    converted: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def read(folder: Path) -> Origin:
        try:
            data: Any = json.loads((folder / ORIGIN).read_text(encoding="utf-8"))
            return Origin(str(data["source"]), dict(data["converted"]))
        except (OSError, ValueError, KeyError, TypeError):
            return Origin()

    def write(self, folder: Path) -> None:
        record = {"source": self.source, "converted": dict(self.converted)}
        (folder / ORIGIN).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Wrong:
    """A file that is not what it should be; `found` is None where it is missing."""

    path: Path
    wanted: str
    found: str | None

    def __str__(self) -> str:
        return f"its SHA-256 is {self.found}, not {self.wanted}" if self.found else "it is missing"


def wanted(model: Model, folder: Path) -> dict[str, str]:
    """The hash that each file of the model must have in `folder`."""
    return {**model.sha256, **(Origin.read(folder).converted if model.is_convertible else {})}


def check(folder: Path, hashes: Mapping[str, str]) -> list[Wrong]:
    """The files in `folder` that do not have these hashes."""
    found = {name: digest(folder / name) if (folder / name).is_file() else None for name in hashes}
    return [Wrong(folder / name, hashes[name], is_now) for name, is_now in found.items() if is_now != hashes[name]]


def _trusted(model: Model, folder: Path) -> Path | None:
    """The model's main file in a folder that the user vouches for, under any of its names."""
    places = [folder / name for name in (model.name, *model.also)]
    tried = [p / model.main for p in places] + [p for p in places if not model.is_folder]
    return next((p for p in tried if p.is_file()), None)


def detour(model: Model) -> str:
    """How to do without these weights, where that is possible."""
    return ", or use --tracker motion" if model.name.startswith("yolo") else ""


def _cached(model: Model) -> tuple[Path, str, str]:
    folder = place_of(model)
    if not (folder / model.main).is_file():
        hint = f"segmenter models fetch {model.name}{detour(model)}"
        raise ModelMissing(f"the weights of {model.name} are not on this machine", hint=hint)
    sha256 = wanted(model, folder)[model.main]
    if wrong := check(folder, {model.main: sha256}):
        raise ModelMissing(str(wrong[0]), path=wrong[0].path, hint=f"segmenter models fetch {model.name}")
    return folder / model.main, sha256, "package" if folder == _packaged(model) else Origin.read(folder).source


def resolve(model: Model, name: str) -> ModelFile:
    """The weights of `model`, asked for as `name`: from SEGMENTER_MODELS, trusted, else from the cache, checked.

    Raises:
        ModelMissing: not on this machine, or not the file that the catalogue means.
    """
    own = user_folder()
    trusted = _trusted(model, own) if own else None
    main, sha256, source = (trusted, digest(trusted), TRUSTED) if trusted else _cached(model)
    return ModelFile(name, str(main.parent if model.is_folder else main), sha256, source)


def locate(name: str, family: str = "") -> ModelFile:
    """The local weights called `name`: an existing path, else the model of that name. Nothing is downloaded.

    `family` is what the short names of a back end belong to: `locate("base", "faster-whisper")`. The record's `path`
    is what a library loads: the folder, or the file where the model is a single one.

    Raises:
        SettingsError: neither a path with weights nor a name in the catalogue.
        ModelMissing: not on this machine, or not the file that the catalogue means.
    """
    given = Path(name).expanduser()
    if main := main_file(given):
        return ModelFile(name, str(given), digest(main), "path")
    full = f"{family}/{name}" if family and not name.startswith(f"{family}/") else name
    return resolve(catalogue.find(full), name)
