"""`segmenter plot`: a finished run as a figure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import segmenter
from segmenter.errors import SettingsError

_KINDS = (".svg", ".png", ".pdf")


def plot(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that segmenter run has written.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The figure to write: SVG, PNG or PDF, by its name.")],
) -> None:
    """Draw the similarity of sentences, the topic curve, the events and the lengths of the chunks."""
    from segmenter.report import plots

    if out.suffix.lower() not in _KINDS:
        raise SettingsError(f"{out.name}: no kind of figure that can be written", hint=f"end the name with {', '.join(_KINDS)}")
    found = segmenter.load(folder)
    plots.write(found, plots.vectors(found), out)
    print(out)
