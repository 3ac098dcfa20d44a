"""What a rule saw, kept beside its breaks."""

from __future__ import annotations

import numpy as np
import pytest

from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import decide
from segmenter.topics.curve import curve

TALK = [Sentence(f"Sentence {i}.", 2.0 * i, 2.0 * i + 1.5, doubts=("repeats",) if i == 3 else ()) for i in range(13)]


def vectors(count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Two topics with some noise."""
    made = np.random.default_rng(1).normal(0, 0.2, (count, 8)).astype(np.float32)
    made[: count // 2, 0] += 1
    made[count // 2 :, 1] += 1
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def test_the_percentile_rule_cuts_where_the_curve_is_above_the_threshold() -> None:
    decided = decide(TALK, vectors(12), TopicSettings(rule="percentile", percentile=80))
    found = curve(decided, TALK)
    assert found is not None
    assert found.threshold is not None
    above = [time for time, score in zip(found.times, found.scores, strict=True) if score > found.threshold]
    assert above == [b.time for b in decided.breaks] != []


@pytest.mark.parametrize("rule", ["default", "percentile", "texttiling"])
def test_there_is_a_score_at_the_start_of_each_trusted_sentence_but_the_first(rule: str) -> None:
    found = curve(decide(TALK, vectors(12), TopicSettings(rule=rule)), TALK)
    assert found is not None
    assert list(found.times) == [s.start for s in TALK if not s.doubts][1:]
    assert len(found.scores) == len(found.times)


def test_no_curve_where_there_is_nothing_to_compare() -> None:
    assert curve(decide(TALK[:1], vectors(1), TopicSettings()), TALK[:1]) is None
    assert curve(decide(TALK, vectors(12), TopicSettings(rule="fixed")), TALK) is None
