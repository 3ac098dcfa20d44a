"""`segmenter export`: finished results in the formats of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import segmenter
from segmenter.cli.exits import Exit, code_for, describe
from segmenter.errors import NotAFile, SegmenterError, SettingsError
from segmenter.formats.exports import EXPORTS, export

_FORMATS = "; ".join(f"{name}: {one.what}" for name, one in EXPORTS.items())


def export_results(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders that segmenter run has written.")],
    formats: Annotated[str, typer.Option("--format", help=f"One or more, with commas. {_FORMATS}.")],
) -> None:
    """Write finished results in other formats, into their folders."""
    names = [name.strip() for name in formats.split(",") if name.strip()]
    for name in names or [formats]:
        if name not in EXPORTS:
            raise SettingsError(f"there is no format {name!r}", hint=f"choose one of: {', '.join(EXPORTS)}")
    messages = Console(stderr=True, highlight=False, soft_wrap=True)
    codes = [_one(folder, names, messages) for folder in folders]
    raise typer.Exit(codes[0] if len(set(codes)) == 1 else Exit.FAILED)


def _one(folder: Path, names: list[str], messages: Console) -> Exit:
    try:
        if not folder.is_dir():
            raise NotAFile("no folder of a run", path=folder, hint="give a folder that segmenter run has written")
        found = segmenter.load(folder)
        for name in names:
            print(export(found, folder, name))
    except SegmenterError as error:
        messages.print(Text(describe(error)), style="red")
        return code_for(error)
    return Exit.OK
