"""Words of sentences in any script, and how many of them the blocks on both sides of each gap share."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import log
from unicodedata import category, normalize

import numpy as np

from segmenter.topics.material import Array

# Written without blanks between words: Thai, Lao, Burmese, Khmer, kana, Han. Two characters side by side stand for a word.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
_PARTS = 1024  # of one: weights are counted in these, so that sums are whole numbers and never drift


@cache
def _runs() -> re.Pattern[str]:
    """Letters, numbers and the marks on them, apostrophes and hyphens inside; `\\w` alone cuts Hindi words at their vowels."""
    marks = "".join(c for c in map(chr, range(0x300, sys.maxunicode + 1)) if category(c) in ("Mn", "Mc"))
    letter = f"[^\\W{_UNSPACED}]"
    return re.compile(f"[{_UNSPACED}]+|{letter}(?:{letter}|[{marks}]|['’-](?={letter}))*")


def words(text: str) -> list[str]:
    """Case-folded, without the punctuation around them; those of one letter say nothing."""
    found: list[str] = []
    for run in _runs().findall(normalize("NFKC", text).casefold()):
        if re.match(f"[{_UNSPACED}]", run):
            found += [a + b for a, b in pairwise(run)] or [run]
        elif len(run) > 1:
            found.append(run)
    return found


def similarity(sentences: Sequence[Sequence[str]], width: int) -> Array:
    """Cosine of how often each word stands in the `width` sentences to the left and to the right of each gap, shape (n - 1,).

    A word weighs the more, the fewer sentences hold it, so that function words weigh little in any language; one that stands
    once in all takes no part. The blocks move on by one sentence at a time, so that no table of all words is made.
    """
    weights = _weights(sentences)
    rows = [[word for word in own if word in weights] for own in sentences]
    blocks = _Blocks(weights)
    for row in rows[:width]:
        blocks.right_grows(row, 1)
    found = np.zeros(max(0, len(rows) - 1))
    for gap in range(len(found)):
        blocks.right_grows(rows[gap], -1)
        blocks.left_grows(rows[gap], 1)
        if gap + width < len(rows):
            blocks.right_grows(rows[gap + width], 1)
        if gap >= width:
            blocks.left_grows(rows[gap - width], -1)
        found[gap] = blocks.cosine()
    return found


def _weights(sentences: Sequence[Sequence[str]]) -> dict[str, int]:
    """The square of each word's inverse document frequency."""
    said = Counter(word for own in sentences for word in own)
    holding = Counter(word for own in sentences for word in set(own))
    return {word: round(_PARTS * log(len(sentences) / holding[word]) ** 2) for word, count in said.items() if count > 1}


class _Blocks:
    """How often each word stands in two blocks, with their product and their squared lengths."""

    def __init__(self, weights: Mapping[str, int]) -> None:
        self._weights = weights
        self._left: Counter[str] = Counter()
        self._right: Counter[str] = Counter()
        self._shared = self._left_squared = self._right_squared = 0

    def left_grows(self, row: Sequence[str], by: int) -> None:
        """By a sentence that comes (1) or goes (-1)."""
        for word in row:
            self._shared += by * self._weights[word] * self._right[word]
            self._left_squared += self._weights[word] * (2 * by * self._left[word] + 1)
            self._left[word] += by

    def right_grows(self, row: Sequence[str], by: int) -> None:
        for word in row:
            self._shared += by * self._weights[word] * self._left[word]
            self._right_squared += self._weights[word] * (2 * by * self._right[word] + 1)
            self._right[word] += by

    def cosine(self) -> float:
        lengths = float(self._left_squared * self._right_squared) ** 0.5
        return self._shared / lengths if lengths else 0.0
