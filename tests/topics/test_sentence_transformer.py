"""The real embedder, and the well-known example on it."""

from __future__ import annotations

import os

import numpy as np
import pytest

from segmenter import weights
from segmenter.errors import ModelMissing
from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.table import load
from segmenter.topics.breaks import find
from segmenter.topics.distances import neighbour_distances
from segmenter.topics.embedder import EMBEDDERS, Embedder

PUMP_AND_CAFETERIA = (
    "The XR-12 coolant pump circulates water through the press line.",
    "Inspect the XR-12 pump seals for leaks every week.",
    "A worn pump bearing grinds loudly before it fails.",
    "The staff cafeteria now opens for breakfast at 7:00.",
    "The cafeteria menu adds vegetarian lunches in May.",
)


@pytest.fixture(scope="module")
def folder() -> str:
    try:
        return weights.locate("all-MiniLM-L6-v2").path
    except ModelMissing as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def embedder(folder: str) -> Embedder:
    made: Embedder = load("embedder", EMBEDDERS, "all-MiniLM-L6-v2")(folder, "torch")
    return made


def test_the_pump_and_the_cafeteria_are_two_topics(embedder: Embedder) -> None:
    vectors = embedder.embed(PUMP_AND_CAFETERIA)
    assert neighbour_distances(vectors) == pytest.approx([0.56, 0.64, 0.98, 0.62], abs=0.006)
    sentences = [Sentence(text, i * 4.0, i * 4 + 3.0) for i, text in enumerate(PUMP_AND_CAFETERIA)]
    for rule in ("percentile", "default"):
        assert [b.after_sentence for b in find(sentences, vectors, TopicSettings(rule=rule))] == [2]


def test_vectors_are_unit_vectors_row_by_row(embedder: Embedder) -> None:
    texts = ["One.", "Quite another sentence, and a longer one.", "Ein Satz auf Deutsch.", "今天开会。"]
    vectors = embedder.embed(texts)
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    for row, text in zip(vectors, texts, strict=True):
        assert embedder.embed([text])[0] == pytest.approx(row, abs=1e-4)


def test_nothing_gives_nothing(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_the_end_of_a_long_text_counts(embedder: Embedder) -> None:
    """The model itself reads 256 word pieces and drops the rest without a word."""
    beginning = "The committee spoke about the annual budget of the library. " * 30
    pump, roof = embedder.embed([beginning + "The pump leaks. " * 60, beginning + "The roof is blue. " * 60])
    assert float(pump @ roof) < 0.97
    assert float(embedder.embed(["The pump leaks."])[0] @ pump) > float(embedder.embed(["The pump leaks."])[0] @ roof) + 0.1


def test_nothing_is_looked_for_on_the_network(embedder: Embedder) -> None:
    assert embedder is not None
    assert os.environ["HF_HUB_OFFLINE"] == "1"
