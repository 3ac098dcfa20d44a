"""Several transcripts as one line of sentences, and the vectors of passages on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import SettingsError
from segmenter.evaluate.cutting import Cutter, Passages
from segmenter.evaluate.questions import Material
from segmenter.retrieval.lexical import Lexicon
from segmenter.retrieval.representations import REPRESENTATIONS, Context, text_of
from segmenter.retrieval.scoring import Index
from segmenter.retrieval.units import key_words
from segmenter.table import load

Vectors = NDArray[np.float32]


class Joined:
    """Several transcripts as one line of sentences."""

    def __init__(self, materials: Sequence[Material]) -> None:
        self.materials = materials
        self.offsets = np.cumsum([0, *(len(one.tokens) for one in materials)])

    @cached_property
    def tokens(self) -> Index:
        return np.array([size for one in self.materials for size in one.tokens], np.intp)

    @cached_property
    def recordings(self) -> Index:
        return np.repeat(np.arange(len(self.materials)), np.diff(self.offsets))

    @cached_property
    def terms(self) -> list[list[str]]:
        return [found for one in self.materials for found in one.terms]

    def passages(self, cut: Cutter) -> Passages:
        pairs = zip(self.materials, self.offsets, strict=False)
        return [(int(offset) + first, int(offset) + last) for one, offset in pairs for first, last in cut(one)]

    def lexicon(self, passages: Passages) -> Lexicon:
        return Lexicon([[term for i in range(first, last + 1) for term in self.terms[i]] for first, last in passages])

    def plain(self, passages: Passages) -> Vectors:
        texts = [text for one in self.materials for text in one.texts]
        return self.materials[0].tools.embedder.embed([" ".join(texts[first : last + 1]) for first, last in passages])

    def size(self, passages: Passages) -> int:
        return int(sum(self.tokens[first : last + 1].sum() for first, last in passages))


# --- what is embedded of a passage; the texts are those that a store would keep -----------------------------------


def plain(joined: Joined, cut: Cutter) -> Vectors:
    return joined.plain(joined.passages(cut))


def contextual(joined: Joined, cut: Cutter) -> Vectors:
    """Speakers and the neighbours' key words in front: a transcript has no title, and nothing is seen."""
    texts = []
    for one in joined.materials:
        passages, said = cut(one), one.asked.sentences
        words = ["", *key_words(passages, said), ""]
        for i, (first, last) in enumerate(passages):
            speakers = dict.fromkeys(s.speaker for s in said[first : last + 1] if s.speaker)
            context = Context(one.texts[first : last + 1], speakers=tuple(speakers), before=words[i], after=words[i + 2])
            texts.append(text_of("contextual")(context))
    return joined.materials[0].tools.embedder.embed(texts)


def late(joined: Joined, cut: Cutter) -> Vectors:
    weights = joined.materials[0].tools.model
    if weights is None:
        raise SettingsError("a server gives no token vectors", hint="late chunking needs an embedder that runs here")
    model = load("representation", REPRESENTATIONS, "late")(weights.path)
    found: Vectors = np.concatenate([model.embed(one.texts, cut(one)) for one in joined.materials])
    return found


REPRESENTED: dict[str, Callable[[Joined, Cutter], Vectors]] = {"plain": plain, "contextual": contextual, "late": late}
