"""`segmenter zones`: the zones of a camera drawn on a picture of its recording, to see whether they are right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segmenter import zoning
from segmenter.cli import outputs, topic_options
from segmenter.errors import BadInput, SettingsError
from segmenter.timeline import clock


def zones(
    recording: Annotated[Path, typer.Argument(metavar="RECORDING", help="A recording of the camera.")],
    file: Annotated[Path, typer.Option("--zones", help="Zones and lines, TOML or JSON.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The picture to write, JPEG.")] = Path("zones.jpg"),
    at: Annotated[
        float | None, typer.Option(parser=topic_options.seconds, metavar="TIME", help="Which moment; default: the middle.")
    ] = None,
) -> None:
    """Draw zones and lines on a picture of a recording."""
    from segmenter.media.probe import probe
    from segmenter.media.stills import pictures_at
    from segmenter.report import drawing

    outputs.writable(out, "JPEG picture", ".jpg", ".jpeg")
    drawn = zoning.read(file)
    found = probe(recording, lambda _: None)
    if not found.video:
        raise BadInput("no picture in it", path=recording)
    time = found.duration / 2 if at is None else at
    if not 0 <= time <= found.duration:
        raise SettingsError(f"--at {time:g} s lies outside of it: it is {found.duration:.1f} s long", path=recording)
    (picture,) = pictures_at(found, found.video[0], [time], width_px=_WIDTH_PX)
    if picture is None:
        raise BadInput(f"no picture can be decoded at {clock(time, 0)}", path=recording)
    drawing.save(drawing.with_zones(drawing.as_image(picture), drawn.zones, drawn.lines), out)
    print(out)


_WIDTH_PX = 1280
