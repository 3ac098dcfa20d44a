"""The options for topics that several commands share, and the settings they make."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from segmenter.settings import Granularity, Settings
from segmenter.timeline import parse_time
from segmenter.topics.breaks import RULES

_UNITS = {"min": 60.0, "m": 60.0, "h": 3600.0}


def seconds(text: str) -> float:
    """`3min`, `1.5h`, `90`, `90s`, `1:30`."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(min|m|h)", text.strip())
    try:
        return float(match[1]) * _UNITS[match[2]] if match else parse_time(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is no length of time; write 3min, 90s or 1:30") from error


def size(text: str) -> tuple[str, float]:
    """A size and its unit: `90s`, `5min`, `12 sentences`, `300 tokens`."""
    match = re.fullmatch(r"(\d+)\s*(sentence|token)s?", text.strip())
    return (f"{match[2]}s", int(match[1])) if match else ("s", seconds(text))


def _level(text: str) -> str:
    if text not in get_args(Granularity):
        raise typer.BadParameter(f"choose one of: {', '.join(get_args(Granularity))}")
    return text


Rule = Annotated[str | None, typer.Option("--topics", help=f"Rule for topic breaks: {', '.join(RULES)}.")]
Level = Annotated[
    str | None, typer.Option("--granularity", callback=lambda text: text and _level(text), help="coarse, medium or fine.")
]
Length = Annotated[str | None, typer.Option("--topic-length", help="As many topics as make this length: 3min, 90s.")]
Count = Annotated[int | None, typer.Option("--topics-count", min=1, help="So many topics.")]
Least = Annotated[
    list[str] | None, typer.Option("--topic-min", metavar="SIZE", help="No topic is shorter: 30s, 3sentences, 50tokens.")
]
Most = Annotated[
    list[str] | None, typer.Option("--topic-max", metavar="SIZE", help="Longer topics are split: 5min, 40sentences, 512tokens.")
]
Config = Annotated[Path | None, typer.Option("--config", help="Settings in a TOML file; options given here win.")]


def changed(settings: Settings, rule: str | None, level: str | None, length: str | None, count: int | None) -> Settings:
    """The settings with the options that are given; one that says how many topics there are wins over the file's other ways.

    Raises:
        typer.BadParameter: several of them are given, or one to a rule that has none.
        SettingsError: an impossible value.
    """
    ways = {"--granularity": level, "--topic-length": length, "--topics-count": count}
    given = [name for name, value in ways.items() if value is not None]
    if len(given) > 1:
        raise typer.BadParameter("they say different things of how many topics there are: give one of them", param_hint=given)
    chosen = rule or settings.topics.rule
    if level is not None and chosen != "default":
        raise typer.BadParameter(f"the rule {chosen} has none, only default has", param_hint="--granularity")
    if given:
        settings = replace(settings, topics=replace(settings.topics, topics_count=None, topic_length_s=None))
    values: dict[str, Any] = {"rule": rule, "granularity": level, "topics_count": count}
    return settings.changed("topics", **values, topic_length_s=None if length is None else seconds(length))


def limited(settings: Settings, least: list[str] | None, most: list[str] | None) -> Settings:
    """The settings with the sizes of topics that are given, one for each unit.

    Raises:
        typer.BadParameter: no size.
        SettingsError: a maximum below its minimum.
    """
    pairs = [("min", size(text)) for text in least or ()] + [("max", size(text)) for text in most or ()]
    return settings.changed("topics", **{f"{end}_{unit}": value for end, (unit, value) in pairs})


def settings_of(config: Path | None) -> Settings:
    return Settings() if config is None else Settings.from_toml(config)
