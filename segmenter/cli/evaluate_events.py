"""`segmenter evaluate events`: found events against true ones, recording by recording and in all."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from segmenter.cli import show, topic_options
from segmenter.cli.exits import Exit, code_for, describe
from segmenter.errors import SettingsError
from segmenter.evaluate import events as scores
from segmenter.evaluate import tracks
from segmenter.vision.tracker import TRACKERS

if TYPE_CHECKING:
    from segmenter.evaluate import event_corpus


def events(
    truth: Annotated[Path, typer.Argument(metavar="TRUTH", help="Known events, JSON, beside their recordings.")],
    recording: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this one; may be given again.")] = None,
    found: Annotated[Path | None, typer.Option(metavar="DIR", help="Results of run, instead of looking again.")] = None,
    mot: Annotated[Path | None, typer.Option(metavar="DIR", help="True tracks, MOT text: NAME.txt or NAME/gt/gt.txt.")] = None,
    tracker: Annotated[str | None, typer.Option(help=f"{' or '.join(TRACKERS)}.")] = None,
    yolo: Annotated[str | None, typer.Option(help="YOLO weights: a known name, or a path.")] = None,
    overlap: Annotated[str, typer.Option(help="How much of two events must be common to both, with commas.")] = "0.3,0.5,0.75",
    as_json: Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")] = False,
    config: topic_options.Config = None,
) -> None:
    """Found events against true ones: F1 at several overlaps, errors of the edges, split, glued and missed events."""
    from segmenter.evaluate import event_corpus

    overlaps = _overlaps(overlap)
    settings = topic_options.settings_of(config).changed("vision", tracker=tracker, weights=yolo)
    known = event_corpus.chosen(event_corpus.read(truth), recording or [])
    with TemporaryDirectory() as place:
        find = event_corpus.by_looking(settings, Path(place)) if found is None else event_corpus.from_results(found)
        measured = _Measured(find, mot, overlaps)
        for one in known:
            measured.add(one)
    rows, overall = measured.figures()
    if as_json:
        print(json.dumps({"recordings": rows, "overall": overall}, ensure_ascii=True, allow_nan=False))
    else:
        show.console().print(_table({**rows, "all": overall} if overall else rows, overlaps, mot is not None))
    raise typer.Exit(max(measured.codes))


@dataclass(slots=True)
class _Measured:
    """What came out, recording by recording: one that fails does not stop the others."""

    find: event_corpus.Finder
    mot: Path | None
    overlaps: tuple[float, ...]
    parts: list[scores.Agreement] = field(default_factory=list)
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    tracks: dict[str, Any] = field(default_factory=dict)
    codes: list[Exit] = field(default_factory=lambda: [Exit.OK])

    def add(self, known: event_corpus.Known) -> None:
        try:
            self.rows[known.name] = self._measure(known)
        except Exception as error:
            self.rows[known.name] = {"error": describe(error).removeprefix("error: ")}
            messages = Console(stderr=True, highlight=False, soft_wrap=True)
            messages.print(Text(f"{known.name}: {describe(error)}"), style="red")
            self.codes.append(code_for(error))

    def _measure(self, known: event_corpus.Known) -> dict[str, Any]:
        from segmenter.evaluate import event_corpus

        began, worked = time.perf_counter(), time.process_time()
        found = self.find(known)
        cost = {"wall_s": time.perf_counter() - began, "cpu_s": time.process_time() - worked}
        true_tracks = event_corpus.mot_truth(self.mot, known) if self.mot is not None else None
        if true_tracks is not None:
            self.tracks[known.name] = event_corpus.compared_tracks(found, true_tracks)
        seen = found.segmentation.events
        part = scores.agreement(seen, known.events, known.duration, self.overlaps)
        self.parts.append(part)
        return {**part.figures(), "duration": known.duration, **cost, "events": [[event.start, event.end] for event in seen]}

    def figures(self) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
        """Each recording's, and those of all together; none of these where every recording failed."""
        overall: dict[str, Any] = {}
        if self.parts:
            overall = {**scores.together(self.parts).figures(), "recordings": len(self.parts)}
        if self.tracks:
            for name, row in tracks.figures(self.tracks).items():
                (overall if name == "all" else self.rows[name])["tracks"] = row
        return self.rows, overall


def _overlaps(text: str) -> tuple[float, ...]:
    try:
        given = tuple(float(part) for part in text.split(",") if part.strip())
    except ValueError:
        given = ()
    if not given or not all(0 < one <= 1 for one in given):
        raise SettingsError(f"--overlap {text}: no shares between 0 and 1", hint="write for example 0.3,0.5,0.75")
    return given


def _table(rows: Mapping[str, Mapping[str, Any]], overlaps: tuple[float, ...], with_tracks: bool) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("recording", no_wrap=True)
    edges = ("edges, s: 50 %", "90 %", "worst")
    tracked = ("MOTA", "IDF1") if with_tracks else ()
    for name in (*(f"F1 {one:g}" for one in overlaps), *edges, "found/true", "split", "glued", "missed s", "cpu s", *tracked):
        table.add_column(name)
    for name, row in rows.items():
        table.add_row(name, *(["failed"] if "error" in row else _cells(row, overlaps)))
    return table


def _cells(row: Mapping[str, Any], overlaps: tuple[float, ...]) -> list[str]:
    figures = [row[f"f1_{round(100 * overlap)}"] for overlap in overlaps]
    edges = [row[name] for name in ("edge_median", "edge_90", "edge_worst")]
    counts = [f"{row['found']}/{row['true']}", str(row["split"]), str(row["glued"]), f"{row['missed_s']:.1f}"]
    tracked = row.get("tracks", {})
    cost = f"{row['cpu_s']:.1f}" if "cpu_s" in row else ""
    return [*map(_figure, (*figures, *edges)), *counts, cost, *(_figure(tracked[name]) for name in ("mota", "idf1") if tracked)]


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
