"""`segmenter plot`: a finished run as a figure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import segmenter
from segmenter.cli import outputs, runs


def plot(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that segmenter run has written.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The figure to write: SVG, PNG or PDF, by its name.")],
) -> None:
    """Draw the similarity of sentences, the topic curve, the events and the lengths of the chunks."""
    from segmenter.report import plots

    outputs.writable(out, "figure", ".svg", ".png", ".pdf")
    found = segmenter.load(runs.one(folder))
    plots.write(found, plots.vectors(found), out)
    print(out)
