"""Stills found by words: CLIP or SigLIP through sentence-transformers, in a store of their own.

A picture's vector cannot be compared with a sentence's, so stills have their own store, whose stamp names these weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import ModelMissing
from segmenter.records import Segmentation
from segmenter.retrieval.records import ALL, Scored, Unit, Where, unit_id
from segmenter.retrieval.stores import Store

_AT_ONCE = 32  # pictures in memory


class PictureEmbedder:
    """A sentence-transformers folder that puts texts and pictures into one space."""

    def __init__(self, folder: str) -> None:
        if not (Path(folder) / "modules.json").is_file():
            raise ModelMissing(
                "no sentence-transformers model there", path=folder, hint="give the folder of a CLIP or SigLIP model"
            )
        from segmenter.topics.sentence_transformer import loaded

        self._model = loaded(folder)

    def texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension)."""
        return self._unit(list(texts))

    def pictures(self, paths: Sequence[Path]) -> NDArray[np.float32]:
        """Unit vectors of picture files, shape (len(paths), dimension)."""
        from PIL import Image

        found = []
        for i in range(0, len(paths), _AT_ONCE):
            opened = []
            for path in paths[i : i + _AT_ONCE]:
                with Image.open(path) as picture:
                    opened.append(picture.convert("RGB"))
            found.append(self._unit(opened))
        return np.concatenate(found) if found else self._unit(["nothing"])[:0]

    def _unit(self, inputs: Sequence[object]) -> NDArray[np.float32]:
        vectors = self._model.encode(list(inputs), convert_to_numpy=True, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, np.float32)


def still_units(found: Segmentation, folder: Path) -> list[Unit]:
    """A unit for each key picture of a chunk that lies in the run's folder, by time."""
    units: list[Unit] = []
    for i, chunk in enumerate(found.chunks):
        name = f"stills/chunk-{i + 1:04}.jpg"
        if (folder / name).is_file():
            units.append(
                Unit(
                    unit_id(found.recording.id, "still", chunk.start, chunk.end),
                    found.recording.id,
                    "still",
                    chunk.start,
                    chunk.end,
                    len(units),
                    chunk.title,
                    embedded=name,
                    labels=chunk.labels,
                    speakers=chunk.speakers,
                    extra={"still": name, "folder": str(folder), "chunk": chunk.id},
                )
            )
    return units


def index_stills(found: Segmentation, folder: Path, store: Store, embedder: PictureEmbedder) -> int:
    """Puts the stills of a run into a store of stills, in place of those that were there; returns how many."""
    units = still_units(found, folder)
    vectors = embedder.pictures([folder / str(unit.extra["still"]) for unit in units])
    held = {unit.id for unit in store.scan(Where(recordings=(found.recording.id,))).units}
    store.write(found.recording.id, units, vectors, sorted(held - {unit.id for unit in units}))
    return len(units)


def stills(store: Store, words: str, embedder: PictureEmbedder, where: Where = ALL, most: int = 10) -> list[Scored]:
    """The stills most like these words, best first."""
    return store.nearest(embedder.texts([words])[0], where, most)
