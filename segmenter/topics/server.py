"""A client for OpenAI-compatible servers: one request at a time, asked again when the server is busy or stumbles."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from segmenter.errors import SettingsError

_TRIES = 4
_WAIT_S = 0.5  # doubled from try to try, unless the server says how long
_LONGEST_WAIT_S = 30.0
_TIMEOUT_S = 120.0
_PASSING = {408, 409, 425, 429, 500, 502, 503, 504}


def post(url: str, body: dict[str, Any]) -> Any:
    """The answer to a JSON request. The key, if any, is read from the variable OPENAI_API_KEY and kept nowhere.

    Raises:
        SettingsError: the server refuses, is not there after several tries, or answers something that is not JSON.
    """
    if not url.startswith(("http://", "https://")):
        raise SettingsError(f"{url} is no address of a server", hint="server_url begins with http:// or https://")
    for attempt in range(_TRIES):
        try:
            return _ask(url, body)
        except HTTPError as error:
            reason, wait = f"HTTP status {error.code}: {_said(error)}", error.headers.get("Retry-After", "")
            if error.code not in _PASSING:
                raise SettingsError(
                    f"the server at {url} refuses: {reason}", hint="check server_url and the model's name"
                ) from error
        except (URLError, HTTPException, OSError, ValueError) as error:
            reason, wait = str(error), ""
        if attempt < _TRIES - 1:
            time.sleep(min(float(wait) if wait.isdigit() else _WAIT_S * 2**attempt, _LONGEST_WAIT_S))
    raise SettingsError(
        f"the server at {url} gave no answer in {_TRIES} tries: {reason}", hint="check its address, and that it runs"
    )


def chat(server_url: str, model: str, messages: Sequence[Mapping[str, str]], most_tokens: int) -> str:
    """What the server's model says next in a conversation, as steadily as servers can: temperature 0, seed 0.

    Raises:
        SettingsError: see `post`.
        ValueError: the answer is not one of a chat server.
    """
    body = {"model": model, "temperature": 0, "seed": 0, "max_tokens": most_tokens, "messages": list(messages)}
    answer = post(f"{server_url.rstrip('/')}/chat/completions", body)
    try:
        return str(answer["choices"][0]["message"]["content"])
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError("the answer is not one of a chat server") from error


def _ask(url: str, body: dict[str, Any]) -> Any:
    key = os.environ.get("OPENAI_API_KEY")
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    with urlopen(Request(url, json.dumps(body).encode(), headers), timeout=_TIMEOUT_S) as answer:
        return json.loads(answer.read())


def _said(error: HTTPError) -> str:
    return error.read(300).decode("utf-8", "replace").strip()
