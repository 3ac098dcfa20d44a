"""Answers rest on lines that were found; the server is a real one that speaks OpenAI's protocol."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from indexed import fill
from openai_server import Server, chat
from typer.testing import CliRunner
from wordy import DIMENSION, word_tools

from segmenter.cli.app import app
from segmenter.errors import ServerError, SettingsError
from segmenter.retrieval import finder
from segmenter.retrieval.asking import Source, answer, claims, evidence
from segmenter.retrieval.finder import Finder
from segmenter.retrieval.stores import Stamp, writing
from segmenter.settings import AskSettings

QUESTION = "Who orders the pump?"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("faiss")
    with writing(tmp_path / "store", Stamp("faiss", "words", "1", DIMENSION)) as made:
        fill(made, "r1", folder=Path("out"))
    monkeypatch.setattr(finder, "tools_of", lambda _: word_tools())
    return tmp_path / "store"


@pytest.fixture
def sources(store: Path) -> list[Source]:
    with Finder(store) as made:
        return evidence(made.search(QUESTION, budget=40))


def told(sources: list[Source], said: str) -> list[tuple[str, list[int]]]:
    return [(claim.text, [source.number for source in claim.sources]) for claim in claims(said, sources)]


def test_each_sentence_of_an_answer_takes_its_own_numbers(sources: list[Source]) -> None:
    said = "Ann orders it [1]. It is new. [2, 3] Nobody knows the price."
    assert told(sources, said) == [("Ann orders it.", [1]), ("It is new.", [2, 3]), ("Nobody knows the price.", [])]


def test_numbers_of_no_line_are_no_sources(sources: list[Source]) -> None:
    assert told(sources, f"It is so [{len(sources) + 1}] [0] [99999999999999999999].") == [("It is so.", [])]
    assert told(sources, "It is so [1-2].") == [("It is so.", [1, 2])]


def test_the_server_reads_numbered_lines_and_its_claims_are_cited(server: Server, sources: list[Source]) -> None:
    server.answer = lambda _path, _body: (200, chat("The pump is ordered [1]."))
    (claim,) = answer(QUESTION, sources, AskSettings(server_url=server.url))
    line = sources[0].line
    assert claim.sources == (sources[0],)
    assert claim.sources[0].citation == f"[Meeting r1 @ 0:{int(line.start):02}]"
    assert claim.sources[0].link == f"out/report.html#t={line.start:g}"
    shown = server.asked[0]["messages"][1]["content"]
    assert f"[1] Meeting r1 0:{int(line.start):02} " in shown
    assert line.text in shown


def test_a_claim_without_a_source_is_asked_about_once_then_marked(server: Server, sources: list[Source]) -> None:
    answers = iter([chat("It costs nine pounds."), chat("It costs nine pounds.")])
    server.answer = lambda _path, _body: (200, next(answers))
    (claim,) = answer(QUESTION, sources, AskSettings(server_url=server.url))
    assert claim.sources == ()
    assert len(server.asked) == 2
    assert "It costs nine pounds." in server.asked[1]["messages"][-1]["content"]


def test_no_answer_is_an_answer(server: Server, sources: list[Source]) -> None:
    server.answer = lambda _path, _body: (200, chat("NO ANSWER"))
    assert answer(QUESTION, sources, AskSettings(server_url=server.url)) == []


def test_what_no_chat_server_says_is_an_error(server: Server, sources: list[Source]) -> None:
    server.answer = lambda _path, _body: (200, {"choices": []})
    with pytest.raises(SettingsError, match="not one of a chat server"):
        answer(QUESTION, sources, AskSettings(server_url=server.url))


def run(store: Path, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["ask", QUESTION, "--store", str(store), *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_without_a_server_the_evidence_is_shown(store: Path) -> None:
    assert "Meeting r1" in run(store)
    found = json.loads(run(store, "--json"))
    assert found["answer"] is None
    assert found["evidence"][0]["recording"] == "r1"


def test_people_read_claims_with_recording_and_time(store: Path, server: Server) -> None:
    server.answer = lambda _path, _body: (200, chat("The pump is ordered [1]. So be it."))
    shown = run(store, "--server", server.url)
    assert "The pump is ordered. [Meeting r1 @ 0:" in shown
    assert "So be it. [no source]" in shown


def test_machines_get_the_sources_of_each_claim(store: Path, server: Server) -> None:
    server.answer = lambda _path, _body: (200, chat("The pump is ordered [1]."))
    (claim,) = json.loads(run(store, "--server", server.url, "--json"))["answer"]
    assert claim["text"] == "The pump is ordered."
    assert claim["sources"][0]["recording"] == "r1"


def test_nothing_in_the_material_or_the_answer_reaches_the_terminal(store: Path, server: Server) -> None:
    server.answer = lambda _path, _body: (200, chat("\x1b[2J[bold]Red[/bold] [1]."))
    shown = run(store, "--server", server.url)
    assert "\x1b[2J" not in shown
    assert "[bold]Red[/bold]" in shown


def test_thoughts_of_the_model_are_no_claims(server: Server, sources: list[Source]) -> None:
    server.answer = lambda _path, _body: (200, chat("<think>Line 2 says so? [2] NO ANSWER</think>The pump is ordered [1]."))
    (claim,) = answer(QUESTION, sources, AskSettings(server_url=server.url))
    assert (claim.text, claim.sources) == ("The pump is ordered.", (sources[0],))


def test_an_answer_cut_off_in_its_thoughts_says_what_to_raise(server: Server, sources: list[Source]) -> None:
    cut = {"choices": [{"message": {"content": "<think>Let me"}, "finish_reason": "length"}]}
    server.answer = lambda _path, _body: (200, cut)
    with pytest.raises(ServerError, match=r"500 tokens were too few.*raise answer_tokens"):
        answer(QUESTION, sources, AskSettings(server_url=server.url))
