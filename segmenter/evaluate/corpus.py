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
from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics import breaks
from segmenter.topics.choosing import Embedders

LEVELS = ("coarse", "fine")
FORM = '{"id": "a", "sentences": [{"text": "Hello."}, ...], "boundaries": {"coarse": [12, ...], "fine": []}}'
_SENTENCES = (0, 1, 3)
_SECONDS = (3, 6)


@dataclass(frozen=True, slots=True)
class Known:
    """A transcript with true breaks per level: indices of the sentences they come after."""

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
    boundaries = {level: tuple(row["boundaries"].get(level, ())) for level in LEVELS}
    for breaks_ in boundaries.values():
        inside = all(type(b) is int and 0 <= b < len(sentences) - 1 for b in breaks_)
        if not inside or any(a >= b for a, b in pairwise(breaks_)):
            raise ValueError("breaks must rise, and lie before the last sentence")
    return Known(str(row["id"]), str(row.get("language", "")), sentences, boundaries, timed)


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

    def overall(self, language: str | None = None) -> dict[str, float]:
        """Means over the recordings, how many breaks were made and are true in all, and how many recordings there are."""
        rows = [row for row in self.rows if language in (None, row.language)]
        names = set.intersection(*(set(row.scores) for row in rows)) if rows else set()
        means = {name: float(np.mean([row.scores[name] for row in rows])) for name in sorted(names)}
        counts = {"made": sum(r.made for r in rows), "true": sum(r.true for r in rows), "recordings": len(rows)}
        return {**means, **counts}

    def interval(self, name: str, against: Result | None = None) -> tuple[float, float]:
        """95 % bootstrap interval of a mean, or of its paired difference to another rule on the same recordings."""
        own = np.array([row.scores[name] for row in self.rows])
        return interval((own - np.array([row.scores[name] for row in against.rows]) if against else own).tolist())


def scores(known: Known, level: str, made: Sequence[int]) -> Row:
    truth, count = known.boundaries[level], len(known.sentences)
    found = {
        "pk": pk(truth, made, count),
        "window_diff": window_diff(truth, made, count),
        "boundary_similarity": boundary_similarity(truth, made),
        **{f"f1_{within}": matches(truth, made, within).f1 for within in _SENTENCES},
    }
    if known.timed:
        places = [[known.sentences[b + 1].start for b in some] for some in (truth, made)]
        found |= {f"f1_{within}s": matches(places[0], places[1], within).f1 for within in _SECONDS}
    return Row(known.id, known.language, found, len(made), len(truth))


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
    """Baselines and rules on every recording; each recording is embedded once.

    `embedders` may be None where no rule needs vectors.

    Raises:
        SettingsError: there is no recording.
    """
    if not known:
        raise SettingsError("there is no recording to measure on", hint="is the language right?")
    results = {name: Result() for name in [*BASELINES, *rules]}
    for one in known:
        truth = one.boundaries[level]
        for name, baseline in BASELINES.items():
            results[name].rows.append(scores(one, level, baseline(one, truth)))
        said = [replace(sentence, language=one.language or None) for sentence in one.sentences]
        vectors, wanted = _embedded(said, settings, embedders)
        for rule in rules:
            results[rule].rows.append(scores(one, level, _made(said, vectors, rule, wanted)))
    return results


def _embedded(
    said: Sequence[Sentence], settings: TopicSettings, embedders: Embedders | None
) -> tuple[NDArray[np.float32], TopicSettings]:
    """The sentences' vectors, and the settings with the embedder that made them."""
    if embedders is None:
        return np.empty((0, 0), np.float32), settings
    choice = embedders.suited(said)
    return choice.embedder.embed([s.text for s in said]), replace(settings, embedder=choice.settings.embedder)


def _made(said: Sequence[Sentence], vectors: NDArray[np.float32], rule: str, settings: TopicSettings) -> list[int]:
    return [b.after_sentence for b in breaks.find(said, vectors, replace(settings, rule=rule))]


def as_dict(results: Mapping[str, Result]) -> dict[str, Any]:
    """What `--json` prints."""
    return {"strategies": {name: _strategy(result, results) for name, result in results.items()}}


def _strategy(result: Result, results: Mapping[str, Result]) -> dict[str, Any]:
    languages = sorted({row.language for row in result.rows})
    against = {other: _differences(result, results[other]) for other in ("none", "percentile") if other in results}
    return {
        "overall": result.overall(),
        "intervals": {name: result.interval(name) for name in ("pk", "window_diff", "f1_3")},
        "against": {other: found for other, found in against.items() if results[other] is not result},
        "languages": {language: result.overall(language) for language in languages},
        "recordings": [{"id": r.id, "language": r.language, **r.scores, "made": r.made, "true": r.true} for r in result.rows],
    }


def _differences(result: Result, other: Result) -> dict[str, tuple[float, float]]:
    return {name: result.interval(name, other) for name in ("pk", "window_diff")}
