"""The command line: one file a command, thin over the library."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import version
from inspect import signature
from pathlib import Path
from typing import Annotated

import typer

from segmenter.cli import (
    ask,
    clips,
    doctor,
    evaluate,
    export,
    index,
    mcp,
    models,
    plot,
    report,
    run,
    search,
    topics,
    tune,
    watch,
    zones,
)
from segmenter.cli.exits import Exit, code_for, describe
from segmenter.errors import printable

app = typer.Typer(
    name="segmenter",
    help="Cut recordings into timestamped chunks: sentences, topics and events on one clock.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(run.run)
app.command()(watch.watch)
app.command()(report.report)
app.command()(clips.clips)
app.command()(zones.zones)
app.command()(plot.plot)
app.command("export")(export.export_results)
app.command()(topics.topics)
app.command()(index.index)
app.command()(search.search)
app.command()(ask.ask)
app.command()(mcp.mcp)
app.command()(tune.tune)
app.add_typer(evaluate.app, name="evaluate")
app.add_typer(models.app, name="models")
app.command()(doctor.doctor)


def _version(asked: bool) -> None:
    if asked:
        print(f"segmenter {version('segmenter')}")
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


def takes_debug(words: Sequence[str]) -> bool:
    """Whether the command has a use of its own for --debug: those that go on after an error have."""
    callbacks = [command.callback for command in app.registered_commands if command.callback]
    takers = {callback.__name__ for callback in callbacks if "debug" in signature(callback).parameters}
    return next((word for word in words if not word.startswith("-")), "") in takers


def hint_at_dashes(words: Sequence[str]) -> None:
    """A file whose name begins with a dash was read as options."""
    for word in words:
        if word.startswith("-") and Path(word).is_file():
            print(printable(f"hint: for the file {word} write ./{word}"), file=sys.stderr)


def main() -> None:
    """Run the command line: the only place that turns an error into a line and an exit status."""
    debug = "--debug" in sys.argv
    if debug and not takes_debug(sys.argv[1:]):
        sys.argv.remove("--debug")  # it may stand anywhere
    try:
        app()
    except SystemExit as end:
        if end.code == Exit.USAGE:
            hint_at_dashes(sys.argv[1:])
        raise
    except Exception as error:
        if debug:
            traceback.print_exc()
        print(describe(error), file=sys.stderr)
        raise SystemExit(code_for(error)) from None
