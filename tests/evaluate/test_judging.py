"""A server's model as judge: real ragas, a real client, and a server on this machine that answers as a model would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from asked import CORPUS, write
from openai_server import Server, chat, server
from wordy import word_tools

from segmenter.errors import PackageMissing, SettingsError
from segmenter.evaluate import judging, retrieval
from segmenter.evaluate.joined import Joined
from segmenter.evaluate.judging import Judge, hits_of
from segmenter.evaluate.questions import Material, asked_of
from segmenter.settings import AskSettings, RetrievalSettings

__all__ = ["server"]
VERDICTS: Mapping[str, Any] = {
    "ContextRecallOutput": {
        "classifications": [{"statement": "a", "reason": "", "attributed": 1}, {"statement": "b", "reason": "", "attributed": 0}]
    },
    "ContextPrecisionOutput": {"reason": "", "verdict": 1},
    "StatementGeneratorOutput": {"statements": ["a", "b", "c", "d"]},
    "NLIStatementOutput": {"statements": [{"statement": s, "reason": "", "verdict": int(s != "b")} for s in "abcd"]},
}


def model(_: str, body: dict[str, Any]) -> tuple[int, Any]:
    """Answers a question with its first line, and a judge with the verdict of the kind that its schema names."""
    asked = body["messages"][0]["content"]
    kind = next((name for name in VERDICTS if f'"title": "{name}"' in asked), None)
    return 200, chat(json.dumps(VERDICTS[kind]) if kind else "So it is said. [1]")


def materials() -> list[Material]:
    return [Material(asked_of(row), word_tools()) for row in CORPUS]


def test_passages_are_whole_and_the_best_stands_first() -> None:
    joined = Joined(materials())
    second = int(joined.offsets[1])
    hits = hits_of(joined, [second + 1, 0, second, 1])
    said = [[s["text"] for s in row["sentences"][:2]] for row in CORPUS[:2]]
    assert [hit.text for hit in hits] == [" ".join(said[1]), " ".join(said[0])]
    assert [hit.recording for hit in hits] == [CORPUS[1]["id"], CORPUS[0]["id"]]
    assert hits_of(joined, []) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # ragas leaves a file of its own open
def test_the_models_verdicts_become_scores(server: Server) -> None:
    pytest.importorskip("ragas")
    server.answer = model
    judge = Judge(AskSettings(server_url=server.url, server_model="m"))
    hits = hits_of(Joined(materials()), [0, 1])
    assert judge.scores("What is said?", "So it is.", hits) == pytest.approx(
        {"context_recall": 0.5, "context_precision": 1.0, "faithfulness": 0.75}
    )
    assert judge.scores("What is said?", "", hits) == pytest.approx({"faithfulness": 0.75})
    asked = len(server.asked)
    assert judge.scores("What is said?", "So it is.", []) == {}
    assert len(server.asked) == asked
    from ragas._analytics import do_not_track

    assert do_not_track()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_notebook_whose_own_loop_runs_may_ask(server: Server) -> None:
    pytest.importorskip("ragas")
    server.answer = model
    judge = Judge(AskSettings(server_url=server.url, server_model="m"))

    async def cell() -> dict[str, float]:
        return judge.scores("What is said?", "So it is.", hits_of(Joined(materials()), [0, 1]))

    assert asyncio.run(cell())


def test_strategies_are_judged_on_what_fills_the_first_budget(server: Server) -> None:
    pytest.importorskip("ragas")
    server.answer = model
    judge = Judge(AskSettings(server_url=server.url))
    found = retrieval.evaluate(materials(), ["fixed128"], RetrievalSettings(), (20, 40), judge=judge)["fixed128"]
    assert found.overall()["faithfulness"] == pytest.approx(0.75)
    assert all("faithfulness" in row.scores for row in found.rows)


def test_a_model_that_gives_no_verdict_is_told(server: Server) -> None:
    pytest.importorskip("ragas")
    server.answer = lambda _path, _body: (200, chat("Yes. [1]"))
    with pytest.raises(SettingsError, match=r"no verdict from http.*JSON"):
        Judge(AskSettings(server_url=server.url)).scores("Who?", "So it is.", hits_of(Joined(materials()), [0]))


def test_what_a_judge_needs_is_told_before_anything_is_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from segmenter.cli.app import app

    result = CliRunner().invoke(app, ["evaluate", "retrieval", str(write(tmp_path / "c.jsonl")), "--judge"])
    assert isinstance(result.exception, SettingsError)
    assert "[ask]" in str(result.exception)
    monkeypatch.setattr(judging, "find_spec", lambda _: None)
    with pytest.raises(PackageMissing, match="ragas"):
        Judge(AskSettings(server_url="http://127.0.0.1:1/v1"))
