"""A server that topic breaks need: asked before the long work, and where it fails later, all but the breaks is kept."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from openai_server import Server, chat
from typer.testing import CliRunner

from segmenter import Segmenter, Settings, load
from segmenter.cli.app import app
from segmenter.errors import ServerError
from segmenter.settings import TopicSettings

TEXT = "WEBVTT\n\n" + "\n\n".join(f"00:{i:02}.000 --> 00:{i:02}.900\nThis is number {i}." for i in range(30))
RULES = {"llm": {"rule": "llm"}, "embedder": {"embedder": "server", "rule": "percentile"}}


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "talk.vtt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def settings(server: Server, kind: str) -> Settings:
    return Settings(topics=TopicSettings(server_url=server.url, **RULES[kind]))  # type: ignore[arg-type]


def directions(text: str) -> list[float]:
    """Of two topics: the first ten sentences, and all else."""
    number = re.search(r"number (\d+)", text)
    return [1.0, 0.1 * len(text) % 1] if number and int(number[1]) < 10 else [0.1 * len(text) % 1, 1.0]


def good(path: str, body: dict[str, Any]) -> tuple[int, Any]:
    if path.endswith("/embeddings"):
        return 200, {"data": [{"index": i, "embedding": directions(text)} for i, text in enumerate(body["input"])]}
    return 200, chat('{"openings": [10]}')


def once(path: str, body: dict[str, Any]) -> tuple[int, Any]:
    """Well at first, when it is asked whether it is there."""
    few = len(body.get("input", body.get("messages", ()))) < 3 and "0: This" not in json.dumps(body)
    return good(path, body) if few else (401, {"error": "the credit is used up"})


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("answer", [(401, {}), (404, {"error": "no such model"}), (200, {}), (503, {})])
def test_a_server_that_cannot_be_used_is_found_out_first(
    server: Server, transcript: Path, kind: str, answer: tuple[int, Any]
) -> None:
    server.answer = lambda _path, _body: answer
    with pytest.raises(ServerError):
        Segmenter(settings(server, kind)).segment(transcript)
    assert not any("This is number" in json.dumps(body) for body in server.asked)


@pytest.mark.parametrize("kind", RULES)
def test_a_server_that_fails_later_costs_the_breaks_and_nothing_else(server: Server, transcript: Path, kind: str) -> None:
    server.answer = once
    found = Segmenter(settings(server, kind)).segment(transcript)
    assert len(found.sentences) == 30
    assert found.topic_breaks == ()
    assert [chunk.sentences for chunk in found.chunks] == [(0, 29)]
    (finding,) = [finding for finding in found.health if finding.code == "topics_failed"]
    assert finding.level == "warning"
    assert "the credit is used up" in finding.message


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("fails", [True, False])
def test_the_run_is_written_and_its_status_says_that_something_failed(
    server: Server, transcript: Path, tmp_path: Path, kind: str, fails: bool
) -> None:
    server.answer = once if fails else good
    values = {"server_url": server.url, **RULES[kind]}
    config = tmp_path / "c.toml"
    config.write_text("[topics]\n" + "\n".join(f"{name} = {json.dumps(value)}" for name, value in values.items()))
    done = CliRunner().invoke(app, ["run", str(transcript), "-o", str(tmp_path / "out"), "--config", str(config)])
    assert done.exit_code == fails, done.output
    assert ("topic breaks could be made" in done.stderr) == fails
    written = load(tmp_path / "out" / "talk")
    assert len(written.sentences) == 30
    assert bool(written.topic_breaks) == (not fails)


def test_a_run_that_needs_no_server_asks_none(server: Server, transcript: Path) -> None:
    Segmenter(Settings(topics=TopicSettings(rule="fixed", server_url=server.url))).segment(transcript)
    assert server.asked == []
