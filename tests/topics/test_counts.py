"""A number of topics that was asked for is made wherever there are sentences for it; else the note says why not."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import RULES, decide, too_few

COUNTING = [name for name, row in RULES.items() if row.counts and row.needs != "server"]


def said(count: int) -> list[Sentence]:
    subjects = ("pump", "bread", "river", "budget", "bicycle", "garden", "letter")
    return [Sentence(f"The {subjects[i * i % 7]} and the {subjects[i % 5]} again.", 2.0 * i, 2.0 * i + 1.5) for i in range(count)]


def vectors(count: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(1).normal(size=(count, 32))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


@pytest.mark.parametrize("rule", COUNTING)
@pytest.mark.parametrize("count", [2, 30, 40, 65, 70])
def test_as_many_topics_as_asked_for(rule: str, count: int) -> None:
    wanted = TopicSettings(rule=rule, topics_count=count)
    decision = decide(said(70), vectors(70), wanted)
    assert len(decision.breaks) == count - 1
    assert too_few(said(70), decision, wanted) == []


@pytest.mark.parametrize("rule", COUNTING)
def test_more_than_there_are_sentences(rule: str) -> None:
    wanted = TopicSettings(rule=rule, topics_count=80)
    decision = decide(said(70), vectors(70), wanted)
    assert len(decision.breaks) == 69
    (note,) = too_few(said(70), decision, wanted)
    assert note.message == "80 topics were asked for, 70 could be made of 70 sentences"


def test_more_than_the_least_sizes_allow() -> None:
    wanted = TopicSettings(rule="percentile", topics_count=40, min_sentences=4)
    decision = decide(said(70), vectors(70), wanted)
    ends = [0, *(b.after_sentence + 1 for b in decision.breaks), 70]
    assert all(b - a >= 4 for a, b in pairwise(ends))
    (note,) = too_few(said(70), decision, wanted)
    assert note.message.endswith("of 70 sentences: others would be shorter than the least sizes")


def test_nothing_is_cut_at_random_where_all_sentences_are_the_same() -> None:
    wanted = TopicSettings(topics_count=3)
    decision = decide(said(30), np.repeat(vectors(1), 30, axis=0), wanted)
    assert decision.breaks == ()
    (note,) = too_few(said(30), decision, wanted)
    assert note.message.endswith("no other gap is likelier than the rest")
