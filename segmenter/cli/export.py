"""`segmenter export`: finished results in the formats of other tools."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import segmenter
from segmenter.cli import runs
from segmenter.cli.exits import Exit
from segmenter.errors import SettingsError
from segmenter.formats.exports import EXPORTS, export

_FORMATS = "; ".join(f"{name}: {one.what}" for name, one in EXPORTS.items())


def export_results(
    folders: runs.Places,
    formats: Annotated[str, typer.Option("--format", help=f"One or more, with commas. {_FORMATS}.")],
) -> None:
    """Write finished results in other formats, into their folders."""
    names = [name.strip() for name in formats.split(",") if name.strip()]
    for name in names or [formats]:
        if name not in EXPORTS:
            raise SettingsError(f"there is no format {name!r}", hint=f"choose one of: {', '.join(EXPORTS)}")
    messages = Console(stderr=True, highlight=False, soft_wrap=True)
    raise typer.Exit(runs.each(folders, partial(_one, names=names), messages))


def _one(folder: Path, names: list[str]) -> Exit:
    found = segmenter.load(folder)
    for name in names:
        print(export(found, folder, name))
    return Exit.OK
