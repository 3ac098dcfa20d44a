"""Topic breaks: what every rule of the table keeps, and the right values of each."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from segmenter.errors import SettingsError
from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import RULES, find, trusted
from segmenter.topics.rules.percentile import neighbour_distances

Vectors = NDArray[np.float32]


def said(count: int, doubtful: frozenset[int] = frozenset()) -> tuple[Sentence, ...]:
    return tuple(
        Sentence(f"Sentence number {i} of the talk.", i * 2.0, i * 2 + 1.5, doubts=("repeated",) if i in doubtful else ())
        for i in range(count)
    )


def talk(*topics: int, spread: float = 0.6, seed: int = 1) -> Vectors:
    """Unit vectors of sentences on several topics, so many on each, around centres at right angles."""
    random = np.random.default_rng(seed)
    centres = np.eye(384)[: len(topics)]
    rows = [centre + spread * random.normal(size=(n, 384)) / np.sqrt(384) for centre, n in zip(centres, topics, strict=True)]
    vectors = np.vstack(rows) if rows else np.empty((0, 384))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def cut_after(sentences: tuple[Sentence, ...], vectors: Vectors, rule: str = "default") -> list[int]:
    return [b.after_sentence for b in find(sentences, vectors, TopicSettings(rule=rule))]


@pytest.mark.parametrize("rule", RULES)
class TestEveryRule:
    def test_nothing_to_cut(self, rule: str) -> None:
        assert cut_after((), talk(), rule) == []
        assert cut_after(said(1), talk(1), rule) == []

    def test_equal_vectors_are_one_topic(self, rule: str) -> None:
        assert cut_after(said(30), np.repeat(talk(1), 30, axis=0), rule) == []

    def test_two_sentences_and_a_thousand(self, rule: str) -> None:
        assert set(cut_after(said(2), talk(1, 1), rule)) <= {0}
        found = cut_after(said(1000), talk(400, 300, 300), rule)
        assert {399, 699} <= set(found)

    def test_a_vector_that_is_not_finite_is_refused(self, rule: str) -> None:
        vectors = talk(5, 5)
        vectors[3, 7] = np.nan
        with pytest.raises(ValueError, match="not finite"):
            cut_after(said(10), vectors, rule)

    @settings(max_examples=60, deadline=None)
    @given(st.integers(2, 40), st.integers(0, 1000), st.sets(st.integers(0, 39), max_size=10))
    def test_laws(self, rule: str, count: int, seed: int, doubtful: set[int]) -> None:
        """In order, at the start of the opening sentence, strengths in [0, 1], the same again, no doubtful opener."""
        sentences = said(count, frozenset(doubtful))
        vectors = talk(len(trusted(sentences)), spread=3, seed=seed)
        found = find(sentences, vectors, TopicSettings(rule=rule))
        assert found == find(sentences, vectors, TopicSettings(rule=rule))
        assert all(a.after_sentence < b.after_sentence for a, b in pairwise(found))
        for b in found:
            assert 0 <= b.after_sentence < count - 1
            assert b.time == sentences[b.after_sentence + 1].start
            assert not sentences[b.after_sentence + 1].doubts
            assert b.reasons


def test_percentile_is_a_quota_and_the_default_is_not() -> None:
    """One topic of twelve sentences: the percentile cuts it once, as it cuts everything; the default does not."""
    assert len(cut_after(said(12), talk(12), "percentile")) == 1
    assert cut_after(said(12), talk(12)) == []


def test_percentile_cuts_where_the_distance_is_above_the_percentile() -> None:
    angles = np.cumsum([0, 0.1, 0.2, 1.2, 0.1, 0.2])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    (only,) = find(said(6), vectors, TopicSettings(rule="percentile"))
    assert only.after_sentence == 2
    assert only.strength == pytest.approx(1 - np.cos(1.2), abs=1e-5)


@pytest.mark.parametrize("topics", [(6, 7), (5, 9, 6), (12, 4, 8, 10), (40, 60, 25, 80, 33)])
def test_the_default_finds_clear_topics_and_no_others(topics: tuple[int, ...]) -> None:
    assert cut_after(said(sum(topics)), talk(*topics)) == [int(n) - 1 for n in np.cumsum(topics)[:-1]]


def test_the_default_on_hours_of_talk() -> None:
    """More sentences than the exact programme takes: the likely gaps are enough."""
    assert cut_after(said(6000), talk(2000, 2500, 1500)) == [1999, 4499]


def test_doubtful_sentences_take_no_part_and_go_with_the_topic_before() -> None:
    sentences = said(12, frozenset({5, 6}))
    assert cut_after(sentences, talk(5, 5)) == [6]


def test_as_many_vectors_as_trusted_sentences() -> None:
    with pytest.raises(ValueError, match="4 sentences take part"):
        find(said(5, frozenset({2})), talk(5), TopicSettings())


def test_an_unknown_rule_lists_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="default, percentile"):
        find(said(3), talk(3), TopicSettings(rule="quantile"))


def test_neighbour_distances_are_cosine_distances() -> None:
    vectors = np.array([[1, 0], [0, 1], [0, 1], [0, -1]], np.float32)
    assert neighbour_distances(vectors).tolist() == [1, 0, 2]
