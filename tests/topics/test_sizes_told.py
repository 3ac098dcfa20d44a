"""What cannot be kept of the sizes asked for is told: seconds without times, and limits that exclude each other."""

from __future__ import annotations

import numpy as np

from segmenter.records import Finding, Sentence
from segmenter.settings import TopicSettings
from segmenter.topics import breaks, untimed
from segmenter.topics.unkept import unkept


def test_without_times_seconds_are_left_out_and_named() -> None:
    asked = TopicSettings(max_s=60, min_s=5, max_sentences=9)
    assert untimed.without_seconds(asked) == TopicSettings(max_sentences=9)
    (finding,) = untimed.not_kept(asked)
    assert finding.level == "warning"
    assert "min_s = 5, max_s = 60" in finding.message
    assert untimed.not_kept(TopicSettings(max_sentences=9)) == []


def told(lengths: list[float], **limits: float) -> tuple[list[int], list[Finding]]:
    """Breaks after these sentences, and what is told, where nothing but the limits cuts."""
    ends = np.cumsum(lengths).tolist()
    said = [Sentence("So it goes on and on.", end - length, end) for end, length in zip(ends, lengths, strict=True)]
    settings = TopicSettings(rule="structure", **limits)  # type: ignore[arg-type]
    decision = breaks.decide(said, np.empty((0, 0), np.float32), settings)
    return [b.after_sentence for b in decision.breaks], unkept(decision, said, settings)


def test_a_maximum_below_twice_the_minimum_is_kept_where_it_can_be() -> None:
    made, findings = told([10.0] * 13, min_s=60, max_s=100)
    assert findings == []
    assert len(made) == 1


def test_and_told_where_it_cannot_be() -> None:
    made, (finding,) = told([10.0] * 11, min_s=60, max_s=100)
    assert len(made) == 1
    assert "of 2 topics 1 shorter than asked for" in finding.message


def test_a_sentence_longer_than_a_topic_may_be_is_told() -> None:
    _, (finding,) = told([10.0, 80.0, 10.0], max_s=50)
    assert "of 3 topics 1 longer than asked for" in finding.message


def test_a_recording_shorter_than_a_topic_may_be_is_one_topic() -> None:
    assert told([10.0] * 3, min_s=60) == ([], [])
    assert told([], min_s=60) == ([], [])
