"""`segmenter search`: passages that answer a question, from a store of recordings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.text import Text

from segmenter.cli import show, topic_options
from segmenter.errors import SettingsError, printable
from segmenter.retrieval.finder import Finder, as_dict, named
from segmenter.retrieval.gathering import LINES
from segmenter.retrieval.pictures import STILL, StillFinder, is_still
from segmenter.retrieval.records import UnitKind, Where
from segmenter.retrieval.rerank import CrossEncoderReranker
from segmenter.retrieval.search import Hit, HitLine
from segmenter.timeline import clock

StorePath = Annotated[Path, typer.Option("--store", help="The folder that `segmenter index` made.")]
Recordings = Annotated[list[str] | None, typer.Option("--recording", help="Only this recording: id, title or file name.")]


def search(
    words: Annotated[str, typer.Argument(metavar="WORDS", help="A question, or words to look for.")],
    store: StorePath,
    budget: Annotated[int | None, typer.Option(min=1, help="Tokens returned at most, in the embedder's word pieces.")] = None,
    label: Annotated[list[str] | None, typer.Option(help="Only while this is in view: person; may be given again.")] = None,
    speaker: Annotated[list[str] | None, typer.Option(help="Only what this speaker says; may be given again.")] = None,
    recording: Recordings = None,
    after: Annotated[str | None, typer.Option(help="Only what is not over by then: 90, 1:30, 3min.")] = None,
    before: Annotated[str | None, typer.Option(help="Only what has begun by then.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help=f"Only {' or '.join(LINES)}s; or stills: {STILL}.")] = None,
    most: Annotated[int | None, typer.Option("-k", min=1, help="So many passages at most.")] = None,
    rerank: Annotated[Path | None, typer.Option(help="Folder of a cross-encoder that reads what was found again.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
    config: topic_options.Config = None,
) -> None:
    """Find passages; what was said and what was seen, best first, filled up to a budget of tokens."""
    settings = topic_options.settings_of(config)
    kinds = _kinds(kind or [])
    where = partial(
        Where,
        kinds=kinds,
        labels=tuple(label or ()),
        speakers=tuple(speaker or ()),
        after=None if after is None else topic_options.seconds(after),
        before=None if before is None else topic_options.seconds(before),
    )
    if STILL in kinds:
        if len(kinds) > 1 or budget or rerank:
            raise SettingsError("stills are searched alone and cost no tokens", hint="leave other kinds, --budget, --rerank out")
        with StillFinder(store) as stills:
            hits = stills.search(words, where(named(stills.store, recording or [])), most)
            empty = not stills.store.recordings()
    else:
        reranker = None if rerank is None else CrossEncoderReranker(str(rerank))
        with Finder(store, settings, [words]) as finder:
            hits = finder.search(words, where(named(finder.store, recording or [])), budget, most, reranker)
            empty = not finder.store.recordings()
    if as_json:
        print(json.dumps({"query": words, "hits": [as_dict(hit) for hit in hits]}, ensure_ascii=True, allow_nan=False))
    elif hits:
        print_hits(hits, show.console())
    else:
        show.console().print(Text(f"nothing found{_reason(empty, where() != Where())}"))


def _reason(empty: bool, filtered: bool) -> str:
    if empty:
        return ": the store is empty"
    return " with these filters" if filtered else " that fits into this budget"


def _kinds(names: Sequence[str]) -> tuple[UnitKind, ...]:
    known = (*LINES, STILL)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SettingsError(f"nothing of kind {unknown[0]!r} can be found", hint=f"choose one of: {', '.join(known)}")
    return tuple(kind for kind in get_args(UnitKind) if kind in names)


# --- for people ------------------------------------------------------------------------------------------------


def print_hits(hits: Sequence[Hit], console: Console) -> None:
    for number, hit in enumerate(hits, 1):
        best = f", best at {clock(hit.best, 0)}" if hit.best > hit.start else ""
        until = f"-{clock(hit.end, 0)}" if hit.end > hit.start else ""
        heading = f"{number}  {printable(hit.title)}  {clock(hit.start, 0)}{until}{best}"
        console.print(Panel(_body(hit), title=escape(heading), title_align="left", subtitle=_foot(hit), subtitle_align="right"))
    many, tokens = "s" if len(hits) > 1 else "", sum(hit.tokens for hit in hits)
    shown = f"still{many}" if is_still(hits[0]) else f"passage{many}, {tokens} tokens"
    console.print(Text(f"{len(hits)} {shown}", style="dim"))


def _body(hit: Hit) -> Text:
    """A paragraph for what one speaker says on end, and for each event or still, between brackets; matches are bold."""
    turns = [_turn(list(lines)) for _, lines in groupby(hit.lines, _same_turn)]
    facts = {
        "in view": ", ".join(hit.labels),
        "chunk": hit.chunk_title,
        "picture": (Path(hit.folder) / hit.still).as_posix() if is_still(hit) else "",
    }
    known = "; ".join(f"{what}: {fact}" for what, fact in facts.items() if fact)
    return Text("\n").join([*turns, Text(printable(known), style="dim")] if known else turns)


def _same_turn(line: HitLine) -> str | float | None:
    return line.speaker if line.kind == "sentence" else line.start


def _turn(lines: Sequence[HitLine]) -> Text:
    first, shown = lines[0], [marked(line.text, line.marks) for line in lines]
    turn = Text.assemble((f"{clock(first.start, 0)}  ", "dim"))
    if first.kind != "sentence":
        return turn.append_text(Text.assemble("[", *shown, "]"))
    if first.speaker:
        turn.append(f"{printable(first.speaker)}: ", style="cyan")
    return turn.append_text(Text(" ").join(shown))


def marked(text: str, marks: Sequence[tuple[int, int]]) -> Text:
    """The text with its matches in bold. Each character that a terminal might act on is written out."""
    shown, last = Text(), 0
    for begin, end in marks:
        shown.append(printable(text[last:begin])).append(printable(text[begin:end]), style="bold yellow")
        last = end
    return shown.append(printable(text[last:]))


def _foot(hit: Hit) -> str:
    return escape(printable(hit.link))
