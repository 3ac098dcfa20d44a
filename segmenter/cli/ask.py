"""`segmenter ask`: an answer with its sources, or the evidence alone where no server is named."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from segmenter.cli import show, topic_options
from segmenter.cli.search import Recordings, StorePath, print_hits
from segmenter.errors import printable
from segmenter.retrieval.asking import Claim, Source, answer, evidence
from segmenter.retrieval.finder import Finder, as_dict, named
from segmenter.retrieval.records import Where


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know.")],
    store: StorePath,
    server: Annotated[
        str | None, typer.Option(help="OpenAI-compatible: http://127.0.0.1:11434/v1. Without: the evidence.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="The server's name for the model.")] = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Tokens of evidence at most.")] = None,
    recording: Recordings = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
    config: topic_options.Config = None,
) -> None:
    """Answer a question from what the recordings say; each claim names recording and time."""
    settings = topic_options.settings_of(config).changed("ask", server_url=server, server_model=model)
    with Finder(store, settings, [question]) as finder:
        hits = finder.search(question, Where(recordings=named(finder.store, recording or [])), budget)
    sources = evidence(hits)
    claims = answer(question, sources, settings.ask) if settings.ask.server_url else None
    if as_json:
        answered = None if claims is None else [_as_dict(claim) for claim in claims]
        found = {"question": question, "answer": answered, "evidence": [as_dict(hit) for hit in hits]}
        print(json.dumps(found, ensure_ascii=True, allow_nan=False))
    elif not hits:
        show.console().print("nothing found: the store has no words or events that could answer")
    elif claims is None:
        print_hits(hits, show.console())
        Console(stderr=True).print("this is the evidence; for an answer in words, name a server: --server URL", style="dim")
    else:
        show.console().print(_answer(claims))


def _answer(claims: Sequence[Claim]) -> Text:
    """The claims with their citations; those without a source apart, in the warning colour."""
    text = Text("The evidence does not answer this." if not claims else "")
    for claim in claims:
        text.append(f"{printable(claim.text)} ", style="" if claim.sources else "yellow")
        text.append(" ".join(_citations(claim.sources)) if claim.sources else "[no source]", style="cyan")
        text.append("\n")
    return text


def _citations(sources: Sequence[Source]) -> list[str]:
    return list(dict.fromkeys(source.citation for source in sources))


def _as_dict(claim: Claim) -> dict[str, Any]:
    sources = [
        {
            "citation": source.citation,
            "recording": source.hit.recording,
            "start": round(source.line.start, 3),
            "end": round(source.line.end, 3),
            "text": source.line.text,
            "link": source.link,
        }
        for source in claim.sources
    ]
    return {"text": claim.text, "sources": sources}
