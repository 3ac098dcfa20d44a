"""Every gap between two sentences as a row of CSV: how likely a break, whether it is one, and why or why not."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from segmenter.errors import printable
from segmenter.records import Segmentation

NAME = "topics.csv"


@dataclass(frozen=True, slots=True)
class Gap:
    """The gap after the sentence `after`; `strength` is None where there is no break."""

    after: int
    time: float
    score: float
    strength: float | None
    why: str
    opening: str


def write_gaps(gaps: Sequence[Gap], measure: str, threshold: float | None, path: Path) -> None:
    """Rank 1 is the likeliest gap, so that it can be seen how close the ones not cut came."""
    likeliest = sorted(range(len(gaps)), key=lambda i: -gaps[i].score)
    ranks = {i: rank for rank, i in enumerate(likeliest, 1)}
    edge = "" if threshold is None else f"{threshold:.4f}"
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["after_sentence", "time", measure, "threshold", "rank", "cut", "strength", "why", "next"])
        for i, gap in enumerate(gaps):
            strength = "" if gap.strength is None else f"{gap.strength:.4f}"
            cut = int(gap.strength is not None)
            row = [gap.after, f"{gap.time:.3f}", f"{gap.score:.4f}", edge, ranks[i], cut, strength, gap.why]
            table.writerow([*row, printable(gap.opening[:60])])


def why_not(threshold: float | None, score: float, proposed: bool = False) -> str:
    """Why a gap is no break; `proposed` says that the rule had cut there."""
    if proposed:
        return "taken back: a topic would be too short"
    if threshold is None:
        return "other cuts explain more for their price"
    return f"{threshold - score:.4f} short of the threshold"


def write(segmentation: Segmentation, path: Path) -> None:
    """The gaps of a run; none where the rule looked at nothing but sizes."""
    curve = segmentation.topic_curve
    if curve is None:
        write_gaps((), "none: sizes alone decide", None, path)
        return
    said = segmentation.sentences
    openings = [i for i, sentence in enumerate(said) if not sentence.doubts][1:]  # doubtful ones take no part in topics
    breaks = {found.after_sentence + 1: found for found in segmentation.topic_breaks}
    gaps = []
    for opening, score in zip(openings, curve.scores, strict=True):
        found = breaks.get(opening)
        proposed = curve.threshold is not None and score > curve.threshold
        why = "; ".join(found.reasons) if found else why_not(curve.threshold, score, proposed)
        strength = found.strength if found else None
        gaps.append(Gap(opening - 1, said[opening].start, score, strength, why, said[opening].text))
    write_gaps(gaps, curve.measure, curve.threshold, path)
