"""The finished runs that commands are given: folders of runs, or folders that hold such."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from segmenter.cli.exits import Exit, code_for, describe, overall
from segmenter.errors import SegmenterError, SettingsError
from segmenter.formats.folder import finished

Places = Annotated[
    list[Path], typer.Argument(metavar="DIR...", help="Folders that segmenter run has written, or that hold such.")
]


def each(places: Sequence[Path], work: Callable[[Path], Exit], messages: Console) -> Exit:
    """`work` on every finished run in these places, each once; what fails is told and does not stop the others."""
    codes: list[Exit] = []
    met: set[Path] = set()
    for place in places:
        with _told(codes, messages):
            for run in finished(place):
                if run.resolve() not in met:
                    met.add(run.resolve())
                    with _told(codes, messages):
                        codes.append(work(run))
    return overall(codes)


@contextmanager
def _told(codes: list[Exit], messages: Console) -> Iterator[None]:
    try:
        yield
    except SegmenterError as error:
        messages.print(Text(describe(error)), style="red")
        codes.append(code_for(error))


def one(place: Path) -> Path:
    """The only finished run in `place`.

    Raises:
        NotAFile: there is none.
        SettingsError: there are several.
    """
    found = finished(place)
    if len(found) > 1:
        names = ", ".join(run.name for run in found[:5])
        raise SettingsError(f"{len(found)} finished runs are in it", path=place, hint=f"give one of them: {names}")
    return found[0]
