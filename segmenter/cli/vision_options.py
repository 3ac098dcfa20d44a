"""The options that say how to look: those of `segmenter run` and `segmenter watch`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segmenter import zoning
from segmenter.settings import Settings
from segmenter.vision.tracker import TRACKERS

Tracker = Annotated[str | None, typer.Option(help=f"{' or '.join(TRACKERS)} (needs no weights).")]
Yolo = Annotated[str | None, typer.Option(help="YOLO weights: a known name, or a path.")]
Labels = Annotated[str | None, typer.Option(help="What to look for, with commas: person,car,dog.")]
Zones = Annotated[Path | None, typer.Option(help="Zones and lines of the camera, TOML or JSON: see segmenter zones.")]


def changed(settings: Settings, tracker: str | None, yolo: str | None, labels: str | None, zones: Path | None) -> Settings:
    """The settings with the options that are given.

    Raises:
        typer.BadParameter: the labels are none, or nobody would look for them.
        SettingsError: an impossible value, or the zones cannot be read.
    """
    settings = settings.changed("vision", tracker=tracker, weights=yolo, labels=_names(labels))
    if labels is not None and settings.vision.tracker == "motion":
        raise typer.BadParameter("the tracker motion knows no labels: all that moves is seen", param_hint="--labels")
    if zones is not None:
        drawn = zoning.read(zones)
        settings = settings.changed("vision", zones=drawn.zones, lines=drawn.lines)
    return settings


def _names(labels: str | None) -> tuple[str, ...] | None:
    if labels is None:
        return None
    names = tuple(name.strip() for name in labels.split(",") if name.strip())
    if not names:
        raise typer.BadParameter("no label in it: nothing would be seen", param_hint="--labels")
    return names
