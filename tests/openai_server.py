"""A server on this machine that speaks OpenAI's protocol, for tests of what talks to one."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from segmenter.topics import server as client

Answer = Callable[[str, dict[str, Any]], tuple[int, Any]]


class Server(ThreadingHTTPServer):
    """Answers as it is told, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.answer: Answer = lambda _path, _body: (500, {})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        status, answer = self.server.answer(self.path, body)
        self.send_response(status)
        if isinstance(answer, Iterator):  # of pieces, sent as they come
            self.end_headers()
            with suppress(OSError):  # who asked may have had enough
                for piece in answer:
                    self.wfile.write(piece)
            return
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    monkeypatch.setenv("SEGMENTER_CACHE", str(tmp_path))
    monkeypatch.setattr(client, "_WAIT_S", 0.01)
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def chat(content: str) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": content}}]}
