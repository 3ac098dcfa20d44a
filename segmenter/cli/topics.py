"""`segmenter topics`: the break rules, and what one of them makes of a transcript, gap by gap."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from segmenter.cli import outputs, show, topic_options
from segmenter.errors import printable
from segmenter.formats import gaps_csv, transcripts
from segmenter.records import Finding, Sentence
from segmenter.settings import Settings, TopicSettings
from segmenter.timeline import clock
from segmenter.topics import breaks
from segmenter.topics.choosing import Embedders


def topics(
    transcript: Annotated[str, typer.Argument(metavar="TRANSCRIPT|list", help="a transcript file; or `list`.")],
    rule: topic_options.Rule = None,
    granularity: topic_options.Level = None,
    topic_length: topic_options.Length = None,
    topics_count: topic_options.Count = None,
    explain: Annotated[Path | None, typer.Option(help="Write every gap to this CSV file: score, cut or not, why.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
    config: topic_options.Config = None,
) -> None:
    """Find the topics of a transcript; `segmenter topics list` says what each rule does and needs."""
    if transcript == "list":
        show.console().print(_rules())
        return
    if explain is not None:
        outputs.writable(explain, "table", ".csv")
    settings = topic_options.changed(topic_options.settings_of(config), rule, granularity, topic_length, topics_count)
    breaks.check_rule(settings.topics.rule)
    findings: list[Finding] = []
    sentences = _sentences(transcript, settings, findings)
    decision = decide(sentences, settings.topics)
    findings += breaks.too_few(sentences, decision, settings.topics)
    for finding in findings:
        Console(stderr=True).print(show.finding_line(finding))
    if explain is not None:
        gaps_csv.write_gaps(_gaps(sentences, decision), decision.ruling.measure, decision.ruling.threshold, explain)
    if as_json:
        print(json.dumps(_as_dict(sentences, decision), ensure_ascii=True))
    else:
        show.console().print(_table(sentences, decision))


def decide(sentences: Sequence[Sentence], settings: TopicSettings) -> breaks.Decision:
    """Embeds what the rule needs, then asks it."""
    import numpy as np

    texts = [sentences[i].text for i in breaks.trusted(sentences)]
    vectors = np.empty((0, 0), np.float32)
    if texts and breaks.needs_vectors(settings.rule):
        choice = Embedders(settings).suited(sentences)
        vectors, settings = choice.embedder.embed(texts), choice.settings
    return breaks.decide(sentences, vectors, settings)


def _rules() -> Table:
    table = Table("rule", "cuts", "needs", "takes a number of topics", box=None, pad_edge=False)
    for name, row in breaks.RULES.items():
        table.add_row(name, row.about, row.needs, "yes" if row.counts else "no")
    return table


def _sentences(path: str, settings: Settings, findings: list[Finding]) -> tuple[Sentence, ...]:
    from segmenter.speech.doubts import doubtful
    from segmenter.speech.sentences import split

    read = transcripts.read_all(path, None, findings.append)
    sentences = split(read.words, settings.speech, read.language)
    findings += doubtful(sentences)
    return sentences


def _table(sentences: Sequence[Sentence], decision: breaks.Decision) -> Table:
    table = Table("start", "sentences", "strength", "begins with", "because", box=None, pad_edge=False)
    reasons = {b.after_sentence + 1: (f"{b.strength:.2f}", "; ".join(b.reasons)) for b in decision.breaks}
    for passage in decision.passages:
        first = sentences[passage.first]
        strength, why = reasons.get(passage.first, ("", ""))
        opening = "  " * passage.level + printable(first.text[:60])
        table.add_row(clock(first.start, 0), f"{passage.first}-{passage.last}", strength, Text(opening), Text(why))
    return table


def _as_dict(sentences: Sequence[Sentence], decision: breaks.Decision) -> dict[str, object]:
    return {
        "breaks": [
            {"after_sentence": b.after_sentence, "time": round(b.time, 3), "strength": round(b.strength, 4), "reasons": b.reasons}
            for b in decision.breaks
        ],
        "passages": [
            {
                "first": p.first,
                "last": p.last,
                "start": round(sentences[p.first].start, 3),
                "end": round(sentences[p.last].end, 3),
                "level": p.level,
                "parent": p.parent,
            }
            for p in decision.passages
        ],
        "sentences": len(sentences),
    }


def _gaps(sentences: Sequence[Sentence], decision: breaks.Decision) -> list[gaps_csv.Gap]:
    cuts = {cut.after: cut for cut in decision.cuts}
    proposed = {cut.after for cut in decision.ruling.cuts}
    made = []
    for gap, score in enumerate(decision.ruling.scores.tolist()):
        opening, cut = decision.index[gap + 1], cuts.get(gap)
        why = cut.reason if cut else gaps_csv.why_not(decision.ruling.threshold, score, gap in proposed)
        text, start = sentences[opening].text, sentences[opening].start
        made.append(gaps_csv.Gap(opening - 1, start, score, cut.strength if cut else None, why, text))
    return made
