"""The four rules of LangChain's SemanticChunker cut where the installed package cuts, on the same vectors."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import find
from segmenter.topics.distances import combined

pytest.importorskip("langchain_experimental", reason="LangChain is not installed: pip install 'segmenter[dev]'")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from langchain_core.embeddings import Embeddings
    from langchain_experimental.text_splitter import SemanticChunker


class Given(Embeddings):
    """Answers with vectors that are there already, one a sentence."""

    def __init__(self, vectors: NDArray[np.float64]) -> None:
        self.vectors = vectors

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        assert len(texts) == len(self.vectors)
        found: list[list[float]] = self.vectors.tolist()
        return found

    def embed_query(self, text: str) -> list[float]:
        raise NotImplementedError(text)


@pytest.mark.parametrize("rule", ["percentile", "standard_deviation", "interquartile", "gradient"])
@pytest.mark.parametrize("buffer", [0, 1, 2])
def test_the_same_cuts_on_two_hundred_documents(rule: str, buffer: int) -> None:
    draw, made = np.random.default_rng(7), 0
    for _ in range(200):
        count = int(draw.integers(3, 60))
        topics = np.sort(draw.integers(0, 4, count))
        vectors = np.eye(24)[topics] + 0.3 * draw.normal(size=(count, 24))
        vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        sentences = [Sentence(f"Number {i} is said.", i * 2.0, i * 2 + 1.5) for i in range(count)]
        theirs = langchain_cuts([s.text for s in sentences], combined(vectors, buffer), rule)
        ours = [b.after_sentence for b in find(sentences, vectors, TopicSettings(rule=rule, buffer=buffer))]
        assert ours == theirs
        made += len(ours)
    assert made >= 20


def langchain_cuts(texts: list[str], vectors: NDArray[np.float64], rule: str) -> list[int]:
    chunker = SemanticChunker(Given(vectors), buffer_size=1, breakpoint_threshold_type=rule)  # type: ignore[arg-type]
    chunks = chunker.split_text(" ".join(texts))
    lengths = np.cumsum([chunk.count(".") for chunk in chunks])
    return [int(end) - 1 for end in lengths[:-1]]
