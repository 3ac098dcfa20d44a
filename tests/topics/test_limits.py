"""Sizes of topics: kept wherever any cuts keep them, by every level, and by passages that overlap or lie in each other."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segmenter.records import Passage, Sentence
from segmenter.settings import Granularity, TopicSettings
from segmenter.topics.breaks import Decision, decide, find
from segmenter.topics.limits import Sizes, limited
from segmenter.topics.material import Cut, Material, Ruling, tokens

LEVELS: tuple[Granularity, ...] = ("coarse", "medium", "fine")
NONE = np.empty((0, 0), np.float32)


def talk(words: list[int], pauses: list[float] | None = None) -> list[Sentence]:
    """Sentences of so many words, half a second each, with pauses before them."""
    said, at = [], 0.0
    for count, pause in zip(words, pauses or [0.0] * len(words), strict=True):
        at += pause
        said.append(Sentence("word " * (count - 1) + "end.", at, at + count / 2))
        at += count / 2
    return said


def sizes(said: list[Sentence], first: int, stop: int) -> tuple[int, int, float]:
    return stop - first, sum(tokens(s.text) for s in said[first:stop]), said[stop - 1].end - said[first].start


def is_short(said: list[Sentence], first: int, stop: int, wanted: TopicSettings) -> bool:
    least = (wanted.min_sentences, wanted.min_tokens, wanted.min_s)
    return any(have < need for have, need in zip(sizes(said, first, stop), least, strict=True))


def is_long(said: list[Sentence], first: int, stop: int, wanted: TopicSettings) -> bool:
    most = (wanted.max_sentences, wanted.max_tokens, wanted.max_s)
    over = any(limit is not None and have > limit for have, limit in zip(sizes(said, first, stop), most, strict=True))
    return stop - first > 1 and over


def fewest_short(said: list[Sentence], wanted: TopicSettings) -> int:
    """Of all partitions without a topic too long, in the one that has the fewest."""
    n, best = len(said), len(said)
    for count in range(n):
        for inner in combinations(range(1, n), count):
            pieces = list(pairwise((0, *inner, n)))
            if not any(is_long(said, a, b, wanted) for a, b in pieces):
                best = min(best, sum(is_short(said, a, b, wanted) for a, b in pieces))
    return best


lengths = st.lists(st.integers(1, 20), min_size=2, max_size=9)


@settings(max_examples=60, deadline=None)
@given(lengths, st.integers(1, 3), st.integers(0, 20), st.integers(1, 50), st.integers(3, 30), st.sets(st.integers(0, 7)))
def test_no_cuts_would_leave_fewer_topics_too_short(
    words: list[int], min_sentences: int, min_tokens: int, more_tokens: int, max_s: int, at: set[int]
) -> None:
    """With limits in several units, against every possible partition."""
    said = talk(words)
    wanted = TopicSettings(
        min_sentences=min_sentences, max_sentences=7, min_tokens=min_tokens, max_tokens=min_tokens + more_tokens, max_s=max_s
    )
    material = Material(said, NONE)
    cuts = [Cut(i, 0.5, "topic") for i in sorted(at) if i < material.gaps]
    (made,) = limited(Ruling(cuts, np.arange(material.gaps, dtype=float), "place"), material, Sizes.of(material, wanted))
    pieces = list(pairwise((0, *(cut.after + 1 for cut in made), len(said))))
    assert not any(is_long(said, a, b, wanted) for a, b in pieces)
    short = sum(is_short(said, a, b, wanted) for a, b in pieces)
    assert short == fewest_short(said, wanted) or (len(pieces) == 1 and short == 1)


@settings(max_examples=60, deadline=None)
@given(lengths, st.integers(1, 4), st.integers(0, 40), st.sets(st.integers(0, 7)), st.integers(0, 9))
def test_of_cuts_beside_short_topics_the_strongest_together_are_kept(
    words: list[int], min_sentences: int, min_tokens: int, at: set[int], seed: int
) -> None:
    said = talk(words)
    wanted = TopicSettings(min_sentences=min_sentences, min_tokens=min_tokens)
    material, random = Material(said, NONE), np.random.default_rng(seed)
    cuts = [Cut(i, float(random.integers(0, 5) / 4), "topic") for i in sorted(at) if i < material.gaps]
    (made,) = limited(Ruling(cuts, np.zeros(material.gaps), "none"), material, Sizes.of(material, wanted))

    def keeps(chosen: tuple[Cut, ...]) -> bool:
        pieces = pairwise((0, *(cut.after + 1 for cut in chosen), len(said)))
        return not chosen or not any(is_short(said, a, b, wanted) for a, b in pieces)

    every = [chosen for count in range(len(cuts) + 1) for chosen in combinations(cuts, count)]
    best = max(sum(0.1 + cut.strength for cut in chosen) for chosen in every if keeps(chosen))
    assert keeps(tuple(made))
    assert sum(0.1 + cut.strength for cut in made) == pytest.approx(best)


def test_a_minimum_above_a_rules_own_size_joins_its_chunks_two_by_two() -> None:
    found = find(talk([5] * 40), NONE, TopicSettings(rule="fixed", budget_tokens=24, min_tokens=40))
    assert [b.after_sentence for b in found] == [7, 15, 23, 31]


def test_minima_and_maxima_in_different_units() -> None:
    """Two sentences of eight tokens at a time are eight seconds, three are twelve: no limit need leave one alone."""
    said = talk([7] * 8)
    wanted = TopicSettings(rule="fixed", budget_tokens=1000, min_sentences=2, min_tokens=14, min_s=6, max_s=11)
    ends = [0, *(b.after_sentence + 1 for b in find(said, NONE, wanted)), 8]
    assert all(b - a in (2, 3) for a, b in pairwise(ends))


def test_a_limit_cuts_evenly_where_no_gap_is_likelier() -> None:
    found = find(talk([5] * 20), NONE, TopicSettings(rule="fixed", budget_tokens=1000, max_sentences=10))
    assert [b.after_sentence for b in found] == [9]
    found = find(talk([5] * 21), NONE, TopicSettings(rule="fixed", budget_tokens=1000, max_sentences=10))
    assert [b.after_sentence for b in found] == [6, 13]


def test_a_limit_cuts_at_the_likeliest_gap() -> None:
    material = Material(talk([5] * 20), NONE)
    scores = np.zeros(19)
    scores[6] = 1
    (made,) = limited(Ruling([], scores, "score"), material, Sizes.of(material, TopicSettings(max_sentences=15)))
    assert [cut.after for cut in made] == [6]


def test_topics_of_the_rule_stay_where_limits_cut_beside_them() -> None:
    material = Material(talk([5] * 30), NONE)
    cut = Cut(7, 0.9, "topic")
    (made,) = limited(Ruling([cut], np.zeros(29), "score"), material, Sizes.of(material, TopicSettings(max_sentences=12)))
    assert cut in made
    assert [one.reason for one in made if one != cut] == ["limit: the topic would be too long"]


def topics_of(
    counts: list[int], spread: float, seed: int
) -> tuple[list[Sentence], np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    random = np.random.default_rng(seed)
    centres = np.eye(64)[: len(counts)]
    rows = [c + spread * random.normal(size=(n, 64)) / 8 for c, n in zip(centres, counts, strict=True)]
    vectors = np.vstack(rows)
    said = talk(random.integers(3, 14, sum(counts)).tolist(), random.choice([0.0, 0.2, 3.0], sum(counts)).tolist())
    return said, (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(3, 30), min_size=1, max_size=6),
    st.floats(0.3, 4),
    st.integers(0, 1000),
    st.sampled_from(
        [
            {"max_s": 40.0},
            {"max_tokens": 60},
            {"max_sentences": 8},
            {"min_s": 15.0, "max_s": 60.0},
            {"min_s": 30.0},
            {"min_tokens": 50},
            {"min_sentences": 6},
            {"min_sentences": 3, "max_tokens": 90},
        ]
    ),
)
def test_a_finer_cut_keeps_every_break_of_a_coarser_one_under_any_limit(
    counts: list[int], spread: float, seed: int, limits: dict[str, float]
) -> None:
    said, vectors = topics_of(counts, spread, seed)
    wanted = TopicSettings(**limits)  # type: ignore[arg-type]
    coarse, medium, fine = (
        {b.after_sentence for b in find(said, vectors, replace(wanted, granularity=level))} for level in LEVELS
    )
    assert coarse <= medium <= fine


def test_levels_take_over_limits_and_refine_within_them() -> None:
    """The coarse cut is too near an edge and dropped, a limit stands in its place; the fine cut at its side is kept."""
    material = Material(talk([5] * 24), NONE)
    scores = np.zeros(23)
    scores[11] = 1
    ruling = Ruling([Cut(1, 0.3, "a"), Cut(5, 0.8, "fine")], scores, "score", coarser=([Cut(1, 0.3, "a")],))
    sizes_of = Sizes.of(material, TopicSettings(min_sentences=3, max_sentences=16))
    coarse, fine = limited(ruling, material, sizes_of)
    assert [cut.after for cut in coarse] == [11]
    assert [(cut.after, cut.reason) for cut in fine] == [(5, "fine"), (11, "limit: the topic would be too long")]


def passages(rule: str, said: list[Sentence], **more: object) -> tuple[Passage, ...]:
    return decide(said, NONE, TopicSettings(rule=rule, **more)).passages  # type: ignore[arg-type]


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(["hierarchical", "sliding", "sentences"]),
    st.lists(st.integers(1, 30), min_size=2, max_size=50),
    st.integers(1, 12),
    st.integers(10, 120),
)
def test_passages_keep_the_greatest_sizes_and_leave_nothing_out(
    rule: str, words: list[int], max_sentences: int, max_tokens: int
) -> None:
    said = talk(words)
    wanted = TopicSettings(rule=rule, max_sentences=max_sentences, max_tokens=max_tokens, hierarchy_tokens=(200, 80, 30))
    decision = decide(said, NONE, wanted)
    assert not any(is_long(said, p.first, p.last + 1, wanted) for p in decision.passages)
    for level in {p.level for p in decision.passages}:
        assert {i for p in decision.passages if p.level == level for i in range(p.first, p.last + 1)} == set(range(len(said)))


@pytest.mark.parametrize("rule", ["hierarchical", "sliding", "sentences"])
@pytest.mark.parametrize("least", [{"min_sentences": 7}, {"min_tokens": 90}, {"min_s": 40.0}])
def test_passages_keep_the_least_sizes(rule: str, least: dict[str, float]) -> None:
    said = talk([3, 9, 5, 14, 7, 2] * 12)
    wanted = TopicSettings(rule=rule, hierarchy_tokens=(200, 60, 20), budget_tokens=60, stride_tokens=30, **least)  # type: ignore[arg-type]
    found = decide(said, NONE, wanted).passages
    assert len(found) > 3
    assert not any(is_short(said, p.first, p.last + 1, wanted) for p in found)


def nested(decision: Decision) -> bool:
    return all(
        (parent := decision.passages[p.parent]).level == p.level - 1 and parent.first <= p.first <= p.last <= parent.last
        for p in decision.passages
        if p.parent is not None
    )


def test_chunks_in_chunks_stay_nested_under_limits() -> None:
    said = talk([3, 9, 5, 14, 7, 2] * 12)
    wanted = TopicSettings(rule="hierarchical", hierarchy_tokens=(200, 60, 20), min_s=6, max_s=45)
    decision = decide(said, NONE, wanted)
    assert nested(decision)
    leaves = [p for p in decision.passages if p.level == 2]
    assert [p.last for p in leaves[:-1]] == [b.after_sentence for b in decision.breaks]


def test_windows_overlap_and_packs_say_the_last_sentence_again() -> None:
    """Sentences of six tokens: windows of four move on by two; packs of four begin with the last of the one before."""
    said = talk([5] * 10)
    windows = passages("sliding", said, budget_tokens=24, stride_tokens=12)
    assert [(p.first, p.last) for p in windows] == [(0, 3), (2, 5), (4, 7), (6, 9)]
    packs = passages("sentences", said, budget_tokens=24, overlap_sentences=1)
    assert [(p.first, p.last) for p in packs] == [(0, 3), (3, 7), (7, 9)]


def test_a_doubtful_sentence_between_passages_stays_with_the_one_before() -> None:
    said = talk([5] * 8)
    said[4] = replace(said[4], doubts=("repeated",))
    found = passages("sentences", said, budget_tokens=24, overlap_sentences=0)
    assert [(p.first, p.last) for p in found] == [(0, 4), (5, 7)]
