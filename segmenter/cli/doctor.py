"""`segmenter doctor`: what is here, what is missing, and the command that mends it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from segmenter.cli.exits import Exit
from segmenter.cli.models import default_models
from segmenter.errors import ModelMissing, SettingsError
from segmenter.weights import catalogue, store

NEEDED_EXTRAS = ("", "speech", "topics", "motion")  # with these the main job runs, if only with --tracker motion
# FFmpeg's own av1 decoder works only on a graphics card; dav1d is the one that runs everywhere
DECODERS = ("h264", "hevc", "libdav1d", "vp9", "mpeg4", "aac", "opus", "mp3", "flac", "vorbis", "pcm_s16le")


@dataclass(frozen=True, slots=True)
class Line:
    """What was looked at, how it is, and the command that mends it; `stops` means that the main job cannot run so."""

    subject: str
    state: str
    mend: str = ""
    stops: bool = False


def _requirements() -> dict[str, list[str]]:
    """The packages that segmenter asks for, by the extra that brings them ("" for none)."""
    wanted = defaultdict(list)
    for line in requires("segmenter") or ():
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == [\"']([\w-]+)[\"']", line)
        if name and name[0] != "segmenter":
            wanted[extra[1] if extra else ""].append(name[0])
    wanted.pop("dev", None)
    return wanted


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def packages() -> Iterator[Line]:
    """The packages of each extra with their versions, as pip knows them: none is imported to ask."""
    for extra, names in _requirements().items():
        versions = {name: _version(name) for name in names}
        state = ", ".join(f"{name} {v or 'is missing'}" for name, v in versions.items())
        whole = all(versions.values())
        mend = f"pip install 'segmenter[{extra}]'" if extra else "pip install --force-reinstall segmenter"
        subject = f"packages [{extra}]" if extra else "packages"
        yield Line(subject, state, "" if whole else mend, stops=not whole and extra in NEEDED_EXTRAS)


def weights() -> Iterator[Line]:
    """Each model of the catalogue, its weights checked."""
    *needed, _tracker = default_models()
    try:
        store.user_folder()
    except SettingsError as error:  # and no other weights are looked for
        yield Line(store.TRUSTED, f"{error.path}: no such folder", error.hint, stops=True)
        return
    for model in catalogue.known().values():
        try:
            found = store.resolve(model, model.name)
            yield Line(model.name, found.path if found.source == store.TRUSTED else "in the cache")
        except ModelMissing as error:
            state = error.what if error.path else "missing"
            yield Line(model.name, state, error.hint, stops=model.name in needed)


def device() -> Line:
    """The first NVIDIA GPU as its driver names it, without loading torch to ask."""
    if tool := shutil.which("nvidia-smi"):
        command = [tool, "--query-gpu=name,memory.total", "--format=csv,noheader"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if answer.returncode == 0 and answer.stdout.strip():
            return Line("device", f"CUDA: {answer.stdout.splitlines()[0]}")
    return Line("device", f"CPU, {os.cpu_count()} cores")


def decoders() -> Line:
    """Which of the common codecs the installed PyAV can read."""
    from av.codec import codecs_available

    missing = [name for name in DECODERS if name not in codecs_available]
    here = ", ".join(name for name in DECODERS if name not in missing)
    lacking = f"; missing: {', '.join(missing)}" if missing else ""
    return Line("decoders", here + lacking, "pip install --force-reinstall --only-binary av av" if missing else "")


def cache() -> Line:
    """The cache folder, tried with a small file."""
    folder = store.cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return Line("cache", f"{folder}: {error.strerror}", "name a folder of yours in SEGMENTER_CACHE")
    return Line("cache", f"{folder}, {shutil.disk_usage(folder).free / 1e9:.0f} GB free")


def _verdict(lines: list[Line]) -> str:
    if any(line.stops for line in lines):
        return "The main job cannot run yet: mend the above."
    tracker = default_models()[-1]
    blind = any(line.mend for line in lines if line.subject in (tracker, "packages [vision]"))
    return "The main job can run with --tracker motion." if blind else "The main job can run."


def doctor() -> None:
    """What is installed, which weights are there, which device, which decoders; what is missing and what mends it."""
    lines = [Line("Python", platform.python_version()), *packages(), *weights(), device(), decoders(), cache()]
    table = Table("what", "state", "to mend it", box=None, pad_edge=False)
    table.columns[0].no_wrap = True
    table.columns[1].overflow = "fold"
    for line in lines:
        table.add_row(Text(line.subject), Text(line.state, style="red" if line.mend else ""), Text(line.mend))
    console = Console()
    console.print(table)
    console.print(_verdict(lines))
    if any(line.stops for line in lines):
        raise typer.Exit(Exit.MODEL)
