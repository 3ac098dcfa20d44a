"""`segmenter models`: which weights there are, where they lie, and bringing them here."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from segmenter.cli.exits import Exit
from segmenter.errors import ModelMissing
from segmenter.settings import Settings
from segmenter.weights import catalogue, fetching, store
from segmenter.weights.catalogue import Model
from segmenter.weights.sources import Report

app = typer.Typer(help="The models' weights: list, fetch, verify.", no_args_is_help=True)


def default_models() -> tuple[str, str, str]:
    """What the default settings need: transcriber, embedder, tracker."""
    settings = Settings()
    return f"{settings.speech.transcriber}/{settings.speech.model}", settings.topics.embedder, settings.vision.weights


def where(model: Model) -> str:
    """Where the model's weights are, or what is wrong, marked up for the console."""
    try:
        found = store.resolve(model, model.name)
    except ModelMissing as error:
        return f"[red]{error.what}[/red]" if error.path else "[yellow]missing[/yellow]"
    return "cache" if Path(found.path).is_relative_to(store.cache_folder()) else escape(found.path)


@app.command("list")
def list_models() -> None:
    """Every model known by name: what it is for, its size and licence, and where it is."""
    table = Table("name", "for", "size", "licence", "where", box=None, pad_edge=False)
    for column in (table.columns[0], table.columns[2], table.columns[3]):
        column.no_wrap = True
    for model in catalogue.known().values():
        table.add_row(model.name, model.about, f"{model.megabytes} MB", model.licence, where(model))
    console = Console()
    console.print(table)
    console.print(f"cache: {store.cache_folder() / 'models'}", highlight=False, markup=False, soft_wrap=True)


@contextlib.contextmanager
def _bars(console: Console) -> Iterator[Report]:
    """A bar a file on a terminal; nothing where nobody watches."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        tasks: dict[str, TaskID] = {}

        def report(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=None)
            progress.update(tasks[what], completed=done, total=total or None)

        yield report


def _fetch_all(names: Iterable[str], console: Console) -> list[ModelMissing]:
    failed = []
    for model in map(catalogue.find, names):
        console.print(f"{model.name} ({model.megabytes} MB)", highlight=False)
        try:
            with _bars(console) as report:
                found = fetching.fetch(model.name, report)
            console.print(f"  {found.path}, {found.source}", highlight=False, markup=False, soft_wrap=True)
        except ModelMissing as error:
            failed.append(error)
            console.print(f"  {error}", style="red", highlight=False, markup=False, soft_wrap=True)
    return failed


@app.command()
def fetch(
    names: Annotated[list[str] | None, typer.Argument(help="Models by name; without any, those of the default settings.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every model of the catalogue.")] = False,
) -> None:
    """Bring weights to this machine, checked. What is here already is left as it is."""
    wanted = tuple(catalogue.known()) if everything else tuple(names or default_models())
    if _fetch_all(wanted, Console(stderr=True)):
        raise typer.Exit(Exit.MODEL)


def _verdict(model: Model) -> tuple[str, bool]:
    """What `verify` says of a model, and whether it is as it should be."""
    try:
        found = store.resolve(model, model.name)
    except ModelMissing as error:
        return (f"[red]{error.what}[/red]", False) if error.path else ("missing", True)
    if found.source == store.TRUSTED:
        return f"yours, not checked: SHA-256 {found.sha256}", True
    folder = store.place_of(model)
    wrong = store.check(folder, store.wanted(model, folder))
    return (f"[red]{wrong[0].path.name}: {wrong[0]}[/red]", False) if wrong else (f"right: SHA-256 {found.sha256}", True)


@app.command()
def verify() -> None:
    """Compare every file that is here with the hash it must have."""
    console, verdicts = Console(), {model.name: _verdict(model) for model in catalogue.known().values()}
    for name, (verdict, _) in verdicts.items():
        console.print(f"{name}: {verdict}", highlight=False, soft_wrap=True)
    if not all(right for _, right in verdicts.values()):
        raise typer.Exit(Exit.MODEL)
