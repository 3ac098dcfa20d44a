"""`segmenter evaluate`: how well the program does on recordings with known truth."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from segmenter.cli import evaluate_events, evaluate_retrieval, show, topic_options
from segmenter.errors import SettingsError
from segmenter.evaluate import corpus, own
from segmenter.topics import breaks, untimed
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
    topic_min: topic_options.Least = None,
    topic_max: topic_options.Most = None,
    language: Annotated[str | None, typer.Option(help="Only recordings in this language.")] = None,
    no_speakers: Annotated[bool, typer.Option("--no-speakers", help="Take the speakers' names away first.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="All figures, each recording's too, as one JSON object.")] = False,
    config: topic_options.Config = None,
) -> None:
    """Break rules against known topics, beside never cutting, even and random cuts: Pk, WindowDiff, F1.

    A recording may have no true break: it is on one topic, and what is made in it is shown.
    """
    if level not in corpus.LEVELS:
        raise SettingsError(f"there is no level {level!r}", hint=f"choose one of: {', '.join(corpus.LEVELS)}")
    rules = [name.strip() for name in strategy.split(",") if name.strip() and name.strip() not in corpus.BASELINES]
    vectors_needed = [breaks.check_rule(name).needs == "vectors" for name in rules]
    settings = topic_options.changed(topic_options.settings_of(config), None, granularity, topic_length, topics_count)
    settings = topic_options.limited(settings, topic_min, topic_max)
    spoken = [one for one in own.known(path) if language in (None, one.language)]
    known, findings = corpus.at_level(spoken, level)
    known = [corpus.without_speakers(one) for one in known] if no_speakers else known
    findings += [] if all(one.timed for one in known) else untimed.not_kept(settings.topics)
    show.tell(findings)
    results = corpus.evaluate(known, level, rules, settings.topics, Embedders(settings.topics) if any(vectors_needed) else None)
    if as_json:
        print(json.dumps(corpus.as_dict(results), ensure_ascii=True, allow_nan=False))
    else:
        show.console(_COLUMNS).print(_table(results))


def _table(results: Mapping[str, corpus.Result]) -> Table:
    """A row for each strategy, and one for each language where there are several; columns that would be empty are left out."""
    there = results["none"].overall()
    columns = [column for column in _FIGURES if column.shown(there)]
    table = Table("strategy", *(column.head for column in columns), "worse than none", "Pk 95 %", box=None, pad_edge=False)
    languages = results["none"].languages
    for strategy, result in results.items():
        low, high = result.interval("pk")
        harm = f"{result.harmed(results['none'])}/{there['recordings']}"
        figures = result.overall()
        table.add_row(strategy, *(column.figure(figures) for column in columns), harm, f"{low:.3f} to {high:.3f}")
        for language in languages if len(languages) > 1 else []:
            figures = result.overall(language)
            table.add_row(f"  {language or 'unknown'}", *(column.figure(figures) for column in columns))
    return table


@dataclass(frozen=True, slots=True)
class _Column:
    """`shown`: whether the recordings give something to show in it."""

    head: str
    figure: Callable[[Mapping[str, float]], str]
    shown: Callable[[Mapping[str, float]], object] = lambda _: True


def _mean(head: str, name: str) -> _Column:
    return _Column(head, lambda means: f"{means[name]:.3f}" if name in means else "", lambda means: name in means)


_COLUMNS = 150  # all of the table's
_FIGURES = (
    _mean("Pk", "pk"),
    _mean("WindowDiff", "window_diff"),
    _mean("B", "boundary_similarity"),
    _mean("F1 ±3", "f1_3"),
    _mean("F1 ±1", "f1_1"),
    _mean("F1 exact", "f1_0"),
    _mean("F1 3 s", "f1_3s"),
    _mean("F1 6 s", "f1_6s"),
    _Column("made/true", lambda found: f"{found['made']}/{found['true']}"),
    _Column("a text", lambda found: f"{found['made'] / found['recordings']:.2f}"),
    _Column(
        "in one topic",
        lambda found: f"{found['made_in_whole'] / found['whole']:.2f}" if found["whole"] else "",
        lambda found: found["whole"],
    ),
)
