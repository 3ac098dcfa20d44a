"""`segmenter report`: the page of finished runs, made anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import segmenter
from segmenter.cli import progress
from segmenter.cli.exits import Exit, code_for, describe
from segmenter.errors import NotAFile, SegmenterError, printable


def report(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders that segmenter run has written.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Write report.html and its stills for finished runs."""
    messages = Console(stderr=True, highlight=False, soft_wrap=True)
    codes = [_one(folder, messages, quiet) for folder in folders]
    raise typer.Exit(codes[0] if len(set(codes)) == 1 else Exit.FAILED)


def _one(folder: Path, messages: Console, quiet: bool) -> Exit:
    from segmenter.report import files

    try:
        if not folder.is_dir():
            raise NotAFile("no folder of a run", path=folder, hint="give a folder that segmenter run has written")
        found = segmenter.load(folder)
        with progress.shown(messages, quiet) as shown:
            complete = files.renew(found, folder, shown)
    except SegmenterError as error:
        messages.print(Text(describe(error)), style="red")
        return code_for(error)
    if not complete and not quiet:
        messages.print(Text(printable(f"{found.recording.path} is gone: no waveform, and only the stills that were there")))
    if not quiet:
        print(folder / "report.html")
    return Exit.OK
