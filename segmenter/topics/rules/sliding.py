"""A window of tokens that moves on by a stride: every sentence is in several chunks."""

from __future__ import annotations

from itertools import accumulate

from segmenter.settings import TopicSettings
from segmenter.topics.material import Material, Passage, Ruling, by_size, packed


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    steps = packed(material.tokens, settings.stride_tokens)
    before = [0, *accumulate(material.tokens)]
    passages, last = [], -1
    for first in [0, *(i + 1 for i in steps)]:
        if last == material.gaps:
            break  # the window before reached the end
        last = max(first, last)
        while last < material.gaps and before[last + 2] - before[first] <= settings.budget_tokens:
            last += 1
        passages.append(Passage(first, last))
    return by_size(steps, material, f"the window moves on by {settings.stride_tokens} tokens", tuple(passages))
