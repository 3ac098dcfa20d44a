"""The client for OpenAI-compatible servers, against servers on this machine that behave well and badly."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from openai_server import Server
from openai_server import chat as said

from segmenter.errors import ServerError, SettingsError
from segmenter.topics import server as client
from segmenter.topics.server import chat, greet, post

HELLO = [{"role": "user", "content": "Hello."}]


def asked(server: Server, answer: Any) -> client.Reply:
    server.answer = lambda _path, _body: (200, answer)
    return chat(server.url, "any", HELLO, 100)


@pytest.mark.parametrize(
    "content",
    [
        "<think>{maybe} [3] or so.</think>\n\nThe answer.",
        "A thought whose beginning the server left out.</think>The answer.",
        "<think>One.</think><think>Two.</think> The answer. ",
        "The answer.",
    ],
)
def test_thoughts_are_no_part_of_an_answer(server: Server, content: str) -> None:
    assert asked(server, said(content)).text == "The answer."


@pytest.mark.parametrize("content", ["", None, "<think>Long thoughts that were cut", "<think>All thought.</think>  "])
def test_an_answer_that_says_nothing_is_none(server: Server, content: str | None) -> None:
    with pytest.raises(ValueError, match="empty"):
        asked(server, {"choices": [{"message": {"content": content}}]})


def test_an_answer_that_was_cut_off_says_how_many_tokens_were_too_few(server: Server) -> None:
    with pytest.raises(ValueError, match="100 tokens were too few"):
        asked(server, {"choices": [{"message": {"content": "<think>Hm"}, "finish_reason": "length"}]})


@pytest.mark.parametrize("answer", [{}, [], None, "text", {"choices": []}, {"choices": [{"message": {"content": [1]}}]}])
def test_what_no_chat_server_says(server: Server, answer: object) -> None:
    with pytest.raises(ValueError, match="not one of a chat server"):
        asked(server, answer)


def test_a_million_characters_are_no_answer(server: Server) -> None:
    with pytest.raises(ValueError, match="1000001 characters"):
        asked(server, said("{" * 1_000_001))


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [({"completion_tokens": 37}, 37), ({"completion_tokens": None}, 3), (None, 3), ({"completion_tokens": -1}, 3)],
)
def test_the_server_says_how_many_tokens_an_answer_has_or_they_are_estimated(server: Server, usage: Any, tokens: int) -> None:
    assert asked(server, said("The answer.") | {"usage": usage}).tokens == tokens


def test_an_answer_without_end_is_left(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_MOST_BYTES", 1_000_000)

    def endless() -> Iterator[bytes]:
        while True:
            yield b" " * 10_000

    server.answer = lambda _path, _body: (200, endless())
    with pytest.raises(ServerError, match="answers more than 1 MB"):
        post(f"{server.url}/x", {})
    assert len(server.asked) == 1


def test_a_server_that_drips_is_left_and_not_asked_again(server: Server) -> None:
    def dripping() -> Iterator[bytes]:
        for _ in range(200):
            time.sleep(0.02)
            yield b" "

    server.answer = lambda _path, _body: (200, dripping())
    with pytest.raises(ServerError, match=r"no whole answer within 0\.2 s"):
        post(f"{server.url}/x", {}, within_s=0.2)
    assert len(server.asked) == 1


def test_a_server_that_stays_silent_is_left_and_not_asked_again(server: Server) -> None:
    def silent(_path: str, _body: object) -> tuple[int, Any]:
        time.sleep(0.5)
        return 200, {}

    server.answer = silent
    with pytest.raises(ServerError, match=r"no whole answer within 0\.1 s"):
        post(f"{server.url}/x", {}, within_s=0.1)
    assert len(server.asked) == 1


def test_json_deeper_than_can_be_read_is_no_answer(server: Server) -> None:
    server.answer = lambda _path, _body: (200, b"[" * 200_000)
    with pytest.raises(ServerError, match="gave no answer in 4 tries"):
        post(f"{server.url}/x", {})


def test_half_an_answer_is_asked_for_again(server: Server) -> None:
    answers = iter([b'{"a": ', b'{"a": 1}'])
    server.answer = lambda _path, _body: (200, next(answers))
    assert post(f"{server.url}/x", {}) == {"a": 1}


def test_a_refusal_has_its_status(server: Server) -> None:
    server.answer = lambda _path, _body: (413, {"error": "too long"})
    with pytest.raises(ServerError, match="too long") as refused:
        post(f"{server.url}/x", {})
    assert refused.value.status == 413


def test_an_address_of_no_server_is_a_fault_of_the_settings() -> None:
    with pytest.raises(SettingsError, match="begins with http"):
        post("ftp://example.org", {})


def test_a_greeting_costs_little_and_may_be_answered_with_a_thought(server: Server) -> None:
    server.answer = lambda _path, _body: (200, {"choices": [{"message": {"content": None}, "finish_reason": "length"}]})
    greet(server.url, "any")
    (body,) = server.asked
    assert body["model"] == "any"
    assert body["max_tokens"] < 20


@pytest.mark.parametrize("answer", [(404, {"error": "no such model"}), (200, {"data": []}), (200, b"<html>")])
def test_what_greets_otherwise_is_no_chat_server(server: Server, answer: tuple[int, Any]) -> None:
    server.answer = lambda _path, _body: answer
    with pytest.raises(ServerError):
        greet(server.url, "any")
