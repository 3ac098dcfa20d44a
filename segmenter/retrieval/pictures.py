"""Stills found by words: CLIP or SigLIP through sentence-transformers.

A picture's vector cannot be compared with a sentence's, so the stills of a store are in a store of their own inside its
folder, of the same back end, whose stamp names these weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from segmenter import weights
from segmenter.errors import BadInput, ModelMissing, SettingsError
from segmenter.records import ModelFile
from segmenter.retrieval.indexing import Stills, update
from segmenter.retrieval.records import ALL, Unit, UnitKind, Where
from segmenter.retrieval.search import Hit, hit_of
from segmenter.retrieval.stores import STAMP, Stamp, Store, open_store, stamp_of, writing
from segmenter.weights.store import digest, user_folder

STILL: UnitKind = "still"
_AT_ONCE = 32  # pictures in memory
_MOST = 10
_HINT = "give the folder of a CLIP or SigLIP model, as sentence-transformers saves it"
_MAKE = "segmenter index DIR... --store PATH --pictures MODEL"


class PictureEmbedder:
    """A sentence-transformers folder that puts texts and pictures into one space."""

    def __init__(self, folder: str) -> None:
        if not (Path(folder) / "modules.json").is_file():
            raise ModelMissing("no sentence-transformers model there", path=folder, hint=_HINT)
        from segmenter.topics.sentence_transformer import loaded

        self._model = loaded(folder)

    def texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension)."""
        return self._unit(list(texts))

    def pictures(self, paths: Sequence[Path]) -> NDArray[np.float32]:
        """Unit vectors of picture files, shape (len(paths), dimension).

        Raises:
            BadInput: one is no picture, or a damaged one.
        """
        from PIL import Image

        found = []
        for i in range(0, len(paths), _AT_ONCE):
            opened = []
            for path in paths[i : i + _AT_ONCE]:
                try:
                    with Image.open(path) as picture:
                        opened.append(picture.convert("RGB"))
                except Exception as error:  # whatever a decoder makes of damaged bytes
                    raise BadInput("a still that cannot be read", path=path, hint="segmenter report makes it anew") from error
            found.append(self._unit(opened))
        return np.concatenate(found) if found else self._unit(["nothing"])[:0]

    def _unit(self, inputs: Sequence[object]) -> NDArray[np.float32]:
        vectors = self._model.encode(list(inputs), convert_to_numpy=True, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, np.float32)


def located(name: str) -> ModelFile:
    """The weights at that path, or of that name in the user's folder of weights.

    Raises:
        ModelMissing: there are none.
    """
    own = user_folder()
    for place in (Path(name).expanduser(), *([own / name] if own else [])):
        if (place / "modules.json").is_file():
            return weights.locate(str(place.resolve()))
    raise ModelMissing("no picture model there", path=name, hint=_HINT)


def place_of(store: str | Path) -> Path:
    """Where the pictures of a store are."""
    return Path(store) / "pictures"


# --- indexing ------------------------------------------------------------------------------------------------------


def wanted_for(store: Path, named: str | None) -> ModelFile | None:
    """The weights that stills are embedded with: those named, else those that the store has some by; else none."""
    if named is None and not (place_of(store) / STAMP).exists():
        return None
    return located(named or stamp_of(place_of(store)).embedder)


@contextmanager
def keeping(store: Path, model: ModelFile | None, text: Stamp, anew: bool = False) -> Iterator[Stills | None]:
    """What brings the stills of a recording up to date, beside the `text` store at `store`; none without a model."""
    if model is None:
        yield None
        return
    embedder = PictureEmbedder(model.path)
    dimension = embedder.texts(["How long is a vector?"]).shape[1]
    stamp = replace(text, embedder=model.path, version=model.sha256, dimension=dimension, representation="picture")
    with writing(place_of(store), stamp, anew=anew) as stills:
        yield lambda recording, units, folder: _index(stills, embedder, recording, units, folder)
        stills.settle()


def _index(stills: Store, embedder: PictureEmbedder, recording: str, units: Sequence[Unit], folder: Path) -> int:
    """By their bytes: a picture that is made anew under its old name is embedded anew, and no other."""
    own = [unit for unit in units if unit.kind == STILL]
    files = [folder / str(unit.extra["still"]) for unit in own]
    keys = [digest(file) for file in files]
    keyed = [replace(unit, embedded=key) for unit, key in zip(own, keys, strict=True)]
    by_key = dict(zip(keys, files, strict=True))
    update(stills, recording, keyed, lambda missing: embedder.pictures([by_key[key] for key in missing]))
    return len(keyed)


def remove(store: Path, recordings: Sequence[str]) -> None:
    """Takes the stills of recordings out, where the store has some."""
    place = place_of(store)
    if (place / STAMP).exists():
        with writing(place, stamp_of(place)) as stills:
            for recording in recordings:
                stills.remove(recording)
            stills.settle()


def is_still(hit: Hit) -> bool:
    return [line.kind for line in hit.lines] == [STILL]


# --- searching -----------------------------------------------------------------------------------------------------


class StillFinder:
    """Words to the stills of a store. Use it in a `with` statement, or `close` it.

    Raises:
        NotAFile: there is no store at `path`.
        SettingsError: its stills cannot be found by words, or the weights here are others.
        ModelMissing: the weights are not on this machine.
    """

    def __init__(self, path: str | Path) -> None:
        stamp_of(path)
        model = wanted_for(Path(path), None)
        if model is None:
            raise SettingsError("the stills of this store cannot be found by words", path=path, hint=_MAKE)
        if model.sha256 != stamp_of(place_of(path)).version:
            raise SettingsError("the stills were embedded with other weights", path=path, hint=f"{_MAKE} --rebuild")
        self._embedder = PictureEmbedder(model.path)
        self.store, self._stills = open_store(path), open_store(place_of(path))

    def search(self, words: str, where: Where = ALL, most: int | None = None) -> list[Hit]:
        """The stills most like these words, best first."""
        if not words.strip():
            raise SettingsError("the question is empty", hint="say what to look for")
        found = self._stills.nearest(self._embedder.texts([words])[0], replace(where, kinds=()), most or _MOST)
        known = {unit.recording: unit for unit in self.store.recordings()}
        chunks = {unit.id: unit for unit in self.store.units(list({one.unit.chunk for one in found}))}
        return [
            replace(hit_of([unit], np.array([score]), set(), known, chunks), still=str(unit.extra["still"]))
            for unit, score in ((one.unit, one.score) for one in found)
            if unit.recording in known
        ]

    def close(self) -> None:
        self._stills.close()
        self.store.close()

    def __enter__(self) -> StillFinder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
