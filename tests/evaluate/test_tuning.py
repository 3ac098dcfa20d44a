"""Settings are chosen by cross-validation, and only what really helps is kept."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from asked import CORPUS, write

from segmenter.errors import BadInput, SettingsError
from segmenter.evaluate import own, tuning
from segmenter.formats import folder
from segmenter.records import Recording, Segmentation, Sentence
from segmenter.settings import RetrievalSettings, Settings, TopicSettings


def test_a_better_candidate_is_chosen() -> None:
    usual = np.random.default_rng(0).random(20)
    choice = tuning.choose({"default": usual.tolist(), "worse": (usual - 0.1).tolist(), "better": (usual + 0.1).tolist()})
    assert choice.best == "better"
    assert choice.gain == pytest.approx(0.1)
    assert choice.worth_it


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_not_worth_it(seed: int) -> None:
    """Of twelve candidates that differ by chance, one always looks better; on recordings not chosen on it is not."""
    random = np.random.default_rng(seed)
    scores = {name: random.random(12).tolist() for name in ["default", *map(str, range(11))]}
    assert not tuning.choose(scores).worth_it


def test_the_default_is_kept_where_all_are_equal() -> None:
    choice = tuning.choose({"default": [0.5, 0.5], "other": [0.5, 0.5]})
    assert choice.best == "default"
    assert not choice.worth_it


def test_one_recording_is_not_enough() -> None:
    with pytest.raises(SettingsError, match="one recording is not enough"):
        tuning.choose({"default": [0.5], "other": [0.9]})


def test_every_candidate_is_a_setting_that_a_file_can_hold(tmp_path: Path) -> None:
    for stage, candidates in (("retrieval", tuning.RETRIEVAL), ("topics", tuning.TOPICS)):
        for changes in candidates.values():
            path = tmp_path / "settings.toml"
            path.write_text(tuning.toml(stage, changes), encoding="utf-8")
            expected = {"retrieval": RetrievalSettings, "topics": TopicSettings}[stage](**changes)
            assert getattr(Settings.from_toml(path), stage) == expected


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A folder of results: ten sentences of two seconds each."""
    said = tuple(Sentence(f"Sentence {i}.", 2.0 * i, 2.0 * i + 2, language="en") for i in range(10))
    found = Segmentation(Recording("talk.mp3", "id", 20.0, "container"), {}, {}, said, (), (), (), (), ())
    return folder.write(found, tmp_path / "out")


def test_evidence_in_times_becomes_sentences(results: Path, tmp_path: Path) -> None:
    row = {"recording": f"out/{results.name}", "queries": [{"text": "?", "evidence": [["0:05", 8.5], [19, 20]]}]}
    [one] = own.asked(write(tmp_path / "mine.jsonl", [row]))
    assert one.language == "en"
    assert one.questions[0].evidence == ((2, 4), (9, 9))


def test_a_cut_in_time_becomes_the_break_before_the_nearest_sentence(results: Path, tmp_path: Path) -> None:
    row = {"recording": f"out/{results.name}", "cuts": [6.3, "0:15.8", 0.1]}
    [one] = own.known(write(tmp_path / "mine.jsonl", [row]))
    assert one.boundaries["coarse"] == (2, 7)


def test_lines_of_the_corpora_are_taken_too(tmp_path: Path) -> None:
    path = write(tmp_path / "corpus.jsonl.gz")
    assert [len(one.questions) for one in own.asked(path)] == [6, 6]
    assert own.known(path)[0].boundaries["coarse"] == tuple(CORPUS[0]["boundaries"]["coarse"])


@pytest.mark.parametrize(
    "row",
    [
        {"recording": "nowhere", "queries": []},
        {"recording": "out/talk", "queries": [{"text": "?", "evidence": [[90, 95]]}]},
        {"recording": "out/talk"},
        {},
    ],
)
def test_what_cannot_be_used_is_refused(results: Path, tmp_path: Path, row: dict[str, object]) -> None:
    assert results.name == "talk"
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(BadInput):
        own.asked(path)
