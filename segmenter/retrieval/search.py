"""A question asked of a store: hits within a budget of tokens, each with the times, words and pictures to show it by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from segmenter.retrieval.filling import fill, merged, passages
from segmenter.retrieval.gathering import Gathered, gather
from segmenter.retrieval.lexical import Lexicon, matches, terms
from segmenter.retrieval.pieces import sizes
from segmenter.retrieval.records import ALL, Unit, UnitKind, Where
from segmenter.retrieval.scoring import Array, Evidence, Line, Scope, named
from segmenter.retrieval.stores import Store
from segmenter.retrieval.tools import Tools
from segmenter.settings import RetrievalSettings
from segmenter.timeline import intersection_over_union

_RERANKED = 3  # times the budget is read again by a reranker, which then decides what fills it
_SAME = 0.8  # intersection over union from which on two hits show the same stretch
Rerank = Callable[[str, Sequence[str]], Array]  # a question and texts to how well each one answers it


@dataclass(frozen=True, slots=True)
class HitLine:
    """A sentence that is said, an event that is seen, or a still. `marks`: where its text matches the question, (from, until)."""

    kind: UnitKind
    start: float
    end: float
    speaker: str | None
    text: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found: lines of one recording that follow one another, times in seconds on its clock.

    `best` is when its best line begins, which may be minutes from its start; `chunk` holds that line. `link` leads to
    the start in the recording's report, relative files (`still`, `clips`) lie in `folder`; they are empty where there
    are none. Where stills are searched, a hit is one of them: it lasts no time, and `still` is the picture itself.
    """

    recording: str
    title: str
    path: str
    folder: str
    start: float
    end: float
    best: float
    score: float
    tokens: int
    lines: tuple[HitLine, ...]
    speakers: tuple[str, ...]
    labels: tuple[str, ...]
    tracks: tuple[int, ...]
    chunk: str  # id
    chunk_title: str
    link: str
    still: str
    clips: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


def search(
    store: Store,
    question: str,
    tools: Tools,
    settings: RetrievalSettings,
    where: Where = ALL,
    budget: int | None = None,
    most: int | None = None,
    rerank: Rerank | None = None,
) -> list[Hit]:
    """The passages that answer a question, best first, together at most `budget` tokens and `most` passages.

    `where` is asked of the store itself; of its kinds, sentences and events are what can be found. Nothing in
    `question` is anything but text.
    """
    vector = tools.embedder.embed([question])[0]
    asked = {language: terms(question, language) for language in _languages(store)}
    everything = list(dict.fromkeys(term for own in asked.values() for term in own))
    found = gather(store, vector, everything, where)
    if not found.lines:
        return []
    words = _lexicon(found.lines, everything)
    scores = scored(found, question, vector, everything, words, tools.knows, settings)
    spans = _passages(found, scores, settings.merge_share, budget or settings.budget_tokens, rerank and partial(rerank, question))
    marked = words.rare(everything)
    known = {unit.recording: unit for unit in store.recordings()}
    chunks = {unit.id: unit for unit in store.units(list({line.chunk for line in found.lines}))}
    hits = [hit_of(found.lines[a : b + 1], scores[a : b + 1], marked, known, chunks) for a, b in spans]
    return without_repeats(hits)[:most]


def _passages(
    found: Gathered, scores: Array, merge_share: float, budget: int, rerank: Callable[[Sequence[str]], Array] | None
) -> list[tuple[int, int]]:
    """What fills the budget, as (first, last) lines, best first."""
    tokens = np.array([line.tokens for line in found.lines], np.intp)
    order = list(merged(np.argsort(-scores, kind="stable").tolist(), found.owner, tokens, merge_share))
    if rerank is not None:
        groups: dict[int, list[int]] = {}  # by parent: pieces of a length that a cross-encoder reads
        for i in fill(order, tokens, _RERANKED * budget):
            groups.setdefault(int(found.owner[i]), []).append(i)
        pieces = [sorted(group) for group in groups.values()]
        texts = [" ".join(found.lines[i].text for i in piece) for piece in pieces]
        order = [i for best in np.argsort(-rerank(texts), kind="stable") for i in pieces[best]]
    places = {line: place for place, line in enumerate(order)}
    spans = passages(fill(order, tokens, budget), found.stretches)
    return sorted(spans, key=lambda span: min(places[i] for i in range(span[0], span[1] + 1)))


