"""The llm rule and the server embedder against a server on this machine that speaks OpenAI's protocol."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from openai_server import Server, chat

from segmenter.errors import SettingsError
from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import find
from segmenter.topics.embedding_server import ServerEmbedder
from segmenter.topics.remembered import RememberingEmbedder

NO_VECTORS = np.empty((0, 0), np.float32)


def said(count: int) -> list[Sentence]:
    return [Sentence(f"Sentence {i} is about topic {i // 10}.", i * 2.0, i * 2 + 1.5) for i in range(count)]


def by_tens(path: str, body: dict[str, Any]) -> tuple[int, Any]:
    assert path == "/v1/chat/completions"
    shown = [int(i) for i in re.findall(r"^(\d+): ", body["messages"][1]["content"], re.MULTILINE)]
    return 200, chat(json.dumps({"openings": [i for i in shown if i % 10 == 0]}))


def llm_cuts(server: Server, count: int = 30, **values: Any) -> list[int]:
    settings = TopicSettings(rule="llm", server_url=server.url, **values)
    return [b.after_sentence for b in find(said(count), NO_VECTORS, settings)]


def test_the_model_names_sentences_and_they_become_breaks(server: Server) -> None:
    server.answer = by_tens
    assert llm_cuts(server) == [9, 19]


def test_a_long_transcript_is_shown_in_parts_and_every_sentence_once_or_twice(server: Server) -> None:
    server.answer = by_tens
    assert llm_cuts(server, 900) == list(range(9, 899, 10))
    assert len(server.asked) >= 3
    assert sum(len(re.findall(r"^\d+: ", b["messages"][1]["content"], re.MULTILINE)) for b in server.asked) < 950


def test_what_was_answered_once_is_not_asked_again(server: Server) -> None:
    server.answer = by_tens
    assert llm_cuts(server) == llm_cuts(server)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "bad", ["I cannot do that.", '{"openings": [12.5]}', '{"openings": [4000]}', '{"breaks": [3]}', '{"openings": [true]}', "[]"]
)
def test_an_answer_that_is_no_list_of_shown_sentences_is_asked_for_again(server: Server, bad: str) -> None:
    answers = iter([bad, 'Here it is: {"openings": [20]}'])
    server.answer = lambda _path, _body: (200, chat(next(answers)))
    assert llm_cuts(server) == [19]
    assert "cannot be used" in server.asked[1]["messages"][-1]["content"]


def test_a_model_that_never_answers_well_is_an_error_after_three_tries(server: Server) -> None:
    server.answer = lambda _path, _body: (200, chat("no"))
    with pytest.raises(SettingsError, match="in 3 tries"):
        llm_cuts(server)
    assert len(server.asked) == 3


def test_a_busy_server_is_asked_again(server: Server) -> None:
    states = iter([503, 429])
    server.answer = lambda path, body: (next(states, 200), by_tens(path, body)[1])
    assert llm_cuts(server) == [9, 19]
    assert len(server.asked) == 3


def test_a_refusal_is_not_repeated(server: Server) -> None:
    server.answer = lambda _path, _body: (401, {"error": "no key"})
    with pytest.raises(SettingsError, match="refuses: HTTP status 401"):
        llm_cuts(server)
    assert len(server.asked) == 1


def test_the_cost_is_bounded_before_anything_is_sent(server: Server) -> None:
    with pytest.raises(SettingsError, match="llm_most_tokens = 100"):
        llm_cuts(server, llm_most_tokens=100)
    assert not server.asked


def vectors(_path: str, body: dict[str, Any]) -> tuple[int, Any]:
    """A vector that tells the text, the rows not in the order asked for."""
    rows = [{"index": i, "embedding": [len(text), text.count("a"), 3.0]} for i, text in enumerate(body["input"])]
    return 200, {"data": rows[::-1]}


def test_vectors_come_back_unit_long_and_in_order(server: Server) -> None:
    server.answer = vectors
    texts = ["banana " * 9, "a", "some words", "x" * 70_000, ""]
    made = ServerEmbedder(server.url, "any").embed(texts)
    expected = np.array([[len(t), t.count("a"), 3.0] for t in texts])
    assert made == pytest.approx(expected / np.linalg.norm(expected, axis=1, keepdims=True), abs=1e-6)
    assert made.dtype == np.float32


def test_batches_keep_to_the_servers_limits(server: Server) -> None:
    server.answer = vectors
    ServerEmbedder(server.url, "any").embed([f"text number {i} " * (1 + i % 90) for i in range(600)])
    assert len(server.asked) > 3
    assert all(len(body["input"]) <= 256 for body in server.asked)
    assert sum(len(body["input"]) for body in server.asked) == 600


@pytest.mark.parametrize(
    "bad", [{}, {"data": []}, {"data": [{"index": 0, "embedding": [None, 1]}]}, {"data": [{"index": 0, "embedding": [1e999]}]}]
)
def test_an_answer_that_is_not_one_vector_a_text_is_an_error(server: Server, bad: object) -> None:
    server.answer = lambda _path, _body: (200, bad)
    with pytest.raises(SettingsError, match="does not answer as an embeddings server"):
        ServerEmbedder(server.url, "any").embed(["One."])


def test_each_different_text_is_embedded_once_and_remembered(server: Server, tmp_path: Path) -> None:
    server.answer = vectors
    texts = ["One.", "Two words.", "One.", "One."]
    path = tmp_path / "vectors.sqlite"
    first = RememberingEmbedder(lambda: ServerEmbedder(server.url, "any"), "any", path).embed(texts)
    again = RememberingEmbedder(lambda: ServerEmbedder(server.url, "any"), "any", path).embed([*texts, "And a new one."])
    assert (again[:4] == first).all()
    assert [sorted(body["input"]) for body in server.asked] == [["One.", "Two words."], ["And a new one."]]


def test_another_model_has_other_vectors(server: Server, tmp_path: Path) -> None:
    server.answer = vectors
    for model in ("one", "another"):
        RememberingEmbedder(partial(ServerEmbedder, server.url, model), model, tmp_path / "v.sqlite").embed(["Text."])
    assert len(server.asked) == 2


def test_a_damaged_memory_is_only_slower(server: Server, tmp_path: Path) -> None:
    server.answer = vectors
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"this is no database" * 100)
    assert RememberingEmbedder(lambda: ServerEmbedder(server.url, "any"), "any", path).embed(["One."]).shape == (1, 3)
