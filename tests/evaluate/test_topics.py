"""Measures of topic breaks: equal to nltk's and segeval's, and the right values by hand."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from segmenter.errors import BadInput, SettingsError
from segmenter.evaluate.corpus import BASELINES, Known, as_dict, at_level, evaluate, known_of, read
from segmenter.evaluate.topics import boundary_similarity, interval, matches, pk, window, window_diff
from segmenter.settings import TopicSettings
from segmenter.topics.choosing import Choice, Embedders


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


@pytest.mark.parametrize(("made", "value"), [([], 0.0), ([5], 1.0), ([0], 1 / 6), ([0, 10], 2 / 6)])
def test_in_one_topic_the_window_is_half_the_recording(made: list[int], value: float) -> None:
    """Twelve sentences without a true break: six windows of six gaps, those with a break in them are wrong."""
    nltk = pytest.importorskip("nltk.metrics.segmentation")
    segeval = pytest.importorskip("segeval")
    assert window([], 12) == 6
    assert pk([], made, 12) == window_diff([], made, 12) == pytest.approx(value)
    assert nltk.pk("0" * 11, "".join("01"[i in made] for i in range(11)), 6) == pytest.approx(value)
    masses = tuple(np.diff([0, *(i + 1 for i in made), 12]).tolist())
    assert float(segeval.pk(masses, (12,), window_size=6)) == pytest.approx(value)
    assert float(segeval.window_diff(masses, (12,), window_size=6)) == pytest.approx(value)


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


def known(id_: str, timed: bool = True, **boundaries: list[int]) -> Known:
    times = [(i * 2.0, i * 2 + 1.5) if timed else (None, None) for i in range(12)]
    said = [{"text": f"Words {i}.", "start": start, "end": end} for i, (start, end) in enumerate(times)]
    return known_of({"id": id_, "language": "en", "sentences": said, "boundaries": boundaries})


def test_a_text_on_one_topic_counts_and_what_is_made_in_it_is_shown() -> None:
    """`fixed` cuts each of the two in the middle, after sentence 5: right in one, wrong in all windows of the other."""
    corpus = [known("two", coarse=[5], fine=[]), known("one", coarse=[], fine=[])]
    found = evaluate(corpus, "coarse", ["fixed"], TopicSettings(budget_tokens=18), None)
    overall = found["fixed"].overall()
    assert (overall["recordings"], overall["true"], overall["made"]) == (2, 1, 2)
    assert (overall["whole"], overall["made_in_whole"]) == (1, 1)
    assert [row.scores["pk"] for row in found["fixed"].rows] == [0, 1]
    assert found["none"].rows[1].scores["pk"] == 0
    assert as_dict(found)["strategies"]["fixed"]["worse_than_none"] == 1


def test_only_texts_on_one_topic_can_be_measured() -> None:
    corpus, findings = at_level([known("one", coarse=[], fine=[])], "coarse")
    assert findings == []
    assert evaluate(corpus, "coarse", [], TopicSettings(), None)["none"].overall()["pk"] == 0


def test_a_recording_that_lacks_the_level_is_left_out_and_told() -> None:
    several = [known("a", coarse=[5], fine=[]), known("b", coarse=[5]), known("c", coarse=[5], fine=[2, 5]), known("d", fine=[])]
    marked, (finding,) = at_level(several, "fine")
    assert [one.id for one in marked] == ["c", "d"]
    assert "2 of 4 recordings" in finding.message
    with pytest.raises(SettingsError, match=r"no recording says where its fine topics are.*--level coarse"):
        at_level(several[:2], "fine")


def test_a_corpus_with_breaks_at_the_other_level_only_is_told() -> None:
    marked, (finding,) = at_level([known("a", coarse=[], fine=[2, 5])], "coarse")
    assert len(marked) == 1
    assert finding.level == "warning"
    assert "no recording has a coarse break" in finding.message
    assert "--level fine" in finding.message


def test_one_recording_without_times_takes_no_measure_in_seconds_from_the_others() -> None:
    corpus = [known("a", coarse=[5]), known("b", timed=False, coarse=[5])]
    overall = evaluate(corpus, "coarse", [], TopicSettings(), None)["even"].overall()
    assert (overall["f1_3s"], overall["f1_6s"], overall["timed"], overall["recordings"]) == (1, 1, 1, 2)


def test_seconds_do_not_cut_what_has_no_times() -> None:
    found = evaluate([known("b", timed=False, coarse=[5])], "coarse", ["structure"], TopicSettings(max_s=2), None)
    assert found["structure"].overall()["made"] == 0


def test_a_rule_is_measured_once_however_often_it_is_named() -> None:
    found = evaluate([known("a", coarse=[5])], "coarse", ["fixed", "none", "fixed"], TopicSettings(), None)
    assert list(found) == [*BASELINES, "fixed"]
    assert [len(result.rows) for result in found.values()] == [1, 1, 1, 1]


def test_a_recording_without_sentences_is_no_hindrance() -> None:
    empty = known_of({"id": "a", "sentences": [], "boundaries": {"coarse": []}})
    assert evaluate([empty], "coarse", ["fixed", "default"], TopicSettings(), None)["default"].overall()["pk"] == 0


def test_sentences_that_are_doubted_take_no_part() -> None:
    """Whisper's own transcripts have some; vectors are made of the others."""
    heard = known("a", coarse=[5])
    said = tuple(replace(s, doubts=("repeated",)) if i in (3, 4) else s for i, s in enumerate(heard.sentences))
    made: list[str] = []
    embedders = cast(Embedders, Noted(made))
    evaluate([replace(heard, sentences=said)], "coarse", ["similarity"], TopicSettings(), embedders)
    assert len(made) == 10
    assert not {"Words 3.", "Words 4."} & set(made)


class Noted:
    """Stands for the embedders, and keeps what it is given; all sentences are alike."""

    def __init__(self, made: list[str]) -> None:
        self._made = made

    def suited(self, _: object) -> Choice:
        return Choice(TopicSettings(), self, None)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._made += texts
        return np.ones((len(texts), 1), np.float32)
