"""Measures of topic breaks: equal to nltk's and segeval's, and the right values by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from segmenter.errors import BadInput
from segmenter.evaluate.corpus import BASELINES, as_dict, evaluate, read
from segmenter.evaluate.topics import boundary_similarity, interval, matches, pk, window, window_diff
from segmenter.settings import TopicSettings


def random_cases(count: int) -> list[tuple[list[int], list[int], int]]:
    draw, cases = np.random.default_rng(3), []
    for _ in range(count):
        n = int(draw.integers(5, 90))
        some = [sorted(draw.choice(n - 1, int(draw.integers(0, min(9, n - 1))), replace=False).tolist()) for _ in range(2)]
        cases.append((some[0], some[1], n))
    return cases


def test_pk_and_window_diff_are_those_of_nltk() -> None:
    segmentation = pytest.importorskip("nltk.metrics.segmentation")
    for truth, made, n in random_cases(300):
        a, b = ("".join("01"[i in some] for i in range(n - 1)) for some in (truth, made))
        k = min(window(truth, n), n - 1)
        assert pk(truth, made, n) == pytest.approx(segmentation.pk(a, b, k))
        assert window_diff(truth, made, n) == pytest.approx(segmentation.windowdiff(a, b, k))


def test_boundary_similarity_is_that_of_segeval() -> None:
    segeval = pytest.importorskip("segeval")
    for truth, made, n in random_cases(300):
        if truth or made:  # segeval fails where there is no break at all
            masses = [tuple(np.diff([0, *(i + 1 for i in some), n]).tolist()) for some in (truth, made)]
            assert boundary_similarity(truth, made) == pytest.approx(float(segeval.boundary_similarity(*masses)))


def test_a_break_is_matched_once() -> None:
    found = matches([10, 20], [8, 11, 12, 25], 3)
    assert (found.matched, found.made, found.true) == (1, 4, 2)
    assert found.f1 == pytest.approx(2 / 6)
    assert matches([], [], 3).f1 == 1
    assert matches([5], [], 3).f1 == 0


def test_the_interval_holds_the_mean_and_narrows() -> None:
    draw = np.random.default_rng(0)
    few, many = draw.normal(1, 1, 10).tolist(), draw.normal(1, 1, 1000).tolist()
    low, high = interval(many)
    assert low < np.mean(many) < high
    assert high - low < (interval(few)[1] - interval(few)[0]) / 3


def corpus(folder: Path, compressed: bool = True) -> Path:
    rows = [
        {
            "id": f"r{k}",
            "language": "en",
            "sentences": [{"text": f"Words {i}.", "speaker": None, "start": i * 2.0, "end": i * 2 + 1.5} for i in range(12)],
            "boundaries": {"coarse": [5], "fine": [2, 5, 8]},
        }
        for k in range(2)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path = folder / ("c.jsonl.gz" if compressed else "c.jsonl")
    path.write_bytes(gzip.compress(text.encode()) if compressed else text.encode())
    return path


@pytest.mark.parametrize("compressed", [True, False])
def test_rules_stand_beside_none_even_and_random(tmp_path: Path, compressed: bool) -> None:
    known = list(read(corpus(tmp_path, compressed)))
    found = as_dict(evaluate(known, "coarse", ["fixed"], TopicSettings(budget_tokens=18), None))["strategies"]
    assert list(found) == [*BASELINES, "fixed"]
    assert found["even"]["overall"]["pk"] == 0
    assert found["even"]["overall"]["f1_3s"] == 1
    assert found["fixed"]["overall"]["made"] == 2
    assert found["none"]["overall"] | {"made": 0, "true": 2, "f1_0": 0.0} == found["none"]["overall"]
    assert [row["id"] for row in found["fixed"]["recordings"]] == ["r0", "r1"]


@pytest.mark.parametrize("line", ["{}", "nonsense", '{"id": 1, "sentences": [], "boundaries": {"coarse": [3]}}'])
def test_a_line_that_is_no_transcript_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(BadInput, match="line 1"):
        list(read(path))


def test_the_shared_baseline_comes_out_again(shared: Path) -> None:
    """Never cutting scores .370 / .370 on the work sessions' coarse topics."""
    known = list(read(shared / "text" / "augmend_dev.jsonl.gz"))
    overall = evaluate(known, "coarse", [], TopicSettings(), None)["none"].overall()
    assert (round(overall["pk"], 3), round(overall["window_diff"], 3), overall["true"]) == (0.370, 0.370, 17)
