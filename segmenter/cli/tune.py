"""`segmenter tune`: settings that suit a user's own recordings, if any do better than the default."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from segmenter.cli import outputs, show, topic_options
from segmenter.errors import SettingsError
from segmenter.evaluate import corpus, own, retrieval, tuning
from segmenter.evaluate.questions import Material
from segmenter.evaluate.topics import interval
from segmenter.evaluate.tuning import Scores
from segmenter.retrieval.tools import tools_of
from segmenter.settings import Settings
from segmenter.topics.choosing import Embedders

_MEASURES = {
    "retrieval": "recall of the evidence, mean over 500, 1000 and 2000 tokens",
    "topics": "F1 of cuts within 3 sentences",
}


def tune(
    queries: Annotated[Path | None, typer.Option(help="Your questions and where they are answered, JSON Lines.")] = None,
    cuts: Annotated[Path | None, typer.Option(help="A few cuts that you would make, JSON Lines.")] = None,
    together: Annotated[bool, typer.Option("--together", help="Search all recordings of a language at once.")] = False,
    out: Annotated[Path, typer.Option("-o", "--out", help="The settings file, written if something beats the default.")] = Path(
        "segmenter.toml"
    ),
    as_json: Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")] = False,
    config: topic_options.Config = None,
) -> None:
    """Try strategies, sizes, representations and fusions on your own questions or cuts, cross-validated by recording."""
    if (queries is None) == (cuts is None):
        raise SettingsError("tune needs either --queries or --cuts", hint="docs/retrieval.md shows both files")
    outputs.writable(out, "settings file", ".toml")
    settings = topic_options.settings_of(config)
    if queries is not None:
        stage, candidates, scores = "retrieval", tuning.RETRIEVAL, on_queries(queries, settings, together)
    else:
        assert cuts is not None
        stage, candidates, scores = "topics", tuning.TOPICS, on_cuts(cuts, settings)
    choice = tuning.choose(scores)
    if choice.worth_it:
        out.write_text(tuning.toml(stage, candidates[choice.best]), encoding="utf-8")
    if as_json:
        print(json.dumps(_as_dict(scores, choice), ensure_ascii=True, allow_nan=False))
    else:
        show.console().print(_table(scores, _MEASURES[stage]))
        show.console().print(_verdict(choice, out))


def on_queries(path: Path, settings: Settings, together: bool) -> Scores:
    """Per candidate and recording, the mean recall of its questions over all budgets."""
    tools = tools_of(settings.topics)
    materials = [Material(one, tools) for one in own.asked(path) if one.sentences]
    scores = {}
    for name, changes in tuning.RETRIEVAL.items():
        changed = replace(settings.retrieval, **changes)
        rows = retrieval.evaluate(materials, ["default"], changed, together=together)["default"].rows
        of_recording: dict[str, list[float]] = {}
        for row in rows:
            recall = sum(row.scores[f"recall_{budget}"] for budget in retrieval.BUDGETS) / len(retrieval.BUDGETS)
            of_recording.setdefault(row.recording, []).append(recall)
        scores[name] = [sum(recalls) / len(recalls) for recalls in of_recording.values()]
    return scores


def on_cuts(path: Path, settings: Settings) -> Scores:
    """Per candidate and recording, how well its breaks agree with the cuts."""
    known, embedders = own.known(path), Embedders(settings.topics)
    scores = {}
    for name, changes in tuning.TOPICS.items():
        changed = replace(settings.topics, **changes)
        rows = corpus.evaluate(known, "coarse", [changed.rule], changed, embedders)[changed.rule].rows
        scores[name] = [row.scores["f1_3"] for row in rows]
    return scores


def _table(scores: Scores, measure: str) -> Table:
    """Best first, each with the interval of its difference to the default on the same recordings."""
    table = Table("candidate", measure, "against the default, 95 %", box=None, pad_edge=False)
    means = {name: sum(own) / len(own) for name, own in scores.items()}
    for name in sorted(means, key=lambda one: -means[one]):
        low, high = _difference(scores, name)
        table.add_row(name, f"{means[name]:.3f}", "" if name == tuning.DEFAULT else f"{low:+.3f} to {high:+.3f}")
    return table


def _difference(scores: Scores, name: str) -> tuple[float, float]:
    return interval([own - usual for own, usual in zip(scores[name], scores[tuning.DEFAULT], strict=True)])


def _verdict(choice: tuning.Choice, out: Path) -> str:
    gain = f"{choice.gain:+.3f} [{choice.low:+.3f}, {choice.high:+.3f}] on recordings that it was not chosen on"
    if choice.worth_it:
        return f"{choice.best}: {gain}; written to {out}, for --config of run, index and search"
    if choice.best == tuning.DEFAULT:
        return "nothing beats the default; nothing was written"
    return f"nothing beats the default: the best choice here, {choice.best}, brings {gain}; nothing was written"


def _as_dict(scores: Scores, choice: tuning.Choice) -> Mapping[str, Any]:
    candidates = {
        name: {"score": sum(own) / len(own), "against_default": _difference(scores, name)} for name, own in scores.items()
    }
    verdict = {"best": choice.best, "gain": choice.gain, "low": choice.low, "high": choice.high, "worth_it": choice.worth_it}
    return {"candidates": candidates, "choice": verdict}
