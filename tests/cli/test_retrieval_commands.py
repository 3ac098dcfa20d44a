"""`segmenter evaluate retrieval` and `segmenter tune`: what they print and write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner
from wordy import WordEmbedder, word_tools

from segmenter.cli import evaluate_retrieval, tune
from segmenter.cli.app import app
from segmenter.errors import SettingsError
from segmenter.settings import Settings

SENTENCES = [f"Speaker {i} talks about {word} number {i}." for word in ("pumps", "budgets", "parties") for i in range(8)]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (evaluate_retrieval, tune):
        monkeypatch.setattr(module, "tools_of", lambda _: word_tools())
    monkeypatch.setattr("segmenter.topics.embedder.fresh", lambda *_: WordEmbedder())
    monkeypatch.setattr("segmenter.topics.choosing.make", lambda *_: WordEmbedder())
    monkeypatch.setattr("segmenter.topics.choosing.weights_of", lambda _: None)
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(_row(name)) + "\n" for name in "abc"), encoding="utf-8")
    return path


def _row(name: str) -> dict[str, object]:
    queries = [{"text": "pumps number 3", "kind": "pointed", "evidence": [[3, 3]]}]
    sentences = [{"text": text, "speaker": None, "start": None, "end": None} for text in SENTENCES]
    return {"id": name, "language": "en", "sentences": sentences, "boundaries": {"coarse": [7, 15]}, "queries": queries}


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), env={"COLUMNS": "250"}, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_all_figures_as_json(corpus: Path) -> None:
    found = json.loads(run("evaluate", "retrieval", str(corpus), "--strategy", "default,fixed256", "--json"))
    assert found["scope"] == "within"
    assert set(found["strategies"]) == {"default", "fixed256"}
    assert found["strategies"]["default"]["overall"]["recall_500"] == 1
    assert found["strategies"]["default"]["overall"]["questions"] == 3


def test_budgets_of_ones_own(corpus: Path) -> None:
    found = json.loads(run("evaluate", "retrieval", str(corpus), "--budget", "8,30", "--together", "--json"))
    assert found["scope"] == "together"
    assert {"recall_8", "recall_30"} <= set(found["strategies"]["default"]["overall"])


def test_a_table_to_read(corpus: Path) -> None:
    shown = run("evaluate", "retrieval", str(corpus))
    assert "recall 500/1000/2000" in shown
    assert "difference to fixed256" in shown
    assert "1.000/1.000/1.000" in shown
    assert "nDCG@10" in shown


def test_the_strategies_are_listed(corpus: Path) -> None:
    assert "parent_child" in run("evaluate", "retrieval", str(corpus), "--strategy", "list")


@pytest.mark.parametrize("arguments", [["--budget", "many"], ["--budget", "0"], ["--strategy", "magic"], ["--language", "xx"]])
def test_wrong_use_is_named(corpus: Path, arguments: list[str]) -> None:
    with pytest.raises(SettingsError):
        run("evaluate", "retrieval", str(corpus), *arguments)


def test_tuning_on_questions_says_when_nothing_beats_the_default(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "tuned.toml"
    shown = run("tune", "--queries", str(corpus), "-o", str(out))
    assert "nothing beats the default" in shown
    assert not out.exists()


def test_tuning_on_cuts_writes_settings_that_run_takes(corpus: Path, tmp_path: Path) -> None:
    """Where the topic changes at every eighth sentence, some rule finds it better than the default does, or none does."""
    out = tmp_path / "tuned.toml"
    choice = json.loads(run("tune", "--cuts", str(corpus), "-o", str(out), "--json"))["choice"]
    assert out.exists() == choice["worth_it"]
    if out.exists():
        assert Settings.from_toml(out) != Settings()


@pytest.mark.parametrize("arguments", [[], ["--queries", "a", "--cuts", "b"]])
def test_tune_needs_questions_or_cuts(arguments: list[str]) -> None:
    with pytest.raises(SettingsError, match="either --queries or --cuts"):
        run("tune", *arguments)
