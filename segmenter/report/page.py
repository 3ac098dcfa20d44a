"""`report.html`: one self-contained page, without a network, under a strict content security policy."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import jinja2
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from segmenter.errors import printable
from segmenter.formats import clips_json, stills_json
from segmenter.formats.stills_json import chunk_name, event_name
from segmenter.progress import Progress, silent
from segmenter.records import Finding, Segmentation
from segmenter.report import waveform
from segmenter.report.data import page_data
from segmenter.settings import Settings
from segmenter.timeline import clock

_EMBEDDED_BYTES = 4_000_000  # of stills inside the page; of more than that, a page only links to them
_SCRIPTS = ("base", "player", "window", "lanes", "hover", "timeline", "cards", "list", "filters", "main")


def write(
    segmentation: Segmentation,
    path: Path,
    pictures: Path | None = None,
    clips: Path | None = None,
    progress: Progress = silent,
) -> None:
    """The page of a finished run; its stills (`pictures`) and clips lie in folders of that name, by default beside it."""
    links = _links(segmentation, pictures or path.parent / "stills")
    cut = clips_json.read(clips or path.parent / clips_json.FOLDER)
    data = page_data(segmentation, path.parent, links, waveform.peaks(segmentation.recording, progress), cut)
    path.write_text(render(segmentation, data), encoding="utf-8", newline="\n")


def render(segmentation: Segmentation, data: Mapping[str, object]) -> str:
    """The HTML text; everything from the recording is escaped."""
    style, script = _style(), _script()
    return _template().render(
        name=printable(segmentation.recording.title or Path(segmentation.recording.path).name),
        file=printable(Path(segmentation.recording.path).name),
        found=segmentation,
        findings=sorted(segmentation.health, key=_gravity),
        counts=_counts(segmentation),
        settings=_settings(segmentation),
        streams=_streams(segmentation),
        data=htmlsafe_json_dumps(data),
        style=Markup(style),
        script=Markup(script),
        policy=_policy(style, script),
        version=version("segmenter"),
    )


def _links(found: Segmentation, folder: Path) -> dict[str, str]:
    """Small pictures as data: addresses, or relative links where they are too many; pictures alike share one file."""
    shown = {*(chunk_name(i) for i in range(len(found.chunks))), *(event_name(event.id) for event in found.events)}
    files = {name: folder / taken["file"] for name, taken in stills_json.read(folder).items() if name in shown}
    there = {file for file in files.values() if file.is_file()}
    if sum(file.stat().st_size for file in there) > _EMBEDDED_BYTES:
        return {name: f"stills/{file.name}" for name, file in files.items() if file in there}
    inside = {file: f"data:image/jpeg;base64,{base64.b64encode(file.read_bytes()).decode('ascii')}" for file in there}
    return {name: inside[file] for name, file in files.items() if file in there}


# --- the facts that the page states beside the timeline -------------------------------------------------------------


def _counts(found: Segmentation) -> list[tuple[int, str]]:
    counted = {"chunk": found.chunks, "sentence": found.sentences, "topic break": found.topic_breaks, "event": found.events}
    return [(len(records), what if len(records) == 1 else f"{what}s") for what, records in counted.items()]


def _gravity(finding: Finding) -> tuple[bool, float]:
    """Warnings first, then by time."""
    return finding.level != "warning", finding.start or 0.0


def _settings(found: Segmentation) -> dict[str, list[tuple[str, str, bool]]]:
    """Stage -> name, value, whether it is the default."""
    usual = Settings().as_dict()
    rows: dict[str, list[tuple[str, str, bool]]] = {}
    for stage, values in found.settings.items():
        assert isinstance(values, Mapping)
        known = usual.get(stage, {})
        rows[stage] = [(name, _value(value), _value(known.get(name)) == _value(value)) for name, value in values.items()]
    return rows


def _value(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return "not set" if value is None else printable(str(value))


def _streams(found: Segmentation) -> list[str]:
    video = [f"{v.codec} video, {v.width_px} × {v.height_px} px" for v in found.recording.video]
    audio = [f"{a.codec} audio, {a.sample_rate_hz / 1000:g} kHz, {a.channels} ch" for a in found.recording.audio]
    return video + audio


# --- assets ----------------------------------------------------------------------------------------------------


@cache
def _asset(name: str) -> str:
    return (files("segmenter.report") / "assets" / name).read_text(encoding="utf-8")


def _style() -> str:
    return _asset("page.css") + _asset("cards.css")


def _script() -> str:
    """All scripts in one function of their own."""
    return '(() => {\n"use strict";\n' + "\n".join(_asset(f"{name}.js") for name in _SCRIPTS) + "\n})();"


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters["clock"] = lambda seconds: clock(seconds, 0)
    return environment.from_string(_asset("page.html.jinja"))


def _policy(style: str, script: str) -> str:
    """Nothing but this very style and script; pictures and the recording from the disk or the same place."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "img-src data: 'self' file:",
            "media-src 'self' file: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
