"""Retrieval strategies on transcripts with known evidence: how much of it comes back for how many tokens, at what cost."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from segmenter.errors import SettingsError
from segmenter.evaluate.joined import Joined
from segmenter.evaluate.judging import Judge, hits_of
from segmenter.evaluate.questions import Material, Question, scopes
from segmenter.evaluate.ranking import ndcg_at, precision_at, recall_at, reciprocal_rank
from segmenter.evaluate.searchers import Asking, Found, Searcher
from segmenter.evaluate.strategies import strategy
from segmenter.progress import Progress, silent
from segmenter.retrieval.filling import fill
from segmenter.settings import RetrievalSettings

BUDGETS = (500, 1000, 2000)
RIVALS = ("fixed256", "fixed256_words")  # what everybody has, and the stronger one
_PLACES = (5, 10)
_DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Row:
    """How one question was answered: recall and precision of the evidence's tokens per budget, ranking of chunks."""

    recording: str
    language: str
    kind: str
    scores: Mapping[str, float]


@dataclass(slots=True)
class Costs:
    chunks: int = 0
    tokens_embedded: int = 0
    index_bytes: int = 0
    query_s: list[float] = field(default_factory=list)

    def add(self, searcher: Searcher) -> None:
        self.chunks += len(searcher.chunks)
        self.tokens_embedded += searcher.embedded_tokens
        self.index_bytes += searcher.index_bytes

    def as_dict(self, seconds_a_token: float) -> dict[str, float]:
        """Times of a query are without embedding the question; embedding time is estimated from the tokens."""
        p50, p95 = np.percentile(self.query_s, [50, 95]) if self.query_s else (0.0, 0.0)
        return {
            "chunks": self.chunks,
            "tokens_embedded": self.tokens_embedded,
            "embedding_s": self.tokens_embedded * seconds_a_token,
            "index_bytes": self.index_bytes,
            "query_p50_s": float(p50),
            "query_p95_s": float(p95),
        }


@dataclass(slots=True)
class Result:
    rows: list[Row] = field(default_factory=list)
    costs: Costs = field(default_factory=Costs)

    def overall(self, chosen: Callable[[Row], bool] = lambda _: True) -> dict[str, float]:
        """Means over the questions, and how many there are; a judge's over those that it could judge."""
        rows = [row for row in self.rows if chosen(row)]
        names = dict.fromkeys(name for row in rows for name in row.scores)
        means = {name: float(np.mean([row.scores[name] for row in rows if name in row.scores])) for name in names}
        return {**means, "questions": len(rows)}

    def interval(self, name: str, against: Result | None = None) -> tuple[float, float]:
        """95 % bootstrap interval of a mean, or of its paired difference to another strategy; recordings are drawn.

        Questions about one recording are not independent, so whole recordings are drawn, each with its questions.
        """
        sums: defaultdict[str, float] = defaultdict(float)
        counts: defaultdict[str, int] = defaultdict(int)
        others = against.rows if against else [None] * len(self.rows)
        for row, other in zip(self.rows, others, strict=True):
            sums[row.recording] += row.scores[name] - (other.scores[name] if other else 0.0)
            counts[row.recording] += 1
        total, number = np.array(list(sums.values())), np.array(list(counts.values()))
        drawn = np.random.default_rng(0).integers(0, len(total), (_DRAWS, len(total)))
        low, high = np.percentile(total[drawn].sum(axis=1) / number[drawn].sum(axis=1), [2.5, 97.5])
        return float(low), float(high)


def evaluate(
    materials: Sequence[Material],
    names: Sequence[str],
    settings: RetrievalSettings,
    budgets: Sequence[int] = BUDGETS,
    together: bool = False,
    progress: Progress = silent,
    judge: Judge | None = None,
) -> dict[str, Result]:
    """Every strategy on every question, searched in its recording or in all recordings of its language together.

    A `judge` reads what fills the first budget.

    Raises:
        SettingsError: an unknown strategy, or there is no question.
    """
    wanted = {name: strategy(name) for name in names}
    if not any(one.asked.questions for one in materials):
        raise SettingsError("there is no question to measure on", hint="is the language right?")
    joined = [Joined(scope) for scope in scopes(materials, together)]
    results = {name: Result() for name in wanted}
    for done, (name, one) in enumerate(wanted.items()):
        for scope in joined:
            if any(material.asked.questions for material in scope.materials):
                measure(scope, one.build(scope, settings), budgets, results[name], judge)
        progress("retrieval", done + 1, len(wanted))
    return results


