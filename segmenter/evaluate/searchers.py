"""Searching transcripts by arrays: chunks ranked one by one, or the program's own scoring of sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from segmenter.evaluate.cutting import Cutter, Passages, parents
from segmenter.evaluate.joined import REPRESENTED, Joined, Vectors
from segmenter.retrieval.filling import merged
from segmenter.retrieval.lexical import Lexicon, share, terms
from segmenter.retrieval.scoring import Array, Evidence, Index, Line, Scope, named
from segmenter.settings import RetrievalSettings


@dataclass(frozen=True, slots=True)
class Asking:
    """A question, the language it is in, and its unit vector."""

    text: str
    language: str
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Found:
    """`order`: sentences of the scope as they are returned; `ranking`: the chunks that are stored, best first."""

    order: Sequence[int]
    ranking: Sequence[int]


class Searcher(Protocol):
    chunks: Passages  # in sentences of the scope
    embedded_tokens: int
    index_bytes: int

    def search(self, asking: Asking) -> Found: ...


Fuse = Callable[[Array, Array], Array]  # cosines and BM25 scores of chunks to what they are ranked by


def summed(weight: float) -> Fuse:
    """Cosine and a share of BM25, which is scaled by its greatest value."""
    return lambda cosines, words: cosines + weight * share(words)


def reciprocal_ranks(cosines: Array, words: Array) -> Array:
    """Reciprocal rank fusion with its usual 60 (Cormack, Clarke and Buettcher 2009)."""
    places = [(-one).argsort(kind="stable").argsort(kind="stable") for one in (cosines, words)]
    return np.asarray(sum(1 / (60 + place) for place in places))


class ChunkSearcher:
    """Chunks by falling score; of each, its sentences in order. Where nothing fuses, the cosine alone counts."""

    def __init__(
        self, joined: Joined, cut: Cutter, representation: str = "plain", fuse: Fuse | None = None, parents: Cutter | None = None
    ) -> None:
        self.chunks = joined.passages(cut)
        self._vectors, self._fuse, self._tokens = REPRESENTED[representation](joined, cut), fuse, joined.tokens
        self._lexicon = joined.lexicon(self.chunks if fuse else [])
        self._owner = owner_of(joined.passages(parents)) if parents else None
        self.embedded_tokens = joined.size(self.chunks)
        self.index_bytes = self._vectors.nbytes + self._lexicon.nbytes

    def search(self, asking: Asking) -> Found:
        scores = (self._vectors @ asking.vector).astype(np.float64)
        if self._fuse:
            scores = self._fuse(scores, self._lexicon.scores(terms(asking.text, asking.language)))
        ranking = np.argsort(-scores, kind="stable").tolist()
        order = [i for chunk in ranking for i in range(self.chunks[chunk][0], self.chunks[chunk][1] + 1)]
        return Found(order if self._owner is None else list(merged(order, self._owner, self._tokens, 0.5)), ranking)


def owner_of(passages: Passages) -> Index:
    return np.repeat(np.arange(len(passages)), [last - first + 1 for first, last in passages])


Rank = Callable[[Scope, Evidence], Array]  # what sentences are ranked by, shape (n,)


def three_seats(scope: Scope, found: Evidence) -> Array:
    """Simpler than the program's own: the three best by the narrow score first, then all by the wide one. No statistics."""
    scores = scope.wide(found)
    first = np.argsort(-scope.narrow(found), kind="stable")[:3]
    scores[first] = scores.max(initial=0.0) + 1 + np.arange(len(first), 0, -1)
    return scores


class SentenceSearcher:
    """The program's own: parents smoothed over time, a few single sentences in front of them."""

    def __init__(self, joined: Joined, settings: RetrievalSettings, rank: Rank = Scope.scores) -> None:
        own = [joined.materials[0].tools.knows(one.asked.language) for one in joined.materials]
        self.chunks = joined.passages(parents(settings.parent_tokens))
        self._rank = rank
        line = Line(np.array([size for one in joined.materials for size in one.sizes], np.intp), joined.recordings)
        self._tokens = joined.tokens
        self._scope = Scope(
            line, owner_of(self.chunks), np.array(own)[joined.recordings], settings, (line.tokens == joined.tokens) * 1.0
        )
        self._speakers = [s.speaker for one in joined.materials for s in one.asked.sentences]
        self._wide = REPRESENTED[settings.representation](joined, parents(settings.parent_tokens))
        self._narrow = np.concatenate([one.vectors for one in joined.materials])
        self._wide_words = joined.lexicon(self.chunks)
        self._narrow_words = Lexicon(joined.terms)
        self.embedded_tokens = joined.size(self.chunks) + int(joined.tokens.sum())
        arrays = (self._wide, self._narrow, self._wide_words, self._narrow_words)
        self.index_bytes = sum(one.nbytes for one in arrays)

    def search(self, asking: Asking) -> Found:
        scores = self._rank(self._scope, self._evidence(asking))
        tokens, firsts = self._tokens, [first for first, _ in self.chunks]
        means = np.add.reduceat(tokens * scores, firsts) / np.add.reduceat(tokens, firsts)
        order = merged(np.argsort(-scores, kind="stable").tolist(), self._scope.parents, tokens, self._scope.settings.merge_share)
        return Found(list(order), np.argsort(-means, kind="stable").tolist())

    def _evidence(self, asking: Asking) -> Evidence:
        asked = terms(asking.text, asking.language)
        return Evidence(
            (self._wide @ asking.vector).astype(np.float64),
            self._wide_words.shares(asked),
            (self._narrow @ asking.vector).astype(np.float64),
            self._narrow_words.shares(asked),
            named(asking.text, self._speakers),
        )
