"""`segmenter evaluate retrieval`: strategies side by side on transcripts with known evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from segmenter.cli import show, topic_options
from segmenter.errors import SettingsError
from segmenter.evaluate import retrieval as measured
from segmenter.evaluate.judging import JUDGED, Judge
from segmenter.evaluate.questions import Material, read
from segmenter.evaluate.retrieval import BUDGETS, Result
from segmenter.evaluate.strategies import STRATEGIES, strategy
from segmenter.retrieval.tools import tools_of
from segmenter.topics import embedder

USUAL = "default,fixed256,fixed256_words"


def retrieval(
    path: Annotated[Path, typer.Argument(metavar="CORPUS", help="Transcripts with questions, JSON Lines, .gz or not.")],
    strategies: Annotated[str, typer.Option("--strategy", help="Strategies, with commas; `all`, or `list`.")] = USUAL,
    together: Annotated[bool, typer.Option("--together", help="Search all recordings of a language at once.")] = False,
    language: Annotated[str | None, typer.Option(help="Only recordings in this language.")] = None,
    budget: Annotated[str, typer.Option(help="Tokens returned, with commas.")] = ",".join(map(str, BUDGETS)),
    judged: Annotated[
        bool, typer.Option("--judge", help="Let the model on the server of [ask] judge the first budget, by ragas.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")] = False,
    config: topic_options.Config = None,
) -> None:
    """How much of the evidence comes back for so many tokens, per strategy, with intervals and costs."""
    if strategies == "list":
        show.console().print(_known())
        return
    names = list(STRATEGIES) if strategies == "all" else [name.strip() for name in strategies.split(",") if name.strip()]
    for name in names:
        strategy(name)
    budgets = _budgets(budget)
    settings = topic_options.settings_of(config)
    judge = Judge(settings.ask) if judged else None
    tools = tools_of(settings.topics)
    materials = [Material(one, tools) for one in read(path) if language in (None, one.language) and one.sentences]
    results = measured.evaluate(materials, names, settings.retrieval, budgets, together, judge=judge)
    speed = measured.seconds_a_token(materials, embedder.fresh(settings.topics, tools.model).embed)
    if as_json:
        print(json.dumps(measured.as_dict(results, budgets, together, speed), ensure_ascii=True, allow_nan=False))
    else:
        for table in (_recalls(results, budgets), *([_verdicts(results)] if judge else []), _costs(results, speed)):
            show.console().print(table)


def _budgets(text: str) -> list[int]:
    try:
        budgets = [int(part) for part in text.split(",")]
    except ValueError as error:
        raise SettingsError(f"--budget {text!r} is no list of numbers", hint="for example 500,1000,2000") from error
    if min(budgets) < 1:
        raise SettingsError(f"--budget {text} must be positive")
    return budgets


def _known() -> Table:
    table = Table("strategy", "what it does", box=None, pad_edge=False)
    for name, row in STRATEGIES.items():
        table.add_row(name, row.about)
    return table


def _recalls(results: Mapping[str, Result], budgets: Sequence[int]) -> Table:
    """Recall and precision per budget, and how recall differs from the first rival that was asked for, with 95 %."""
    rival = next((name for name in measured.RIVALS if name in results), None)
    at = "/".join(map(str, budgets))
    columns = [f"recall {at}", "precision", *([f"difference to {rival}, 95 %"] if rival else [])]
    table = Table("strategy", *columns, box=None, pad_edge=False)
    for name, result in results.items():
        overall = result.overall()
        figures = ["/".join(_short(overall[f"{kind}_{b}"]) for b in budgets) for kind in ("recall", "precision")]
        against = _against(result, results[rival], budgets) if rival and name != rival else ""
        table.add_row(name, *figures, *([against] if rival else []))
    return table


def _short(value: float, sign: str = "") -> str:
    return f"{value:{sign}.3f}".replace("0.", ".", 1)


def _against(result: Result, rival: Result, budgets: Sequence[int]) -> str:
    found = measured.differences(result, rival, [f"recall_{b}" for b in budgets]).values()
    return escape("  ".join(f"{_short(one['difference'], '+')} [{_short(one['low'])}, {_short(one['high'])}]" for one in found))


def _verdicts(results: Mapping[str, Result]) -> Table:
    table = Table("strategy", *(name.replace("_", " ") for name in JUDGED), box=None, pad_edge=False)
    for name, result in results.items():
        overall = result.overall()
        table.add_row(name, *(f"{overall[one]:.3f}" if one in overall else "" for one in JUDGED))
    return table


def _costs(results: Mapping[str, Result], speed: float) -> Table:
    columns = ("strategy", "chunks", "tokens embedded", "embedding", "index", "query p50", "query p95", "MRR", "nDCG@10")
    table = Table(*columns, box=None, pad_edge=False)
    for name, result in results.items():
        costs, overall = result.costs.as_dict(speed), result.overall()
        table.add_row(
            name,
            f"{costs['chunks']}",
            f"{costs['tokens_embedded']}",
            f"{costs['embedding_s']:.0f} s",
            f"{costs['index_bytes'] / 1e6:.1f} MB",
            f"{1000 * costs['query_p50_s']:.1f} ms",
            f"{1000 * costs['query_p95_s']:.1f} ms",
            f"{overall['mrr']:.3f}",
            f"{overall['ndcg_at_10']:.3f}",
        )
    return table
