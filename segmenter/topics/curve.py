"""What a break rule saw at each gap, kept for pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segmenter.records import Sentence, TopicCurve
from segmenter.topics.breaks import Decision


def curve(decided: Decision, sentences: Sequence[Sentence]) -> TopicCurve | None:
    """The rule's scores over time; None where it looked at nothing but sizes."""
    ruling = decided.ruling
    if not ruling.scores.any() or not np.isfinite(ruling.scores).all():
        return None
    return TopicCurve(
        measure=ruling.measure,
        times=tuple(sentences[i].start for i in decided.index[1:]),
        scores=tuple(float(score) for score in ruling.scores),
        threshold=ruling.threshold,
    )
