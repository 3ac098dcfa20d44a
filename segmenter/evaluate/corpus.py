"""Break rules on a corpus of transcripts with known topics: every rule on every recording, and what it all comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import SettingsError
from segmenter.evaluate.lines import rows
from segmenter.evaluate.topics import boundary_similarity, interval, matches, pk, window_diff
from segmenter.records import Finding, Sentence
from segmenter.settings import TopicSettings
from segmenter.topics import breaks
from segmenter.topics.choosing import Embedders
from segmenter.topics.untimed import without_seconds

LEVELS = ("coarse", "fine")
FORM = '{"id": "a", "sentences": [{"text": "Hello."}, ...], "boundaries": {"coarse": [12, ...], "fine": []}}'
_SENTENCES = (0, 1, 3)
_SECONDS = (3, 6)
_HARM = 0.01  # of Pk; less is within what one sentence more or less in the window does


@dataclass(frozen=True, slots=True)
class Known:
    """A transcript with true breaks per level: indices of the sentences they come after; a level that nobody marked is missing.

    No break at all is a truth too: the whole recording is on one topic.
    """

    id: str
    language: str
    sentences: tuple[Sentence, ...]
    boundaries: Mapping[str, tuple[int, ...]]
    timed: bool


def read(path: Path) -> Iterator[Known]:
    """One JSON object a line, gzip or not: id, language, sentences (text, speaker, start, end), boundaries (coarse, fine).

    Raises:
        BadInput: a line is no such object, or a break is not inside the recording.
    """
    return rows(path, "transcript with known topics", FORM, known_of)


def sentences_of(row: Mapping[str, Any]) -> tuple[tuple[Sentence, ...], bool]:
    """The sentences of a row, and whether they have times; else sentence i lasts from i to i + 1."""
    said = row["sentences"]
    timed = all(s.get("start") is not None and s.get("end") is not None for s in said)
    times = [(float(s["start"]), float(s["end"])) for s in said] if timed else [(float(i), i + 1.0) for i in range(len(said))]
    return tuple(Sentence(s["text"], *time, speaker=s.get("speaker")) for s, time in zip(said, times, strict=True)), timed


def known_of(row: dict[str, Any]) -> Known:
    sentences, timed = sentences_of(row)
    boundaries = {level: tuple(row["boundaries"][level]) for level in LEVELS if row["boundaries"].get(level) is not None}
    if boundaries.get("coarse") and not boundaries.get("fine"):  # finer breaks keep the coarser ones, so these are not marked
        boundaries.pop("fine", None)
    for breaks_ in boundaries.values():
        inside = all(type(b) is int and 0 <= b < len(sentences) - 1 for b in breaks_)
        if not inside or any(a >= b for a, b in pairwise(breaks_)):
            raise ValueError("breaks must rise, and lie before the last sentence")
    return Known(str(row["id"]), str(row.get("language", "")), sentences, boundaries, timed)


def at_level(known: Sequence[Known], level: str) -> tuple[list[Known], list[Finding]]:
    """The recordings in which that level is marked, and what to know of the others.

    Raises:
        SettingsError: it is marked in none.
    """
    marked = [one for one in known if level in one.boundaries]
    others = sorted({other for one in known for other, found in one.boundaries.items() if found} - {level})
    hint = f"--level {others[0]} takes the breaks that there are" if others else ""
    if known and not marked:
        raise SettingsError(f"no recording says where its {level} topics are", hint=hint)
    findings = []
    if len(marked) < len(known):
        message = f"{len(known) - len(marked)} of {len(known)} recordings do not say where their {level} topics are: left out"
        findings.append(Finding("level_not_marked", message))
    if others and not any(one.boundaries[level] for one in marked):
        message = f"no recording has a {level} break, so all are measured as texts on one topic; {hint}"
        findings.append(Finding("level_without_breaks", message))
    return marked, findings


def without_speakers(known: Known) -> Known:
    return replace(known, sentences=tuple(replace(sentence, speaker=None) for sentence in known.sentences))


@dataclass(frozen=True, slots=True)
class Row:
    """How one rule did on one recording."""

    id: str
    language: str
    scores: Mapping[str, float]
    made: int
    true: int


@dataclass(slots=True)
class Result:
    rows: list[Row] = field(default_factory=list)

    @property
    def languages(self) -> list[str]:
        return sorted({row.language for row in self.rows})

    def overall(self, language: str | None = None) -> dict[str, float]:
        """Means over the recordings that have the measure, how many breaks were made and are true in all, and in how many.

        `timed` of the recordings have times; `whole` are on one topic, and `made_in_whole` breaks were made in those.
        """
        rows = [row for row in self.rows if language in (None, row.language)]
        names = {name: None for row in rows for name in row.scores}
        means = {name: float(np.mean([row.scores[name] for row in rows if name in row.scores])) for name in names}
        whole = [row.made for row in rows if not row.true]
        return {
            **means,
            "made": sum(row.made for row in rows),
            "true": sum(row.true for row in rows),
            "recordings": len(rows),
            "timed": sum(_in_seconds(_SECONDS[0]) in row.scores for row in rows),
            "whole": len(whole),
            "made_in_whole": sum(whole),
        }

    def harmed(self, by_none: Result) -> int:
        """In how many recordings never cutting is better, by more than a hundredth of Pk."""
        pairs = zip(self.rows, by_none.rows, strict=True)
        return sum(row.scores["pk"] > other.scores["pk"] + _HARM for row, other in pairs)

    def interval(self, name: str, against: Result | None = None) -> tuple[float, float]:
        """95 % bootstrap interval of a mean, or of its paired difference to another rule on the same recordings."""
        own = np.array([row.scores[name] for row in self.rows])
        return interval((own - np.array([row.scores[name] for row in against.rows]) if against else own).tolist())


def scores(known: Known, level: str, made: Sequence[int]) -> Row:
    truth, count = known.boundaries.get(level, ()), len(known.sentences)
    found = {
        "pk": pk(truth, made, count),
        "window_diff": window_diff(truth, made, count),
        "boundary_similarity": boundary_similarity(truth, made),
        **{f"f1_{within}": matches(truth, made, within).f1 for within in _SENTENCES},
    }
    if known.timed:
        places = [[known.sentences[b + 1].start for b in some] for some in (truth, made)]
        found |= {_in_seconds(within): matches(places[0], places[1], within).f1 for within in _SECONDS}
    return Row(known.id, known.language, found, len(made), len(truth))


def _in_seconds(within: float) -> str:
    return f"f1_{within}s"


Baseline = Callable[[Known, Sequence[int]], list[int]]


def _even(known: Known, truth: Sequence[int]) -> list[int]:
    count, parts = len(known.sentences), len(truth) + 1
    return sorted({round(count * k / parts) - 1 for k in range(1, parts)} - {-1})


def _random(known: Known, truth: Sequence[int]) -> list[int]:
    draw = np.random.default_rng(crc32(known.id.encode()))
    return sorted(draw.choice(len(known.sentences) - 1, len(truth), replace=False).tolist()) if truth else []


BASELINES: dict[str, Baseline] = {"none": lambda _known, _truth: [], "even": _even, "random": _random}  # with the true number


def evaluate(
    known: Sequence[Known], level: str, rules: Sequence[str], settings: TopicSettings, embedders: Embedders | None
) -> dict[str, Result]:
    """Baselines and rules on every recording; each recording is embedded once, however often a rule is named.

    `embedders` may be None where no rule needs vectors.

    Raises:
        SettingsError: there is no recording.
    """
    if not known:
        raise SettingsError("there is no recording to measure on", hint="is the language right?")
    asked = [rule for rule in dict.fromkeys(rules) if rule not in BASELINES]
    results = {name: Result() for name in [*BASELINES, *asked]}
    for one in known:
        truth = one.boundaries.get(level, ())
        for name, baseline in BASELINES.items():
            results[name].rows.append(scores(one, level, baseline(one, truth)))
        said = [replace(sentence, language=one.language or None) for sentence in one.sentences]
        vectors, wanted = _embedded(said, settings if one.timed else without_seconds(settings), embedders)
        for rule in asked:
            results[rule].rows.append(scores(one, level, _made(said, vectors, rule, wanted)))
    return results


def _embedded(
    said: Sequence[Sentence], settings: TopicSettings, embedders: Embedders | None
) -> tuple[NDArray[np.float32], TopicSettings]:
    """The vectors of the sentences that take part, and the settings with the embedder that made them."""
    texts = [said[i].text for i in breaks.trusted(said)]
    if embedders is None or not texts:
        return np.empty((0, 0), np.float32), settings
    choice = embedders.suited(said)
    return choice.embedder.embed(texts), replace(settings, embedder=choice.settings.embedder)


def _made(said: Sequence[Sentence], vectors: NDArray[np.float32], rule: str, settings: TopicSettings) -> list[int]:
    return [b.after_sentence for b in breaks.find(said, vectors, replace(settings, rule=rule))]


def as_dict(results: Mapping[str, Result]) -> dict[str, Any]:
    """What `--json` prints."""
    return {"strategies": {name: _strategy(result, results) for name, result in results.items()}}


def _strategy(result: Result, results: Mapping[str, Result]) -> dict[str, Any]:
    against = {other: _differences(result, results[other]) for other in ("none", "percentile") if other in results}
    return {
        "overall": result.overall(),
        "intervals": {name: result.interval(name) for name in ("pk", "window_diff", "f1_3")},
        "against": {other: found for other, found in against.items() if results[other] is not result},
        "languages": {language: result.overall(language) for language in result.languages},
        "worse_than_none": result.harmed(results["none"]),
        "recordings": [{"id": r.id, "language": r.language, **r.scores, "made": r.made, "true": r.true} for r in result.rows],
    }


def _differences(result: Result, other: Result) -> dict[str, tuple[float, float]]:
    return {name: result.interval(name, other) for name in ("pk", "window_diff")}
