"""A segmentation on the terminal: the table of its chunks, and what the user should know."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from segmenter.errors import printable
from segmenter.formats.title import title
from segmenter.records import Boundary, Finding, Segmentation
from segmenter.timeline import clock

_COLUMNS = 120  # where nobody says
_LEAST_COLUMNS = 80  # in fewer, columns would go without a word


def console(columns: int = _COLUMNS) -> Console:
    """Standard output, wide enough for a table; a terminal that is narrower than one can be wraps its lines."""
    made = Console()
    return Console(width=max(made.width, _LEAST_COLUMNS) if made.is_terminal else columns)


def chunk_table(segmentation: Segmentation) -> Table:
    """One row a chunk: when, how long, what kind, its first words or labels, why it begins here."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("start", justify="right", no_wrap=True, min_width=5)
    table.add_column("length", justify="right", no_wrap=True, min_width=7)
    table.add_column("kind", no_wrap=True, min_width=5)
    table.add_column("what", ratio=1, no_wrap=True, overflow="ellipsis")
    table.add_column("in view", no_wrap=True, overflow="ellipsis", max_width=20)
    table.add_column("begins because", no_wrap=True, min_width=14)
    for chunk, opening in zip(segmentation.chunks, segmentation.boundaries, strict=False):
        table.add_row(
            clock(chunk.start, 0),
            f"{chunk.end - chunk.start:.1f} s",
            chunk.kind,
            Text(title(chunk)),
            Text(", ".join(chunk.labels)),
            _why(opening),
        )
    return table


def _why(boundary: Boundary) -> str:
    moved = "" if boundary.moved_from is None else f" {boundary.time - boundary.moved_from:+.1f} s"
    return " + ".join(boundary.reasons) + moved


def finding_line(finding: Finding, of: str = "") -> Text:
    """`warning: yard.mp4: 0:12 what happened`; `of` is the file, where there are several."""
    what = f"{of}: " if of else ""
    when = "" if finding.start is None else f"{clock(finding.start, 0)} "
    return Text(
        f"{finding.level}: {printable(what)}{when}{printable(finding.message)}",
        style="yellow" if finding.level == "warning" else "dim",
    )


def tell(findings: Iterable[Finding]) -> None:
    """On standard error, a line each."""
    messages = Console(stderr=True, highlight=False, soft_wrap=True)
    for finding in findings:
        messages.print(finding_line(finding))


def summary(segmentation: Segmentation) -> str:
    """`92.1 s, 5 chunks, 21 sentences, 2 topic breaks, 3 events`."""
    counts = [
        f"{clock(segmentation.recording.duration, 0)} long",
        _count(len(segmentation.chunks), "chunk"),
        _count(len(segmentation.sentences), "sentence"),
        _count(len(segmentation.topic_breaks), "topic break"),
        _count(len(segmentation.events), "event"),
    ]
    return ", ".join(counts)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
