"""`segmenter evaluate`: how well the program does on recordings with known truth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from segmenter.cli import evaluate_events, evaluate_retrieval, show, topic_options
from segmenter.errors import SettingsError
from segmenter.evaluate import corpus
from segmenter.topics import breaks
from segmenter.topics.choosing import Embedders

app = typer.Typer(help="Measure on recordings with known truth.", no_args_is_help=True)
app.command("events")(evaluate_events.events)
app.command("retrieval")(evaluate_retrieval.retrieval)


@app.callback()
def evaluate() -> None:
    pass


@app.command()
def topics(
    path: Annotated[Path, typer.Argument(metavar="CORPUS", help="Transcripts with known topics, JSON Lines, .gz or not.")],
    strategy: Annotated[str, typer.Option(help="Rules, with commas.")] = "default,percentile",
    level: Annotated[str, typer.Option(help="Which true breaks: coarse or fine.")] = "coarse",
    granularity: topic_options.Level = None,
    topic_length: topic_options.Length = None,
    topics_count: topic_options.Count = None,
    language: Annotated[str | None, typer.Option(help="Only recordings in this language.")] = None,
    no_speakers: Annotated[bool, typer.Option("--no-speakers", help="Take the speakers' names away first.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="All figures, each recording's too, as one JSON object.")] = False,
    config: topic_options.Config = None,
) -> None:
    """Break rules against known topics, beside never cutting, even and random cuts: Pk, WindowDiff, F1."""
    if level not in corpus.LEVELS:
        raise SettingsError(f"there is no level {level!r}", hint=f"choose one of: {', '.join(corpus.LEVELS)}")
    rules = [name.strip() for name in strategy.split(",") if name.strip()]
    vectors_needed = [breaks.check_rule(name).needs == "vectors" for name in rules]
    settings = topic_options.changed(topic_options.settings_of(config), None, granularity, topic_length, topics_count).topics
    known = [one for one in corpus.read(path) if language in (None, one.language) and any(one.boundaries.values())]
    known = [corpus.without_speakers(one) for one in known] if no_speakers else known
    results = corpus.evaluate(known, level, rules, settings, Embedders(settings) if any(vectors_needed) else None)
    if as_json:
        print(json.dumps(corpus.as_dict(results), ensure_ascii=True, allow_nan=False))
    else:
        show.console().print(_table(results))


def _table(results: Mapping[str, corpus.Result]) -> Table:
    columns = ("strategy", "Pk", "WindowDiff", "B", "F1 ±3", "F1 ±1", "F1 exact", "made/true", "Pk 95 %")
    table = Table(*columns, box=None, pad_edge=False)
    names = ("pk", "window_diff", "boundary_similarity", "f1_3", "f1_1", "f1_0")
    for strategy, result in results.items():
        overall = result.overall()
        low, high = result.interval("pk")
        figures = (f"{overall[name]:.3f}" for name in names)
        table.add_row(strategy, *figures, f"{overall['made']}/{overall['true']}", f"{low:.3f} to {high:.3f}")
    return table