def measure(joined: Joined, searcher: Searcher, budgets: Sequence[int], result: Result, judge: Judge | None = None) -> None:
    """Asks every question of the scope and adds what came of it."""
    result.costs.add(searcher)
    for material, offset in zip(joined.materials, joined.offsets, strict=False):
        for question, vector in zip(material.asked.questions, material.question_vectors, strict=True):
            began = time.perf_counter()
            found = searcher.search(Asking(question.text, material.asked.language, vector))
            result.costs.query_s.append(time.perf_counter() - began)
            evidence = evidence_of(question, int(offset))
            scores = _scores(joined, searcher, found, evidence, budgets)
            if judge:
                taken = fill(found.order, joined.tokens, budgets[0])
                scores |= judge.scores(question.text, question.answer, hits_of(joined, taken))
            result.rows.append(Row(material.asked.id, material.asked.language, question.kind, scores))


def evidence_of(question: Question, offset: int) -> set[int]:
    return {offset + i for first, last in question.evidence for i in range(first, last + 1)}


def _scores(joined: Joined, searcher: Searcher, found: Found, evidence: set[int], budgets: Sequence[int]) -> dict[str, float]:
    scores = {}
    wanted = sum(int(joined.tokens[i]) for i in evidence)
    for budget in budgets:
        taken = fill(found.order, joined.tokens, budget)
        hit = sum(int(joined.tokens[i]) for i in evidence.intersection(taken))
        paid = sum(int(joined.tokens[i]) for i in taken)
        scores[f"recall_{budget}"] = hit / wanted
        scores[f"precision_{budget}"] = hit / paid if paid else 0.0
        scores[f"prompt_tokens_{budget}"] = float(paid)
    return {**scores, **ranked(searcher, found.ranking, evidence)}


def ranked(searcher: Searcher, ranking: Sequence[int], evidence: set[int]) -> dict[str, float]:
    """Measures of the ranking of stored chunks; they cannot be compared between chunks of different sizes."""
    relevant = [not evidence.isdisjoint(range(first, last + 1)) for first, last in searcher.chunks]
    inside, total = [relevant[i] for i in ranking], sum(relevant)
    at = {f"recall_at_{k}": recall_at(inside, total, k) for k in _PLACES}
    at |= {f"precision_at_{k}": precision_at(inside, k) for k in _PLACES}
    return {**at, "mrr": reciprocal_rank(inside), "ndcg_at_10": ndcg_at(inside, total, 10)}


def seconds_a_token(materials: Sequence[Material], embed: Callable[[list[str]], object]) -> float:
    """How long a word-piece takes to embed here, from a sample of passages; `embed` must not remember any."""
    one = materials[0]
    sizes = np.cumsum(one.tokens)
    end = max(1, int(np.searchsorted(sizes, _SAMPLE_TOKENS)))
    embed(one.texts[:1])  # the first call also loads the model
    began = time.perf_counter()
    embed([" ".join(one.texts[i : i + 10]) for i in range(0, end, 10)])
    return (time.perf_counter() - began) / float(sizes[min(end, len(sizes)) - 1])


_SAMPLE_TOKENS = 2000


def as_dict(results: Mapping[str, Result], budgets: Sequence[int], together: bool, speed: float) -> dict[str, Any]:
    """What `--json` prints."""
    scope = "together" if together else "within"
    return {"scope": scope, "strategies": {name: _strategy(name, results, budgets, speed) for name in results}}


def _strategy(name: str, results: Mapping[str, Result], budgets: Sequence[int], speed: float) -> dict[str, Any]:
    result, recalls = results[name], [f"recall_{budget}" for budget in budgets]
    return {
        "overall": result.overall(),
        "intervals": {recall: result.interval(recall) for recall in recalls},
        "against": {
            rival: differences(result, results[rival], recalls) for rival in RIVALS if rival in results and rival != name
        },
        "languages": {
            language: result.overall(lambda row, own=language: row.language == own)  # type: ignore[misc]
            for language in sorted({row.language for row in result.rows})
        },
        "kinds": {
            kind: result.overall(lambda row, own=kind: row.kind == own)  # type: ignore[misc]
            for kind in sorted({row.kind for row in result.rows})
        },
        "costs": result.costs.as_dict(speed),
    }


def differences(result: Result, rival: Result, names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Per measure: the mean difference and its 95 % interval, the same questions paired."""
    own, other = result.overall(), rival.overall()
    found = {}
    for name in names:
        low, high = result.interval(name, rival)
        found[name] = {"difference": own[name] - other[name], "low": low, "high": high}
    return found
