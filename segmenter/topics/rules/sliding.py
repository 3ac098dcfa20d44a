"""A window of tokens that moves on by a stride: every sentence is in several chunks."""

from __future__ import annotations

from segmenter.records import Passage
from segmenter.settings import TopicSettings
from segmenter.topics.limits import Sizes
from segmenter.topics.material import Levels, Material, Ruling, by_size, packed


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    sizes = Sizes.of(material, settings)

    def windows(levels: Levels) -> tuple[Passage, ...]:
        """One from the beginning of each step, at least over the step itself, until one reaches the end."""
        made: list[Passage] = []
        for step in levels[-1]:
            last = step.stop - 1
            while last < material.gaps and _fits(step.start, last + 1, sizes, settings.budget_tokens):
                last += 1
            made.append(Passage(step.start, last))
            if last == material.gaps:
                break
        return tuple(made)

    steps = packed(material.tokens, settings.stride_tokens)
    return by_size(steps, material, f"the window moves on by {settings.stride_tokens} tokens", windows)


def _fits(first: int, last: int, sizes: Sizes, budget: int) -> bool:
    tokens = sizes.before[last + 1] - sizes.before[first]
    return bool(tokens <= budget) and not sizes.long(first, last + 1)
