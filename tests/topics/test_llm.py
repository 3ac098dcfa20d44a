"""The llm rule against a server on this machine that speaks OpenAI's protocol."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from openai_server import Server, chat

from segmenter.errors import ServerError, SettingsError
from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import find
from segmenter.topics.material import tokens

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


OK = '{"openings": [10, 20]}'


@pytest.mark.parametrize(
    "said",
    [
        f'<think>{{maybe 3 or {{4}}}} {{"openings": [3]}}</think>\n```json\n{OK}\n```',
        f'{{"openings": [3]}} would be too early, so: {OK}',
        f"{OK}\nI hope this {{helps}}!",
        '{ "reasons": {"10": "new"}, "openings" : [20,\n10, 20]}',
        "{" * 900_000 + OK,
        OK.join(["[" * 400_000, "]" * 400_000]),
    ],
)
def test_what_stands_around_the_last_list_of_openings_does_not_matter(server: Server, said: str) -> None:
    server.answer = lambda _path, _body: (200, chat(said))
    assert llm_cuts(server) == [9, 19]
    assert len(server.asked) == 1


@pytest.mark.parametrize("said", ["{" * 5_000_000, '{"openings":' + "[" * 200_000, '{"openings": [' + "9" * 5000 + "]}"])
def test_huge_and_deep_answers_are_no_answers(server: Server, said: str) -> None:
    server.answer = lambda _path, _body: (200, chat(said))
    with pytest.raises(ServerError, match="in 3 tries"):
        llm_cuts(server)


def test_the_cost_is_bounded_before_anything_is_sent(server: Server) -> None:
    with pytest.raises(ServerError, match="llm_most_tokens = 100"):
        llm_cuts(server, llm_most_tokens=100)
    assert not server.asked


def spent(server: Server) -> int:
    """Tokens that were sent, and that the server was allowed to answer."""
    return sum(b["max_tokens"] + sum(tokens(m["content"]) for m in b["messages"]) for b in server.asked)


@pytest.mark.parametrize("most", [700, 1500, 9000])
def test_repeats_and_answers_are_within_the_cost(server: Server, most: int) -> None:
    """A server that fills all that it is allowed, and never well."""
    server.answer = lambda _path, body: (200, chat("no") | {"usage": {"completion_tokens": body["max_tokens"]}})
    with pytest.raises(ServerError, match=f"llm_most_tokens = {most}, of which" if most < 9000 else "in 3 tries|of which"):
        llm_cuts(server, llm_most_tokens=most)
    assert 0 < spent(server) <= most


def test_what_an_answer_did_not_use_is_left_for_the_next(server: Server) -> None:
    """Five parts with short answers, where the longest answers would not fit three times."""
    server.answer = by_tens
    assert llm_cuts(server, 900, llm_most_tokens=17_000) == list(range(9, 899, 10))
    assert spent(server) > 17_000


def test_what_is_remembered_costs_nothing(server: Server) -> None:
    server.answer = by_tens
    assert llm_cuts(server) == llm_cuts(server, llm_most_tokens=1)


def test_a_sentence_without_end_is_shown_by_its_beginning(server: Server) -> None:
    server.answer = by_tens
    endless = [*said(30), Sentence("word " * 10_000, 60.0, 900.0)]
    settings = TopicSettings(rule="llm", server_url=server.url)
    assert [b.after_sentence for b in find(endless, NO_VECTORS, settings)] == [9, 19, 29]
    assert max(tokens(b["messages"][1]["content"]) for b in server.asked) < 3000


def chooses(path: str, body: dict[str, Any]) -> tuple[int, Any]:
    """As `by_tens`, and of those, where it is asked to choose, the last ones."""
    count = re.search(r"numbers of the (\d+) that", body["messages"][0]["content"])
    shown = [int(i) for i in re.findall(r"^(\d+): ", body["messages"][1]["content"], re.MULTILINE)]
    return (200, chat(json.dumps({"openings": shown[-int(count[1]) :]}))) if count else by_tens(path, body)


@pytest.mark.parametrize(("topics", "cuts"), [(1, []), (2, [889]), (4, [869, 879, 889]), (90, list(range(9, 899, 10)))])
def test_of_more_openings_than_wanted_the_model_chooses(server: Server, topics: int, cuts: list[int]) -> None:
    server.answer = chooses
    assert llm_cuts(server, 900, topics_count=topics) == cuts


def test_a_choice_of_another_number_is_asked_for_again(server: Server) -> None:
    answers = iter([OK, OK, '{"openings": [11]}', '{"openings": [20]}'])
    server.answer = lambda _path, _body: (200, chat(next(answers)))
    assert llm_cuts(server, topics_count=2) == [19]
    assert "2 numbers where 1 are wanted" in server.asked[2]["messages"][-1]["content"]
    assert "no sentence 11" in server.asked[3]["messages"][-1]["content"]
