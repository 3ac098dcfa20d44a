"""Every gap between two sentences as a row of CSV: how likely a break, whether it is one, and why or why not."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from segmenter.errors import printable
from segmenter.records import Segmentation, Sentence, TopicBreak, TopicCurve

NAME = "topics.csv"
_SIZES = "sizes alone decide"


@dataclass(frozen=True, slots=True)
class Gap:
    """The gap after the sentence `after`; `strength` is None where there is no break.

    `missed` is by how much a break fell short, the lower the closer; None, as `score`, where nothing was reckoned, and as
    `time`, where the text has none.
    """

    after: int
    time: float | None
    score: float | None
    missed: float | None
    strength: float | None
    why: str
    opening: str


def gaps(curve: TopicCurve | None, sentences: Sequence[Sentence], breaks: Sequence[TopicBreak], timed: bool = True) -> list[Gap]:
    """One between each two sentences that take part in topics; without a curve, sizes alone have decided.

    Sentences that are not `timed` only stand in order.
    """
    openings = [i for i, sentence in enumerate(sentences) if not sentence.doubts][1:]
    made = {found.after_sentence + 1: found for found in breaks}
    rows = []
    for gap, opening in enumerate(openings):
        found = made.get(opening)
        missed = curve.missed[gap] if curve and curve.missed else None
        rows.append(
            Gap(
                after=opening - 1,
                time=sentences[opening].start if timed else None,
                score=curve.scores[gap] if curve else None,
                missed=missed,
                strength=found.strength if found else None,
                why="; ".join(found.reasons) if found else _why_not(curve, gap, missed),
                opening=sentences[opening].text,
            )
        )
    return rows


def _why_not(curve: TopicCurve | None, gap: int, missed: float | None) -> str:
    if curve is None:
        return _SIZES
    if gap in curve.remarks:
        return curve.remarks[gap]
    return curve.otherwise if missed is None else f"{missed:.4f} {curve.missed_says}"


def write_gaps(rows: Sequence[Gap], curve: TopicCurve | None, path: Path) -> None:
    """Rank 1 came closest to a break, or is the plainest; where nothing tells the gaps apart, there are no ranks."""
    edge = "" if curve is None or curve.threshold is None else f"{curve.threshold:.4f}"
    ranks = _ranks(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        measure = curve.measure if curve else f"none: {_SIZES}"
        table.writerow(["after_sentence", "time", measure, "threshold", "missed by", "rank", "cut", "strength", "why", "next"])
        for i, gap in enumerate(rows):
            numbers = [_plain(gap.score), edge, _plain(gap.missed), ranks.get(i, ""), int(gap.strength is not None)]
            time = "" if gap.time is None else f"{gap.time:.3f}"
            row = [gap.after, time, *numbers, _plain(gap.strength), gap.why]
            table.writerow([*row, printable(gap.opening[:60])])


def _ranks(rows: Sequence[Gap]) -> dict[int, int]:
    known = [(gap.missed, gap.strength is None, -(gap.score or 0), i) for i, gap in enumerate(rows) if gap.missed is not None]
    return {i: rank for rank, (*_, i) in enumerate(sorted(known), 1)}


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def write(segmentation: Segmentation, path: Path) -> None:
    """The gaps of a run."""
    curve = segmentation.topic_curve
    write_gaps(gaps(curve, segmentation.sentences, segmentation.topic_breaks), curve, path)
