"""`segmenter report`: the page of finished runs, made anew."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import segmenter
from segmenter.cli import progress, runs
from segmenter.cli.exits import Exit
from segmenter.errors import printable


def report(
    folders: runs.Places,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Write report.html and its stills for finished runs."""
    messages = Console(stderr=True, highlight=False, soft_wrap=True)
    raise typer.Exit(runs.each(folders, partial(_one, messages=messages, quiet=quiet), messages))


def _one(folder: Path, messages: Console, quiet: bool) -> Exit:
    from segmenter.report import files

    found = segmenter.load(folder)
    with progress.shown(messages, quiet) as shown:
        complete = files.renew(found, folder, shown)
    if not complete and not quiet:
        messages.print(Text(printable(f"{found.recording.path} is gone: no waveform, and only the stills that were there")))
    if not quiet:
        print(folder / "report.html")
    return Exit.OK
