"""The command line: one file a command, thin over the library."""

from __future__ import annotations

import sys
import traceback
from importlib.metadata import version
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
from segmenter.cli.exits import code_for, describe

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


def main() -> None:
    """Run the command line: the only place that turns an error into a line and an exit status."""
    try:
        app()
    except Exception as error:
        if "--debug" in sys.argv:
            traceback.print_exc()
        print(describe(error), file=sys.stderr)
        raise SystemExit(code_for(error)) from None
