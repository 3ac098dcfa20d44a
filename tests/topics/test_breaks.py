"""Topic breaks: what every rule of the table keeps, and the right values of each."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from segmenter.errors import SettingsError
from segmenter.records import Sentence
from segmenter.settings import Granularity, TopicSettings
from segmenter.topics.breaks import RULES, decide, find, trusted
from segmenter.topics.distances import neighbour_distances
from segmenter.topics.material import tokens

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


OFFLINE = [name for name, row in RULES.items() if row.needs != "server"]
BY_VECTORS = [name for name, row in RULES.items() if row.needs == "vectors"]


@pytest.mark.parametrize("rule", OFFLINE)
class TestEveryRule:
    def test_nothing_to_cut(self, rule: str) -> None:
        assert cut_after((), talk(), rule) == []
        assert cut_after(said(1), talk(1), rule) == []

    def test_two_sentences_and_a_thousand(self, rule: str) -> None:
        assert set(cut_after(said(2), talk(1, 1), rule)) <= {0}
        assert all(0 <= i < 999 for i in cut_after(said(1000), talk(400, 300, 300), rule))

    def test_one_sentence_of_ten_thousand_words(self, rule: str) -> None:
        sentences = (Sentence("word " * 10_000, 0, 4000), *(replace(s, start=s.start + 4000, end=s.end + 4000) for s in said(5)))
        found = find(sentences, talk(1, 5), TopicSettings(rule=rule))
        assert all(b.time == sentences[b.after_sentence + 1].start for b in found)

    def test_the_same_sentence_again_and_again(self, rule: str) -> None:
        sentences = tuple(Sentence("Again.", i * 2.0, i * 2 + 1.0) for i in range(60))
        assert cut_after(sentences, np.repeat(talk(1), 60, axis=0), rule) == []

    def test_greatest_sizes_hold(self, rule: str) -> None:
        sentences = said(90)
        found = find(sentences, talk(30, 30, 30), TopicSettings(rule=rule, max_sentences=12, max_tokens=80, max_s=20))
        ends = [0, *(b.after_sentence + 1 for b in found), 90]
        for first, stop in pairwise(ends):
            assert stop - first <= 12
            assert sentences[stop - 1].end - sentences[first].start <= 20
            assert sum(tokens(s.text) for s in sentences[first:stop]) <= 80

    @pytest.mark.parametrize("least", [{"min_sentences": 7}, {"min_tokens": 60}, {"min_s": 15.0}])
    def test_least_sizes_hold(self, rule: str, least: dict[str, float]) -> None:
        sentences = said(90)
        found = find(sentences, talk(*[9] * 10, spread=2), TopicSettings(rule=rule, **least))  # type: ignore[arg-type]
        ends = [0, *(b.after_sentence + 1 for b in found), 90]
        for first, stop in pairwise(ends):
            assert stop - first >= least.get("min_sentences", 1)
            assert sum(tokens(s.text) for s in sentences[first:stop]) >= least.get("min_tokens", 0)
            assert sentences[stop - 1].end - sentences[first].start >= least.get("min_s", 0)

    @settings(max_examples=25, deadline=None)
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


@pytest.mark.parametrize("rule", BY_VECTORS)
class TestRulesByVectors:
    def test_equal_vectors_are_one_topic(self, rule: str) -> None:
        budget = TopicSettings(rule=rule, budget_tokens=10_000)
        assert find(said(30), np.repeat(talk(1), 30, axis=0), budget) == ()

    def test_a_vector_that_is_not_finite_is_refused(self, rule: str) -> None:
        vectors = talk(5, 5)
        vectors[3, 7] = np.nan
        with pytest.raises(ValueError, match="not finite"):
            cut_after(said(10), vectors, rule)

    def test_clear_topics_are_found_by_all_but_the_gradient(self, rule: str) -> None:
        """The gradient is highest one gap early, where the distance begins to rise."""
        found = cut_after(said(120), talk(40, 50, 30), rule)
        assert {39, 89} <= set(found) or (rule == "gradient" and {38, 88} <= set(found))


@pytest.mark.parametrize("rule", [name for name in BY_VECTORS if RULES[name].counts])
@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_a_given_number_of_topics(rule: str, count: int) -> None:
    settings = TopicSettings(rule=rule, topics_count=count)
    assert len(find(said(60), talk(20, 20, 20, spread=2), settings)) == count - 1


def test_a_length_of_topics_is_a_number_of_them() -> None:
    """Two minutes of talk by half minutes."""
    found = find(said(60), talk(20, 20, 20), TopicSettings(topic_length_s=30))
    assert len(found) == 3


def test_a_rule_that_cannot_count_says_which_can() -> None:
    with pytest.raises(SettingsError, match="default, percentile"):
        find(said(9), talk(9), TopicSettings(rule="fixed", topics_count=2))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(3, 30), min_size=1, max_size=6), st.floats(0.3, 4), st.integers(0, 1000))
def test_a_finer_cut_keeps_every_break_of_a_coarser_one(topics: list[int], spread: float, seed: int) -> None:
    sentences, vectors = said(sum(topics)), talk(*topics, spread=spread, seed=seed)
    levels: tuple[Granularity, ...] = ("coarse", "medium", "fine")
    coarse, medium, fine = (
        {b.after_sentence for b in find(sentences, vectors, TopicSettings(granularity=level))} for level in levels
    )
    assert coarse <= medium <= fine


def test_a_limit_says_that_it_is_one() -> None:
    found = find(said(40), talk(40), TopicSettings(max_sentences=15))
    assert found
    assert all(b.reasons == ("limit: the topic would be too long",) for b in found)


def test_every_gap_is_explained() -> None:
    sentences = said(30)
    decision = decide(sentences, talk(14, 16), TopicSettings(rule="percentile"))
    assert decision.ruling.scores.shape == (29,)
    above = np.flatnonzero(decision.ruling.scores > (decision.ruling.threshold or 0)).tolist()
    assert above == [cut.after for cut in decision.cuts] == [b.after_sentence for b in decision.breaks]


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


@pytest.mark.parametrize("place", [0, 5, 11])
def test_a_sentence_longer_than_the_limit_stands_alone(place: int) -> None:
    sentences = [replace(sentence, text="word " * 200) if i == place else sentence for i, sentence in enumerate(said(12))]
    found = find(sentences, talk(12), TopicSettings(max_tokens=80))
    after = [one.after_sentence for one in found]
    assert len(after) == len(set(after))
    assert {a for a in (place - 1, place) if 0 <= a < 11} <= set(after)
