"""The clock that parts embedding from cutting, and splitters on a small text with a clear change of topic."""

from __future__ import annotations

import time
import warnings

import pytest

from segmenter import weights
from segmenter.errors import ModelMissing
from segmenter.evaluate.splitters import SPLITTERS, Clock

RIVER = ["The river is long.", "The river is deep.", "Many fish live in the river.", "The river floods in spring."]
BREAD = [
    "Bread is made of flour.",
    "The dough of the bread must rest.",
    "The oven bakes the bread.",
    "Bread tastes best when fresh.",
]


@pytest.mark.parametrize(
    ("name", "package"), [("segmenter", "numpy"), ("langchain", "langchain_experimental"), ("llamaindex", "llama_index")]
)
def test_each_splitter_accounts_for_its_time(name: str, package: str) -> None:
    pytest.importorskip(package)
    pytest.importorskip("sentence_transformers")
    try:
        folder = weights.locate("all-MiniLM-L6-v2").path
    except ModelMissing as error:
        pytest.skip(str(error))
    clock, began = Clock(), time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the others' packages
        assert SPLITTERS[name]([*RIVER, *BREAD], folder, clock) == 2
    assert all(part > 0 for part in clock.parts.values())
    assert sum(clock.parts.values()) <= time.perf_counter() - began


def test_what_is_embedded_while_cutting_is_not_cutting() -> None:
    clock = Clock()
    with clock.in_part("cutting"), clock.in_part("embedding"):
        time.sleep(0.01)
    assert clock.parts["embedding"] >= 0.01
    assert clock.parts["cutting"] >= clock.parts["embedding"]
