"""`segmenter topics`: the break rules, and what one of them makes of a transcript, gap by gap."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from segmenter.cli import outputs, show, speech_options, topic_options
from segmenter.errors import printable
from segmenter.formats import gaps_csv, transcripts
from segmenter.records import Finding, Sentence
from segmenter.settings import Settings, TopicSettings
from segmenter.timeline import clock
from segmenter.topics import breaks, choosing, untimed
from segmenter.topics.curve import curve
from segmenter.topics.unkept import unkept


def topics(
    transcript: Annotated[str, typer.Argument(metavar="TRANSCRIPT|list", help="a transcript, with times or without; or `list`.")],
    rule: topic_options.Rule = None,
    granularity: topic_options.Level = None,
    topic_length: topic_options.Length = None,
    topics_count: topic_options.Count = None,
    topic_min: topic_options.Least = None,
    topic_max: topic_options.Most = None,
    language: speech_options.WrittenLanguage = None,
    explain: Annotated[Path | None, typer.Option(help="Write every gap to this CSV file: score, cut or not, why.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
    config: topic_options.Config = None,
) -> None:
    """Find the topics of a transcript or a plain text; `segmenter topics list` says what each rule does and needs."""
    if transcript == "list":
        show.console().print(_rules())
        return
    if explain is not None:
        outputs.writable(explain, "table", ".csv")
    settings = topic_options.changed(topic_options.settings_of(config), rule, granularity, topic_length, topics_count)
    settings = topic_options.limited(settings, topic_min, topic_max).changed("speech", language=language)
    breaks.check_rule(settings.topics.rule)
    said = _said(transcript, settings)
    wanted = settings.topics if said.timed else untimed.without_seconds(settings.topics)
    decision = decide(said.sentences, wanted)
    show.tell([*said.findings, *_told(said, decision, settings.topics)])
    if explain is not None:
        seen = curve(decision, said.sentences)
        gaps_csv.write_gaps(gaps_csv.gaps(seen, said.sentences, decision.breaks, said.timed), seen, explain)
    if as_json:
        print(json.dumps(_as_dict(said, decision), ensure_ascii=True))
    else:
        show.console().print(_table(said, decision))


@dataclass(frozen=True, slots=True)
class _Said:
    """Sentences; without times of their own they only stand in order. `findings` are what is wrong in the file."""

    sentences: tuple[Sentence, ...]
    timed: bool
    findings: tuple[Finding, ...]

    def time(self, sentence: int) -> float | None:
        return round(self.sentences[sentence].start, 3) if self.timed else None


def _said(path: str, settings: Settings) -> _Said:
    from segmenter.speech import plain_text
    from segmenter.speech.doubts import doubtful
    from segmenter.speech.understanding import understand_ready
    from segmenter.speech.written_language import language_of, taken_for_english

    findings: list[Finding] = []
    timed = transcripts.is_transcript(path)
    if timed:
        read = transcripts.read_all(path, None, findings.append)
        language = language_of(read, settings.speech.language)
        sentences = understand_ready(read.words, settings.speech, language, figures=read.figures)
    else:
        sentences = plain_text.read(path, settings.speech, findings.append)
    return _Said(sentences, timed, (*findings, *taken_for_english(sentences), *doubtful(sentences)))


def _told(said: _Said, decision: breaks.Decision, asked: TopicSettings) -> list[Finding]:
    """What to know of the topics: what could not be kept, and whether the text's language is known to the embedder."""
    wanted = asked if said.timed else untimed.without_seconds(asked)
    return [
        *([] if said.timed else untimed.not_kept(asked)),
        *(choosing.unread(asked, said.sentences) if breaks.needs_vectors(asked.rule) else []),
        *breaks.too_few(said.sentences, decision, wanted),
        *unkept(decision, said.sentences, wanted),
    ]


def decide(sentences: Sequence[Sentence], settings: TopicSettings) -> breaks.Decision:
    """Embeds what the rule needs, then asks it."""
    import numpy as np

    texts = [sentences[i].text for i in breaks.trusted(sentences)]
    vectors = np.empty((0, 0), np.float32)
    if texts and breaks.needs_vectors(settings.rule):
        choice = choosing.Embedders(settings).suited(sentences)
        vectors, settings = choice.embedder.embed(texts), choice.settings
    return breaks.decide(sentences, vectors, settings)


def _rules() -> Table:
    table = Table("rule", "cuts", "needs", "takes a number of topics", box=None, pad_edge=False)
    for name, row in breaks.RULES.items():
        table.add_row(name, row.about, row.needs, "yes" if row.counts else "no")
    return table


def _table(said: _Said, decision: breaks.Decision) -> Table:
    table = Table("start", "sentences", "strength", "begins with", "because", box=None, pad_edge=False)
    reasons = {b.after_sentence + 1: (f"{b.strength:.2f}", "; ".join(b.reasons)) for b in decision.breaks}
    for passage in decision.passages:
        start, strength, why = said.time(passage.first), *reasons.get(passage.first, ("", ""))
        opening = "  " * passage.level + printable(said.sentences[passage.first].text[:60])
        shown = "" if start is None else clock(start, 0)
        table.add_row(shown, f"{passage.first}-{passage.last}", strength, Text(opening), Text(why))
    return table


def _as_dict(said: _Said, decision: breaks.Decision) -> dict[str, object]:
    """Times are null where the text has none."""
    return {
        "breaks": [
            {
                "after_sentence": b.after_sentence,
                "time": said.time(b.after_sentence + 1),
                "strength": round(b.strength, 4),
                "reasons": b.reasons,
            }
            for b in decision.breaks
        ],
        "passages": [
            {
                "first": p.first,
                "last": p.last,
                "start": said.time(p.first),
                "end": round(said.sentences[p.last].end, 3) if said.timed else None,
                "level": p.level,
                "parent": p.parent,
            }
            for p in decision.passages
        ],
        "sentences": len(said.sentences),
    }
