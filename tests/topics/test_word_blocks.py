"""Words of any script, and what blocks of sentences share of them, without a table of all words."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import find
from segmenter.topics.gap_features import distance
from segmenter.topics.word_blocks import similarity, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The pump, the “pump” – and (pump)!", ["the", "pump", "the", "pump", "and", "pump"]),
        ("It's the state-of-the-art oil.", ["it's", "the", "state-of-the-art", "oil"]),
        ("Straße GROSS", ["strasse", "gross"]),
        ("पानी की कमी", ["पानी", "की", "कमी"]),
        ("北京大学", ["北京", "京大", "大学"]),
        ("水。", ["水"]),
        ("น้ำมัน oil", ["น้ำ"[:2], "้ำ", "ำม", "มั", "ัน", "oil"]),
    ],
)  # fmt: skip
def test_words(text: str, expected: list[str]) -> None:
    if text.startswith("น"):  # composed otherwise in normal form
        assert words(text)[-1] == "oil"
        assert all(len(word) == 2 for word in words(text)[:-1])
        return
    assert words(text) == expected


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from([*"abcdefghij"]), max_size=6), min_size=2, max_size=30), st.integers(1, 12))
def test_it_is_the_cosine_of_the_blocks_counts(sentences: list[list[str]], width: int) -> None:
    """The same as from a whole table, words weighed by how few sentences hold them, without those that stand once."""
    said = Counter(word for own in sentences for word in own)
    holding = Counter(word for own in sentences for word in set(own))
    kept = [word for word in sorted(said) if said[word] > 1]
    weights = [np.log(len(sentences) / holding[word]) for word in kept] or [0.0]
    table = np.array([[own.count(word) for word in kept] or [0] for own in sentences], float) * weights
    np.testing.assert_allclose(similarity(sentences, width), 1 - distance(table, width), atol=2e-3)


def texts(*topics: list[str], each: int = 40, blanks: bool = True) -> list[Sentence]:
    chosen = random.Random(4)
    lines = [chosen.choices(topic, k=6) for topic in topics for _ in range(each)]
    return [Sentence((" " if blanks else "").join(line) + "。", 3.0 * i, 3.0 * i + 2.5) for i, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("first", "second", "blanks"),
    [
        (
            ["oil", "gas", "rig", "sea", "pit", "ore", "tar"],
            ["cat", "dog", "hen", "pig", "cow", "fox", "owl"],
            True,
        ),
        (["石油", "天然", "海洋", "钻井", "平台", "管道"], ["猫咪", "小狗", "母鸡", "奶牛", "狐狸", "蜜蜂"], False),
        (["น้ำมัน", "ทะเล", "แท่น", "ท่อ", "ก๊าซ"], ["แมว", "หมา", "ไก่", "หมู", "วัว"], False),
    ],
)
def test_short_words_and_scripts_without_blanks_count(first: list[str], second: list[str], blanks: bool) -> None:
    said = texts(first * 5, second * 5, blanks=blanks)
    found = [b.after_sentence for b in find(said, np.empty((0, 0), np.float32), TopicSettings(rule="texttiling_words"))]
    assert any(abs(after - 39) <= 1 for after in found)


def test_hours_of_talk_need_little_memory() -> None:
    """4,000 sentences of 20,000 words; a table of 2,000 kinds alone would be 64 MB."""
    chosen = random.Random(1)
    rows = [[f"w{int(chosen.paretovariate(0.4)) % 100_000}" for _ in range(5)] for _ in range(4_000)]
    tracemalloc.start()
    similarity(rows, 10)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6
