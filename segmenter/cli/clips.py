"""`segmenter clips`: the events or chunks of finished runs as files of their own."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import segmenter
from segmenter.cli import progress, runs, show
from segmenter.cli.exits import Exit
from segmenter.errors import printable
from segmenter.formats import clips_json, folder
from segmenter.records import Finding, Segmentation
from segmenter.settings import ClipSettings, Settings


class Of(StrEnum):
    EVENTS = "events"
    CHUNKS = "chunks"


def clips(
    folders: runs.Places,
    of: Annotated[Of | None, typer.Option(help="What gets a clip each.")] = None,
    mode: Annotated[
        str | None, typer.Option(help="exact (re-encoded), copy (from the keyframe before) or smart (only edges re-encoded).")
    ] = None,
    pre: Annotated[float | None, typer.Option(help="Seconds shown before; neighbours share what lies between them.")] = None,
    post: Annotated[float | None, typer.Option(help="Seconds shown after.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a clip on standard output.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Cut a clip for each event or chunk of finished runs."""
    settings = Settings().changed("clips", of=of and of.value, mode=mode, pre_s=pre, post_s=post).clips
    messages = Console(stderr=True, highlight=False, soft_wrap=True)
    work = partial(_one, settings=settings, messages=messages, as_json=as_json, quiet=quiet)
    raise typer.Exit(runs.each(folders, work, messages))


def _one(place: Path, settings: ClipSettings, messages: Console, as_json: bool, quiet: bool) -> Exit:
    from segmenter.clips import files
    from segmenter.report import page

    lost: list[Finding] = []
    found = segmenter.load(place)
    with progress.shown(messages, quiet) as shown:
        writers = files.writers(settings, lost.append, shown)
        if (place / "report.html").exists():
            writers["report.html"] = partial(page.write, pictures=place / "stills", progress=shown)
        folder.add(found, place, writers)
    for finding in lost:
        messages.print(show.finding_line(finding, place.name))
    _tell(place, messages, as_json, quiet)
    if not (lost or quiet or clips_json.read(place / clips_json.FOLDER)):
        messages.print(Text(printable(f"{place.name}: {_why_none(found, place)}")))
    return Exit.FAILED if lost else Exit.OK


def _why_none(found: Segmentation, place: Path) -> str:
    if not (found.recording.audio or found.recording.video):
        return "a transcript alone: there is no film or sound to cut"
    chunks = len(found.chunks)
    return f"no events in it, so no clips; of its chunks, {chunks} in number: segmenter clips {place} --of chunks"


def _tell(place: Path, messages: Console, as_json: bool, quiet: bool) -> None:
    """The clips on standard output; how they differ from what was asked for on standard error."""
    for clip in clips_json.read(place / clips_json.FOLDER):
        path = place / clips_json.FOLDER / clip.file
        if as_json:
            print(json.dumps({"path": str(path), **asdict(clip)}, ensure_ascii=True, allow_nan=False))
        elif not quiet:
            print(path)
        early = clip.wanted_start - clip.start
        said = [f"begins {early:.1f} s earlier"] if early >= 0.05 else []
        said += [clip.note] if clip.note else []
        if said and not quiet:
            messages.print(Text(printable(f"{clip.file}: {', '.join(said)}")), style="dim")
