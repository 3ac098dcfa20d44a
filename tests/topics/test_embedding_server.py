"""The server embedder against a server on this machine that speaks OpenAI's protocol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from openai_server import Server

from segmenter.errors import ServerError
from segmenter.settings import TopicSettings
from segmenter.topics import embedder
from segmenter.topics.embedding_server import ServerEmbedder, identity
from segmenter.topics.remembered import Remembered, RememberingEmbedder

Rows = list[dict[str, Any]]


def vector(text: str, size: int = 3) -> list[float]:
    """Tells the text: its length, its letters a, and a constant for each further number."""
    return [float(len(text)), 20.0 * text.count("a"), *([3.0] * (size - 2))]


def unit(*texts: str) -> np.ndarray[Any, Any]:
    made = np.array([vector(text) for text in texts])
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True))


def rows(body: dict[str, Any], size: int = 3) -> Rows:
    return [{"index": i, "embedding": vector(text, size)} for i, text in enumerate(body["input"])]


def vectors(_path: str, body: dict[str, Any]) -> tuple[int, Any]:
    return 200, {"data": rows(body)[::-1]}  # not in the order asked for


def inputs(server: Server) -> list[list[str]]:
    """What was asked, but for the probe that comes first."""
    return [body["input"] for body in server.asked if "The train to the coast" not in body["input"][0]]


def test_vectors_come_back_unit_long_and_in_order(server: Server) -> None:
    server.answer = vectors
    texts = ["banana " * 9, "a", "some words", "a longer text " * 300, ""]
    made = ServerEmbedder(server.url, "any").embed(texts)
    assert made == pytest.approx(unit(*texts), abs=1e-6)
    assert made.dtype == np.float32


def test_batches_keep_to_the_servers_limits(server: Server) -> None:
    server.answer = vectors
    ServerEmbedder(server.url, "any").embed([f"text number {i} " * (1 + i % 90) for i in range(600)])
    assert len(inputs(server)) >= 3
    assert all(len(batch) <= 256 for batch in inputs(server))
    assert sum(len(batch) for batch in inputs(server)) == 600


def test_a_text_longer_than_any_server_takes_is_embedded_in_parts_and_nothing_of_it_is_lost(server: Server) -> None:
    server.answer = vectors
    long = "banana " * 10_000
    (made,) = ServerEmbedder(server.url, "any").embed([long])
    pieces = [text for batch in inputs(server) for text in batch]
    assert sorted("".join(pieces)) == sorted(long)
    assert max(len(piece.split()) for piece in pieces) <= 2000
    sums = sum(len(piece) * unit(piece)[0] for piece in pieces)
    assert made == pytest.approx(sums / np.linalg.norm(sums), abs=1e-5)


@pytest.mark.parametrize("status", [400, 413, 422])
def test_what_a_server_finds_too_long_is_asked_for_in_halves(server: Server, status: int) -> None:
    """It takes 50 words and four texts at once, and does not say so before."""

    def small(path: str, body: dict[str, Any]) -> tuple[int, Any]:
        if len(body["input"]) > 4 or max(len(text.split()) for text in body["input"]) > 50:
            return status, {"error": "too much"}
        return vectors(path, body)

    server.answer = small
    texts = [f"sentence {'a' * (i % 7)}" for i in range(9)]
    made = ServerEmbedder(server.url, "any").embed([*texts, "long word " * 100])
    assert made[:9] == pytest.approx(unit(*texts), abs=1e-6)
    assert made[9] == pytest.approx(unit("long word " * 25)[0], abs=1e-3)


def test_a_server_that_refuses_whatever_the_length_is_not_asked_forever(server: Server) -> None:
    answers = iter([200])
    server.answer = lambda path, body: vectors(path, body) if next(answers, 0) else (400, {"error": "quota"})
    with pytest.raises(ServerError, match="quota"):
        ServerEmbedder(server.url, "any").embed([f"Text {i}." for i in range(200)])
    assert len(server.asked) < 12


BAD: dict[str, Callable[[Rows], object]] = {
    "nothing": lambda _: [],
    "no numbers": lambda of: [{**row, "embedding": [None, 1]} for row in of],
    "endless numbers": lambda of: [{**row, "embedding": [1e999, 1]} for row in of],
    "text": lambda of: [{**row, "embedding": "AAAA"} for row in of],
    "no index": lambda of: [{"embedding": row["embedding"]} for row in of],
    "one index for all": lambda of: [{**row, "index": 0} for row in of],
    "indices of others": lambda of: [{**row, "index": row["index"] + 500} for row in of],
    "one too few": lambda of: of[:-1],
    "one too many": lambda of: [*of, of[0]],
    "zeros": lambda of: [{**row, "embedding": [0.0, 0.0]} for row in of],
    "ragged": lambda of: [{**row, "embedding": [1.0] * (2 + i)} for i, row in enumerate(of)],
    "the same for all": lambda of: [{**row, "embedding": [1.0, 2.0]} for row in of],
    "no rows": lambda of: of[0],
}


@pytest.mark.parametrize("bad", BAD)
def test_an_answer_that_is_not_one_vector_a_text_is_an_error_and_not_remembered(server: Server, bad: str) -> None:
    settings = TopicSettings(embedder="server", server_url=server.url)
    server.answer = lambda _path, body: (200, {"data": BAD[bad](rows(body))})
    with pytest.raises(ServerError, match="does not answer as an embeddings server"):
        embedder.make(settings, None).embed(["One.", "Another text."])
    server.answer = vectors
    made = embedder.make(settings, None).embed(["One.", "Another text."])
    assert made == pytest.approx(unit("One.", "Another text."), abs=1e-6)


def test_each_different_text_is_embedded_once_and_remembered(server: Server) -> None:
    server.answer = vectors
    settings = TopicSettings(embedder="server", server_url=server.url)
    texts = ["One.", "Two words.", "One.", "One."]
    first = embedder.make(settings, None).embed(texts)
    again = embedder.make(settings, None).embed([*texts, "And a new one."])
    assert (again[:4] == first).all()
    assert [sorted(batch) for batch in inputs(server)] == [["One.", "Two words."], ["And a new one."]]


def test_another_model_has_other_vectors(server: Server) -> None:
    server.answer = vectors
    for model in ("one", "another"):
        embedder.make(TopicSettings(embedder="server", server_url=server.url, server_embedder=model), None).embed(["Text."])
    assert len(inputs(server)) == 2


@pytest.mark.parametrize("size", [3, 5])
def test_another_model_behind_the_same_name_is_noticed(server: Server, size: int) -> None:
    """Of another dimension or of the same: nothing that the first one said is mixed with what the second says."""
    server.answer = vectors
    settings = TopicSettings(embedder="server", server_url=server.url)
    embedder.make(settings, None).embed(["One.", "Two words."])

    def other(_path: str, body: dict[str, Any]) -> tuple[int, Any]:
        return 200, {"data": [{**row, "embedding": row["embedding"][::-1]} for row in rows(body, size)]}

    server.answer = other
    made = embedder.make(settings, None).embed(["One.", "Two words.", "A third."])
    assert made.shape == (3, size)
    assert made[0, -1] == pytest.approx(4 / np.linalg.norm(vector("One.", size)), abs=1e-6)


def test_the_last_digits_make_no_other_model(server: Server, tmp_path: Path) -> None:
    noise = np.random.default_rng(0)

    def noisy(_path: str, body: dict[str, Any]) -> tuple[int, Any]:
        given = [[x + noise.normal(0, 1e-3) for x in row["embedding"]] for row in rows(body)]
        return 200, {"data": [{"index": i, "embedding": one} for i, one in enumerate(given)]}

    server.answer = noisy
    known = Remembered(tmp_path / "v.sqlite")
    assert len({identity(ServerEmbedder(server.url, "any"), known) for _ in range(5)}) == 1


def test_a_model_that_changes_while_it_is_asked_is_an_error(server: Server) -> None:
    """Each answer has vectors one number longer than the one before."""
    server.answer = lambda _path, body: (200, {"data": rows(body, 3 + len(server.asked))})
    with pytest.raises(ServerError, match="vectors of 4 numbers, then of 5"):
        ServerEmbedder(server.url, "any").embed(["One.", "Two."])


def test_a_damaged_memory_is_only_slower(server: Server, tmp_path: Path) -> None:
    server.answer = vectors
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"this is no database" * 100)
    made = RememberingEmbedder(lambda: ServerEmbedder(server.url, "any"), lambda: "any", path).embed(["One."])
    assert made.shape == (1, 3)
