"""A client for OpenAI-compatible servers: one request at a time, asked again when the server is busy or stumbles.

Whatever a server does, an answer is bounded in bytes and in time.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPException, HTTPResponse
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from segmenter.errors import ServerError, SettingsError
from segmenter.topics.material import tokens

_TRIES = 4
_WAIT_S = 0.5  # doubled from try to try, unless the server says how long
_LONGEST_WAIT_S = 30.0
_WITHIN_S = 600.0  # a model on a CPU thinks for minutes, and sends nothing until it has done
_GREETED_WITHIN_S = 120.0  # a server may load its model first
_GREETING = (  # with a system message, as questions have: there are models that take none
    {"role": "system", "content": "Answer with one word: ready."},
    {"role": "user", "content": "0: Are you ready?"},
)
_GREETING_TOKENS = 16  # the fewest that some servers let one ask for
_PASSING = {408, 409, 425, 429, 500, 502, 503, 504}
_MOST_BYTES = 64_000_000  # 256 vectors of 4,096 numbers, written out, are 25 MB
_MOST_SAID = 1_000_000  # characters of a chat's answer
_PIECE = 1 << 16


class Reply(NamedTuple):
    """What a chat's model says, without its thoughts; `tokens` are all that it wrote, thoughts included."""

    text: str
    tokens: int


def post(url: str, body: Mapping[str, Any], within_s: float = _WITHIN_S) -> Any:
    """The answer to a JSON request. The key, if any, is read from the variable OPENAI_API_KEY and kept nowhere.

    Raises:
        SettingsError: `url` is no address of a server.
        ServerError: the server refuses, is not there after several tries, is too slow, or answers too much or no JSON.
    """
    if not url.startswith(("http://", "https://")):
        raise SettingsError(f"{url} is no address of a server", hint="server_url begins with http:// or https://")
    for attempt in range(_TRIES):
        try:
            return _ask(url, body, within_s)
        except HTTPError as error:
            reason, wait = f"HTTP status {error.code}: {_said(error)}", error.headers.get("Retry-After", "")
            if error.code not in _PASSING:
                hint = "check server_url and the model's name"
                raise ServerError(f"the server at {url} refuses: {reason}", hint=hint, status=error.code) from error
        except (URLError, HTTPException, OSError, ValueError, RecursionError) as error:
            if _too_slow(error):
                raise ServerError(f"the server at {url} gave no whole answer within {within_s:g} s") from error
            reason, wait = str(error), ""
        if attempt < _TRIES - 1:
            time.sleep(min(float(wait) if wait.isdecimal() else _WAIT_S * 2**attempt, _LONGEST_WAIT_S))
    raise ServerError(
        f"the server at {url} gave no answer in {_TRIES} tries: {reason}", hint="check its address, and that it runs"
    )


def chat(server_url: str, model: str, messages: Sequence[Mapping[str, str]], most_tokens: int) -> Reply:
    """What the server's model says next in a conversation, as steadily as servers can: temperature 0, seed 0.

    Raises:
        ServerError: see `post`.
        ValueError: the answer is not one of a chat server, or says nothing.
    """
    answer = post(*_request(server_url, model, messages, most_tokens))
    content = _content(answer)
    text = _without_thoughts(content)
    if not text:
        cut_off = answer["choices"][0].get("finish_reason") == "length"
        raise ValueError("the answer is empty" + (f": {most_tokens} tokens were too few for it" if cut_off else ""))
    return Reply(text, _written(answer, content))


def greet(server_url: str, model: str) -> None:
    """Asks a chat server for a word: one that is not there, or does not know the model, must not cost an hour of work.

    Raises:
        ServerError: see `post`; or the answer is not one of a chat server.
    """
    try:
        _content(post(*_request(server_url, model, _GREETING, _GREETING_TOKENS), _GREETED_WITHIN_S))
    except ValueError as error:
        raise ServerError(f"{server_url}: {error}", hint="check the server's address and the model's name") from error


def _request(server_url: str, model: str, messages: Sequence[Mapping[str, str]], most_tokens: int) -> tuple[str, dict[str, Any]]:
    body = {"model": model, "temperature": 0, "seed": 0, "max_tokens": most_tokens, "messages": list(messages)}
    return f"{server_url.rstrip('/')}/chat/completions", body


def _content(answer: Any) -> str:
    """What was said; empty where a model thought, and came to no answer."""
    try:
        content = answer["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError("the answer is not one of a chat server") from error
    if not isinstance(content, str | None):
        raise ValueError("the answer is not one of a chat server")
    if content and len(content) > _MOST_SAID:
        raise ValueError(f"the answer is {len(content)} characters long")
    return content or ""


def _without_thoughts(content: str) -> str:
    """Reasoning models think aloud first: <think> ... </think>; some servers leave the first of the two out."""
    return content.rpartition("</think>")[2].partition("<think>")[0].strip()


def _written(answer: Any, content: str) -> int:
    """As the server counts, else about so many."""
    usage = answer.get("usage")
    counted = usage.get("completion_tokens") if isinstance(usage, dict) else None
    return counted if type(counted) is int and counted >= 0 else tokens(content)


def _ask(url: str, body: Mapping[str, Any], within_s: float) -> Any:
    until = time.monotonic() + within_s
    key = os.environ.get("OPENAI_API_KEY")
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    with urlopen(Request(url, json.dumps(body).encode(), headers), timeout=within_s) as answer:
        return json.loads(_read(answer, until))


def _read(answer: HTTPResponse, until: float) -> bytes:
    """All of it, piece by piece: the socket's own limit is for each piece, and a server that drips would never meet it."""
    read = bytearray()
    while piece := answer.read1(_PIECE):
        read += piece
        if len(read) > _MOST_BYTES:
            raise ServerError(f"the server at {answer.url} answers more than {_MOST_BYTES // 1_000_000} MB")
        if time.monotonic() > until:
            raise TimeoutError
    return bytes(read)


def _too_slow(error: Exception) -> bool:
    return isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError)


def _said(error: HTTPError) -> str:
    try:
        with error:
            said: bytes = error.read1(300)
    except (OSError, HTTPException):
        return "without a word"
    return said.decode("utf-8", "replace").strip()
