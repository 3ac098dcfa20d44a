"""The embedder follows the language: which one knows a text, and a warning where none does."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from segmenter.errors import ModelMissing, PackageMissing
from segmenter.records import Finding, ModelFile, Sentence
from segmenter.settings import TopicSettings
from segmenter.table import check
from segmenter.topics.centred import CentredEmbedder
from segmenter.topics.embedder import EMBEDDERS, Embedder, make, weights_of


@dataclass(frozen=True, slots=True)
class Choice:
    """The settings with the embedder that suits a text, that embedder, and its weights if it needs any here."""

    settings: TopicSettings
    embedder: Embedder
    model: ModelFile | None


class Embedders:
    """For each text the embedder that knows it, made at first use and kept."""

    def __init__(self, settings: TopicSettings) -> None:
        self._settings = settings
        self._made: dict[str, Choice] = {}

    def suited(self, sentences: Sequence[Sentence]) -> Choice:
        """Raises:
        ModelMissing: its weights are not on this machine.
        """
        settings = suited(self._settings, sentences)
        if settings.embedder not in self._made:
            model = weights_of(settings)
            made = make(settings, model)
            measured = EMBEDDERS[settings.embedder].alike is not None
            self._made[settings.embedder] = Choice(settings, made if measured else CentredEmbedder(made), model)
        return self._made[settings.embedder]


def check_names(settings: TopicSettings) -> None:
    """Raises:
    SettingsError: an embedder's name is unknown.
    PackageMissing: the package of `embedder` is not installed; another one is used where it can be.
    """
    check("embedder", EMBEDDERS, settings.embedder)
    for other in _others(settings):
        with suppress(PackageMissing):
            check("embedder", EMBEDDERS, other)


def suited(settings: TopicSettings, sentences: Sequence[Sentence]) -> TopicSettings:
    """With the first other embedder that knows most of the text and is on this machine, where `settings.embedder` does not."""
    for other in _knowing(settings, sentences):
        changed = replace(settings, embedder=other)
        with suppress(PackageMissing, ModelMissing):
            check("embedder", EMBEDDERS, other)
            weights_of(changed)
            return changed
    return settings


def unread(settings: TopicSettings, sentences: Sequence[Sentence]) -> list[Finding]:
    """A warning where most of the text is in languages that the embedder does not know."""
    chosen = suited(settings, sentences).embedder
    spoken = _unknown(sentences, chosen)
    if not spoken:
        return []
    row = EMBEDDERS[chosen]
    message = (
        f"most of the text is in {', '.join(spoken)}, and the embedder {chosen} knows {', '.join(row.languages)} alone:"
        " topic breaks are less sure"
    )
    if knowing := _knowing(settings, sentences):
        message += f"; pip install 'segmenter[{EMBEDDERS[knowing[0]].extra}]' brings one that knows it"
    return [Finding("embedder_language", message)]


def _others(settings: TopicSettings) -> list[str]:
    """The embedders that may take the place of `settings.embedder`."""
    if settings.other_embedder == "auto":
        return [name for name, row in EMBEDDERS.items() if row.weights and name != settings.embedder]
    return [settings.other_embedder] if settings.other_embedder else []


def _knowing(settings: TopicSettings, sentences: Sequence[Sentence]) -> list[str]:
    """Those of them that know most of the text, where `settings.embedder` does not."""
    if not _unknown(sentences, settings.embedder):
        return []
    return [other for other in _others(settings) if not _unknown(sentences, other)]


def _unknown(sentences: Sequence[Sentence], embedder: str) -> list[str]:
    """The languages that the embedder does not know, where most of the text is in such; else none."""
    known = EMBEDDERS[embedder].languages
    strange = [s for s in sentences if known and s.language and s.language.partition("-")[0] not in known]
    if 2 * sum(len(s.text) for s in strange) <= sum(len(s.text) for s in sentences):
        return []
    return list(dict.fromkeys(s.language or "" for s in strange))
