"""The embedder and the counter of word-pieces that settings name, for whoever indexes, searches or measures."""

from __future__ import annotations

from dataclasses import dataclass

from segmenter import weights
from segmenter.records import ModelFile
from segmenter.retrieval.pieces import Pieces, counter
from segmenter.settings import TopicSettings
from segmenter.topics import embedder
from segmenter.topics.embedder import EMBEDDERS, Embedder


@dataclass(frozen=True)
class Tools:
    """The embedder, what counts word-pieces as it does, the languages it knows (none: any), and its weights, if it has any."""

    embedder: Embedder
    pieces: Pieces
    languages: tuple[str, ...] = ()
    model: ModelFile | None = None

    def knows(self, language: str) -> bool:
        return not self.languages or not language or language in self.languages


def tools_of(settings: TopicSettings) -> Tools:
    """What is embedded is remembered; see `embedder.make`.

    Raises:
        ModelMissing: the weights are not on this machine.
    """
    row = EMBEDDERS.get(settings.embedder)
    model = weights.locate(settings.embedder) if row is None or row.weights else None
    languages = row.languages if row else ()
    return Tools(embedder.make(settings, model), counter(model.path if model else None), languages, model)