def scored(
    found: Gathered,
    question: str,
    vector: NDArray[np.float32],
    asked: Sequence[str],
    words: Lexicon,
    knows: Callable[[str], bool],
    settings: RetrievalSettings,
) -> Array:
    """How well each line answers, shape (number of lines,); `words` are the lines' own."""
    costs = [line.tokens for line in found.lines]
    read = sizes([line.text for line in found.lines], costs)
    legible = (np.array(read) == costs).astype(np.float64)
    known = np.array([knows(line.language) for line in found.lines])
    scope = Scope(Line(np.array(read, np.intp), found.recordings), found.owner, known, settings, legible)
    return scope.scores(
        Evidence(
            (found.parents.vectors @ vector).astype(np.float64),
            _lexicon(found.parents.units, asked).shares(asked),
            (found.vectors @ vector).astype(np.float64),
            words.shares(asked),
            named(question, [line.speakers[0] if line.speakers else None for line in found.lines]),
        )
    )


def _lexicon(units: Sequence[Unit], asked: Sequence[str]) -> Lexicon:
    return Lexicon([unit.terms.split(" ") for unit in units], set(asked))


def _languages(store: Store) -> list[str]:
    """Those that are spoken in the store: a question is put in the terms of each."""
    spoken = {language for unit in store.recordings() for language in unit.extra.get("languages", ())}
    return sorted(spoken | {"en"})


def without_repeats(hits: Sequence[Hit]) -> list[Hit]:
    """The hits without those that show nearly the same stretch as a better one."""
    kept: list[Hit] = []
    for hit in hits:
        same = (one for one in kept if one.recording == hit.recording)
        if all(intersection_over_union(one, hit) < _SAME for one in same):
            kept.append(hit)
    return kept


def hit_of(
    lines: Sequence[Unit], scores: Array, asked: set[str], recordings: Mapping[str, Unit], chunks: Mapping[str, Unit]
) -> Hit:
    """Lines of one recording that follow one another, as a hit. `recordings` and `chunks` hold theirs, by id."""
    start, end, best = lines[0].start, max(line.end for line in lines), lines[int(scores.argmax())]
    whole, chunk = recordings[best.recording], chunks.get(best.chunk)
    about, shown = dict(whole.extra), dict(chunk.extra) if chunk else {}
    folder = str(about.get("folder", ""))
    return Hit(
        recording=whole.recording,
        title=whole.text,
        path=str(about.get("path", "")),
        folder=folder,
        start=start,
        end=end,
        best=best.start,
        score=float(scores.max()),
        tokens=sum(line.tokens for line in lines),
        lines=tuple(_line(line, asked) for line in lines),
        speakers=tuple(dict.fromkeys(speaker for line in lines for speaker in line.speakers)),
        labels=tuple(dict.fromkeys(label for line in lines for label in line.labels)),
        tracks=tuple(dict.fromkeys(track for line in lines for track in line.extra.get("tracks", ()))),
        chunk=str(shown.get("id", "")),
        chunk_title=str(shown.get("title", "")),
        link=f"{(Path(folder) / 'report.html').as_posix()}#t={round(start, 3):g}" if folder else "",
        still=str(shown.get("still", "")),
        clips=tuple(shown.get("clips", ())),
    )


def _line(unit: Unit, asked: set[str]) -> HitLine:
    speaker = unit.speakers[0] if unit.speakers else None
    return HitLine(unit.kind, unit.start, unit.end, speaker, unit.text, tuple(matches(unit.text, unit.language, asked)))
