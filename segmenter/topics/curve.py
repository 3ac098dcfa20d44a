"""What a break rule saw at each gap, and how close it came, kept for pictures and explanations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segmenter.records import Sentence, TopicCurve
from segmenter.topics.breaks import Decision
from segmenter.topics.material import SIZES


def curve(decided: Decision, sentences: Sequence[Sentence]) -> TopicCurve | None:
    """The rule's scores over time; None where it looked at nothing but sizes."""
    ruling = decided.ruling
    if ruling.measure == SIZES or not len(ruling.scores):
        return None
    missed = ruling.missed
    return TopicCurve(
        measure=ruling.measure,
        times=tuple(sentences[i].start for i in decided.index[1:]),
        scores=tuple(ruling.scores.tolist()),
        threshold=ruling.threshold,
        missed=tuple(None if np.isnan(by) else by for by in missed.by.tolist()),
        missed_says=missed.says,
        otherwise=missed.otherwise,
        remarks=_remarks(decided),
    )


def _remarks(decided: Decision) -> dict[int, str]:
    """Of the gaps that are not cut."""
    ruling, cut = decided.ruling, {cut.after for cut in decided.cuts}
    proposed = {one.after for cuts in (*ruling.coarser, ruling.cuts) for one in cuts}
    said = {**ruling.missed.remarks, **dict.fromkeys(proposed, "taken back: a topic would be too short")}
    return {gap: said[gap] for gap in sorted(said) if gap not in cut}
