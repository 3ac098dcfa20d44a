"""Finished results and a store of them, as the doors to the frameworks find them."""

from __future__ import annotations

from pathlib import Path

import pytest
from indexed import SETTINGS, segmentation
from wordy import DIMENSION, word_tools

from segmenter.formats import folder
from segmenter.retrieval import finder
from segmenter.retrieval.stores import Stamp, writing
from segmenter.retrieval.units import units_of


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """The results of two recordings."""
    for name in ("r1", "r2"):
        folder.write(segmentation(name, f"Meeting {name}"), tmp_path / "runs")
    return tmp_path / "runs"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of the same two, embedded by their words."""
    pytest.importorskip("faiss")
    tools = word_tools()
    with writing(tmp_path / "store", Stamp("faiss", "words", "1", DIMENSION)) as made:
        for name in ("r1", "r2"):
            units = units_of(segmentation(name, f"Meeting {name}"), tools.pieces, SETTINGS, Path("out"))
            made.write(name, units, tools.embedder.embed([unit.embedded for unit in units]))
    monkeypatch.setattr(finder, "tools_of", lambda _: word_tools())
    return tmp_path / "store"
