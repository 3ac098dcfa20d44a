"""Measures of a ranking, against trec_eval's."""

from __future__ import annotations

import numpy as np
import pytest
import pytrec_eval

from segmenter.evaluate.ranking import ndcg_at, precision_at, recall_at, reciprocal_rank


@pytest.mark.parametrize("seed", range(20))
def test_the_measures_are_those_of_trec_eval(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 40))
    relevant = (random.random(count) < 0.3).tolist()
    truth = {"q": {f"d{i:02}": int(hit) for i, hit in enumerate(relevant)}}
    run = {"q": {f"d{i:02}": float(count - i) for i in range(count)}}
    names = {"recall.5", "P.5", "recip_rank", "ndcg_cut.10"}
    expected = pytrec_eval.RelevanceEvaluator(truth, names).evaluate(run)["q"]
    total = sum(relevant)
    assert recall_at(relevant, total, 5) == pytest.approx(expected["recall_5"])
    assert precision_at(relevant, 5) == pytest.approx(expected["P_5"])
    assert reciprocal_rank(relevant) == pytest.approx(expected["recip_rank"])
    assert ndcg_at(relevant, total, 10) == pytest.approx(expected["ndcg_cut_10"])


def test_what_is_relevant_and_never_ranked_counts_against() -> None:
    assert recall_at([True], 4, 5) == 0.25
    assert ndcg_at([True], 2, 10) == pytest.approx(1 / (1 + 1 / np.log2(3)))
