"""Strategies on small transcripts: figures that can be reckoned by hand, and laws that hold for all of them."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from asked import CORPUS, write
from wordy import WordEmbedder, word_count, word_tools

from segmenter.errors import BadInput, SettingsError
from segmenter.evaluate import retrieval
from segmenter.evaluate.cutting import fixed
from segmenter.evaluate.joined import Joined
from segmenter.evaluate.questions import Material, read
from segmenter.evaluate.retrieval import Result, Row
from segmenter.evaluate.searchers import ChunkSearcher, three_seats
from segmenter.evaluate.strategies import STRATEGIES
from segmenter.retrieval.scoring import Evidence, Line, Scope
from segmenter.settings import RetrievalSettings

SETTINGS = RetrievalSettings(parent_tokens=24, sigma_tokens=20.0, seat_tokens=5.0)
WITHOUT_WEIGHTS = [name for name in STRATEGIES if name != "late128"]


@pytest.fixture
def materials(tmp_path: Path) -> list[Material]:
    return [Material(one, word_tools()) for one in read(write(tmp_path / "corpus.jsonl.gz"))]


def recalls_by_loops(budget: int, size: int, together: bool) -> list[float]:
    """The baselines' rule: whole sentences packed to `size`, ranked by cosine, returned until the next passes the budget."""
    embed = WordEmbedder().embed
    found = []
    for asked in CORPUS:
        searched = CORPUS if together else [asked]
        chunks, tokens = [], {}
        for row in searched:
            own: list[list[tuple[str, int]]] = [[]]
            for i, sentence in enumerate(row["sentences"]):
                tokens[row["id"], i] = word_count([sentence["text"]])[0]
                if own[-1] and sum(tokens[s] for s in own[-1]) + tokens[row["id"], i] > size:
                    own.append([])
                own[-1].append((row["id"], i))
            chunks += own
        texts = {(row["id"], i): s["text"] for row in searched for i, s in enumerate(row["sentences"])}
        vectors = embed([" ".join(texts[s] for s in chunk) for chunk in chunks])
        for query in asked["queries"]:
            order = np.argsort(-(vectors @ embed([query["text"]])[0]), kind="stable")
            left, hit = budget, 0
            [[first, last]] = query["evidence"]
            evidence = {(asked["id"], i) for i in range(first, last + 1)}
            for sentence in [s for chunk in order for s in chunks[chunk]]:
                left -= tokens[sentence]
                if left < 0:
                    break
                hit += tokens[sentence] if sentence in evidence else 0
            found.append(hit / sum(tokens[s] for s in evidence))
    return found


@pytest.mark.parametrize("together", [False, True])
def test_fixed_chunks_are_measured_by_the_baselines_rule(materials: list[Material], together: bool) -> None:
    result = retrieval.Result()
    for scope in [materials] if together else [[one] for one in materials]:
        joined = Joined(scope)
        retrieval.measure(joined, ChunkSearcher(joined, fixed(12)), [12, 20], result)
    for budget in (12, 20):
        measured = [row.scores[f"recall_{budget}"] for row in result.rows]
        assert measured == pytest.approx(recalls_by_loops(budget, 12, together))


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("name", WITHOUT_WEIGHTS)
def test_every_strategy_keeps_the_budget_and_finds_all_with_a_great_one(
    materials: list[Material], name: str, together: bool
) -> None:
    rows = retrieval.evaluate(materials, [name], SETTINGS, [15, 5000], together)[name].rows
    assert len(rows) == 12
    assert all(row.scores["prompt_tokens_15"] <= 15 for row in rows)
    assert all(row.scores["recall_5000"] == 1 for row in rows)
    assert all(0 <= row.scores["precision_15"] <= 1 for row in rows)


def test_the_same_question_is_answered_in_the_same_way(materials: list[Material]) -> None:
    runs = [retrieval.evaluate(materials, ["default"], SETTINGS, [20])["default"].rows for _ in range(2)]
    assert runs[0] == runs[1]


