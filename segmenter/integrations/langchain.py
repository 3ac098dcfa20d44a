"""LangChain: a loader, a text splitter that cuts by topic, and a retriever over a store."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_text_splitters import TextSplitter
from numpy.typing import NDArray
from pydantic import ConfigDict, PrivateAttr

from segmenter.integrations.documents import chunks, of_hit, segmentations
from segmenter.records import Sentence
from segmenter.retrieval.finder import Finder
from segmenter.retrieval.records import ALL, Where
from segmenter.retrieval.tools import tools_of
from segmenter.settings import Settings, TopicSettings
from segmenter.topics import breaks


class SegmenterLoader(BaseLoader):
    """A document for each chunk of recordings, or of the results of `segmenter run`.

    The text is what is said, or else what is seen; the metadata holds `source`, `start` and `end` in seconds, `title`,
    `link` (a media fragment), `labels`, `speakers`, and why the chunk begins and ends. For the errors, see `segment`.
    """

    def __init__(self, *paths: str | Path, settings: Settings | None = None) -> None:
        self._paths, self._settings = paths, settings

    def lazy_load(self) -> Iterator[Document]:
        for found, _ in segmentations(self._paths, self._settings):
            for text, values in chunks(found):
                yield Document(page_content=text, metadata=values, id=values["id"])


class TopicTextSplitter(TextSplitter):
    """Cuts text where its topic changes, and not where it does not; in the place of SemanticChunker.

    Lines that begin with a name and a colon are what that speaker says.

    Args:
        embeddings: as for SemanticChunker; None: segmenter's own.
        settings: the rule, its granularity and limits.
        language: of the text, an ISO 639-1 code.
    """

    def __init__(
        self,
        embeddings: Embeddings | None = None,
        settings: TopicSettings | None = None,
        language: str = "en",
        *,
        add_start_index: bool = False,
    ) -> None:
        super().__init__(chunk_size=1, chunk_overlap=0, add_start_index=add_start_index)
        self._embeddings, self._topics, self._language = embeddings, settings or TopicSettings(), language

    def split_text(self, text: str) -> list[str]:
        """The pieces in order; but for blanks at their ends they are the text."""
        sentences, starts = _sentences(text, self._language)
        if not sentences:
            return []
        vectors = np.empty((0, 0), np.float32)
        if breaks.needs_vectors(self._topics.rule):
            vectors = self._embed([sentence.text for sentence in sentences])
        cuts = [b.after_sentence + 1 for b in breaks.find(sentences, vectors, self._topics)]
        edges = [0, *(starts[i] for i in cuts), len(text)]
        return [piece for a, b in pairwise(edges) if (piece := text[a:b].strip())]

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        if self._embeddings is None:
            return tools_of(self._topics).embedder.embed(texts)
        vectors = np.asarray(self._embeddings.embed_documents(texts), np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: NDArray[np.float32] = vectors / np.maximum(lengths, 1e-12)
        return unit


_VOICE = re.compile(r"\s*([^\W\d_][\w .'’-]{0,39}):\s+(?=\S)")


def _sentences(text: str, language: str) -> tuple[list[Sentence], list[int]]:
    """Sentences, a second for each, and where in the text each begins, its speaker's name included."""
    import sentencex

    lines = text.splitlines(keepends=True)
    said: list[tuple[str, str | None, int]] = []
    for line, offset in zip(lines, accumulate(map(len, lines), initial=0), strict=False):
        voice = _VOICE.match(line)
        words = line[voice.end() :] if voice else line
        at = offset + len(line) - len(words)
        parts = list(sentencex.segment(language, words))
        for number, (part, start) in enumerate(zip(parts, accumulate(map(len, parts), initial=at), strict=False)):
            if part.strip():
                said.append((part.strip(), voice[1] if voice else None, offset if number == 0 else start))
    sentences = [Sentence(words, float(i), i + 1.0, speaker) for i, (words, speaker, _) in enumerate(said)]
    return sentences, [start for _, _, start in said]


class SegmenterRetriever(BaseRetriever):
    """Passages from a store that `segmenter index` made, best first; score, times and link stand in the metadata.

    `budget` is how many tokens are returned at most, `k` how many passages; `where` narrows by recording, time, label
    or speaker.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    store: str | Path
    settings: Settings | None = None
    budget: int | None = None
    k: int | None = None
    where: Where = ALL
    _finder: Finder = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._finder = Finder(self.store, self.settings)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:  # noqa: ARG002
        hits = self._finder.search(query, self.where, self.budget, self.k)
        return [Document(page_content=hit.text, metadata=of_hit(hit)) for hit in hits]


__all__: Sequence[str] = ("SegmenterLoader", "SegmenterRetriever", "TopicTextSplitter")
