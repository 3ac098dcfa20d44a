"""Ways to cut a text by meaning: this project's own and the usual ones beside it, each for a process of its own.

All read the same sentence-transformers folder. Packages are imported inside, so that each process pays for its own alone.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Split = Callable[[Sequence[str], str, "Clock"], int]  # sentences, folder of the weights; the number of chunks


@dataclass(slots=True)
class Clock:
    """Seconds by the clock in each part: `loading` packages and weights, `embedding`, `cutting` (all the rest)."""

    parts: dict[str, float] = field(default_factory=lambda: {"loading": 0.0, "embedding": 0.0, "cutting": 0.0})

    @contextmanager
    def in_part(self, part: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.parts[part] += time.perf_counter() - began


def _segmenter(engine: str) -> Split:
    def split(sentences: Sequence[str], folder: str, clock: Clock) -> int:
        with clock.in_part("loading"):
            from segmenter.records import Sentence
            from segmenter.settings import TopicSettings
            from segmenter.topics.breaks import find
            from segmenter.topics.engines import local

            embedder = local(folder, engine)
        with clock.in_part("embedding"):
            vectors = embedder.embed(sentences)
        with clock.in_part("cutting"):
            return 1 + len(
                find([Sentence(text, float(i), i + 1.0) for i, text in enumerate(sentences)], vectors, TopicSettings())
            )

    return split


def _langchain(sentences: Sequence[str], folder: str, clock: Clock) -> int:
    with clock.in_part("loading"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from langchain_core.embeddings import Embeddings
        from langchain_experimental.text_splitter import SemanticChunker

        model = _model(folder)

    class Timed(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            with clock.in_part("embedding"):
                found: list[list[float]] = model.encode(texts, show_progress_bar=False).tolist()
                return found

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    return _but_embedding(clock, lambda: len(SemanticChunker(Timed()).split_text(" ".join(sentences))))


def _llamaindex(sentences: Sequence[str], folder: str, clock: Clock) -> int:
    with clock.in_part("loading"):
        from llama_index.core import Document
        from llama_index.core.base.embeddings.base import BaseEmbedding
        from llama_index.core.node_parser import SemanticSplitterNodeParser

        model = _model(folder)

    class Timed(BaseEmbedding):
        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            with clock.in_part("embedding"):
                found: list[list[float]] = model.encode(texts, show_progress_bar=False).tolist()
                return found

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    # Its own sentence splitter wants data that it would download.
    parser = SemanticSplitterNodeParser.from_defaults(
        embed_model=Timed(embed_batch_size=32), sentence_splitter=lambda _: list(sentences)
    )
    return _but_embedding(clock, lambda: len(parser.get_nodes_from_documents([Document(text=" ".join(sentences))])))


def _chonkie(sentences: Sequence[str], folder: str, clock: Clock) -> int:
    with clock.in_part("loading"):
        from chonkie import SemanticChunker, SentenceTransformerEmbeddings  # type: ignore[import-not-found]

        embeddings = SentenceTransformerEmbeddings(_model(folder))
        real = embeddings.embed_batch

        def timed(texts: list[str]) -> Any:
            with clock.in_part("embedding"):
                return real(texts)

        embeddings.embed_batch = timed
        chunker = SemanticChunker(embedding_model=embeddings)
    return _but_embedding(clock, lambda: len(chunker.chunk(" ".join(sentences))))


def _model(folder: str) -> Any:
    from segmenter.topics.sentence_transformer import loaded

    return loaded(folder)


def _but_embedding(clock: Clock, cut: Callable[[], int]) -> int:
    """Cutting with the embedding in it: what others do in one call."""
    before = clock.parts["embedding"]
    with clock.in_part("cutting"):
        made = cut()
    clock.parts["cutting"] -= clock.parts["embedding"] - before
    return made


SPLITTERS: dict[str, Split] = {
    "langchain": _langchain,
    "llamaindex": _llamaindex,
    "chonkie": _chonkie,
    "segmenter, torch": _segmenter("torch"),
    "segmenter": _segmenter("auto"),
}