def test_the_default_finds_a_sentence_and_a_topic(materials: list[Material]) -> None:
    result = retrieval.evaluate(materials, ["default", "fixed512"], SETTINGS, [20])
    kinds = {kind: result["default"].overall(lambda row, own=kind: row.kind == own) for kind in ("broad", "pointed")}  # type: ignore[misc]
    assert kinds["pointed"]["recall_20"] == 1
    assert kinds["broad"]["recall_20"] > result["fixed512"].overall()["recall_20"]


def test_the_tokens_of_all_chunks_are_embedded(materials: list[Material]) -> None:
    results = retrieval.evaluate(materials, ["sentence", "fixed128", "default"], SETTINGS, [20])
    words = sum(word_count([s["text"] for row in CORPUS for s in row["sentences"]]))
    assert results["sentence"].costs.tokens_embedded == words
    assert results["fixed128"].costs.tokens_embedded == words
    assert results["default"].costs.tokens_embedded == 2 * words  # sentences and parents


def test_overlapping_chunks_say_the_last_sentences_again(materials: list[Material]) -> None:
    plain, overlapping = fixed(20)(materials[0]), fixed(20, 0.4)(materials[0])
    assert all(b[0] == a[1] + 1 for a, b in pairwise(plain))
    assert any(b[0] <= a[1] for a, b in pairwise(overlapping))
    assert overlapping[0][0] == 0
    assert overlapping[-1][1] == len(materials[0].tokens) - 1


def rows(values: dict[str, list[float]]) -> Result:
    return Result([Row(name, "en", "", {"recall": value}) for name, own in values.items() for value in own])


def test_the_interval_draws_recordings_and_pairs_questions() -> None:
    better = rows({"a": [0.5, 0.7], "b": [0.4], "c": [0.9, 0.1]})
    worse = rows({"a": [0.4, 0.6], "b": [0.3], "c": [0.8, 0.0]})
    assert better.interval("recall", worse) == pytest.approx((0.1, 0.1))
    low, high = better.interval("recall")
    assert low < better.overall()["recall"] < high


def test_what_json_prints(materials: list[Material]) -> None:
    results = retrieval.evaluate(materials, ["default", "fixed256"], SETTINGS, together=True)
    data = json.loads(json.dumps(retrieval.as_dict(results, retrieval.BUDGETS, True, 0.001), allow_nan=False))
    assert data["scope"] == "together"
    overall = data["strategies"]["default"]["overall"]
    assert {"recall_500", "recall_1000", "recall_2000", "precision_500", "mrr", "ndcg_at_10"} <= set(overall)
    assert set(data["strategies"]["default"]["against"]["fixed256"]["recall_500"]) == {"difference", "low", "high"}
    costs = data["strategies"]["fixed256"]["costs"]
    assert costs["chunks"] == 2
    assert costs["embedding_s"] == pytest.approx(costs["tokens_embedded"] * 0.001)


def test_unknown_strategies_are_named() -> None:
    with pytest.raises(SettingsError, match="there is no retrieval strategy called 'magic'"):
        retrieval.evaluate([], ["magic"], SETTINGS)


def test_no_question_nothing_to_measure() -> None:
    with pytest.raises(SettingsError, match="no question"):
        retrieval.evaluate([], ["default"], SETTINGS)


@pytest.mark.parametrize("evidence", [[[3, 2]], [[0, 99]], [], [["0", "1"]]])
def test_evidence_outside_the_recording_is_refused(tmp_path: Path, evidence: list[list[int]]) -> None:
    row = {**CORPUS[0], "queries": [{"text": "?", "evidence": evidence}]}
    with pytest.raises(BadInput, match="line 1 is no transcript with questions"):
        list(read(write(tmp_path / "bad.jsonl", [row])))


def test_three_seats_are_the_best_single_sentences_and_the_rest_follows_the_smooth_score() -> None:
    line, settings = Line(np.full(5, 10), np.zeros(5, np.intp)), RetrievalSettings(sigma_tokens=1.0)
    scope = Scope(line, np.arange(5), np.full(5, True), settings)
    nothing = np.zeros(5)
    found = Evidence(np.array([0.9, 0.1, 0.5, 0.2, 0.8]), nothing, np.array([0.0, 0.3, 0.1, 0.2, 0.05]), nothing, nothing)
    assert np.argsort(-three_seats(scope, found)).tolist() == [1, 3, 2, 0, 4]
