"""How strategies cut a transcript into passages: (first, last) sentence, both inclusive, overlapping or not."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from segmenter.evaluate.questions import Material
from segmenter.settings import TopicSettings
from segmenter.topics import breaks
from segmenter.topics.material import packed

Passages = list[tuple[int, int]]
Cutter = Callable[[Material], Passages]


def fixed(budget: int, overlap: float = 0.0) -> Cutter:
    """Whole sentences up to `budget` word-pieces; each passage says again at most that share of it from the one before."""

    def cut(material: Material) -> Passages:
        if not overlap:
            return spans(packed(material.tokens, budget), len(material.tokens))
        return _overlapping(material.tokens, budget, round(overlap * budget))

    return cut


def parents(budget: int) -> Cutter:
    """As the program cuts them: by what there is to read."""
    return lambda material: spans(packed(material.sizes, budget), len(material.sizes))


def spans(cuts: list[int], count: int) -> Passages:
    return [(a + 1, b) for a, b in pairwise([-1, *cuts, count - 1])]


def _overlapping(tokens: list[int], budget: int, again: int) -> Passages:
    found: Passages = []
    first = 0
    while True:
        last = _until(tokens, first, budget)
        found.append((first, last))
        if last == len(tokens) - 1:
            return found
        back = last + 1
        while back - 1 > first and sum(tokens[back - 1 : last + 1]) <= again:
            back -= 1
        first = back if _until(tokens, back, budget) > last else last + 1  # a long sentence must not stop the way


def _until(tokens: list[int], first: int, budget: int) -> int:
    """The last sentence that fits; at least the first."""
    last, filled = first, tokens[first]
    while last + 1 < len(tokens) and filled + tokens[last + 1] <= budget:
        last += 1
        filled += tokens[last]
    return last


def by_rule(rule: str, **values: Any) -> Cutter:
    """The passages of a topic rule, as `segmenter run --topics` makes them."""
    settings = TopicSettings(rule=rule, **values)

    def cut(material: Material) -> Passages:
        vectors = material.vectors if breaks.needs_vectors(rule) else np.empty((0, 0), np.float32)
        decision = breaks.decide(material.asked.sentences, vectors, settings)
        return [(passage.first, passage.last) for passage in decision.passages] or [(0, len(material.texts) - 1)]

    return cut
