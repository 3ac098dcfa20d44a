"""The largest natural pieces that fit: paragraphs, else lines, else sentences (after LangChain's recursive splitter).

In a transcript a pause of seconds or an empty line ends a paragraph; a line break or a new speaker ends a line. A
sentence is never cut: its end is the last time that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.material import Material, Ruling, by_size

_PARAGRAPH_PAUSE_S = 2.0


def _paragraph(a: Sentence, b: Sentence) -> bool:
    return b.start - a.end >= _PARAGRAPH_PAUSE_S or a.text.endswith("\n\n") or b.text.startswith("\n\n")


def _line(a: Sentence, b: Sentence) -> bool:
    return a.speaker != b.speaker or a.text.endswith("\n") or b.text.startswith("\n")


_SEPARATORS: tuple[Callable[[Sentence, Sentence], bool], ...] = (_paragraph, _line, lambda _a, _b: True)


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    pieces = _pieces(material, range(len(material.sentences)), settings.budget_tokens, _SEPARATORS)
    made = [piece[-1] for piece in pieces[:-1]]
    return by_size(made, material, f"the largest pieces within {settings.budget_tokens} tokens")


def _pieces(
    material: Material, span: range, budget: int, separators: Sequence[Callable[[Sentence, Sentence], bool]]
) -> list[range]:
    """The span cut at its first separator where it is too large, small neighbours joined again while they fit."""
    if len(span) == 1 or not separators or _size(material, span) <= budget:
        return [span]
    said = material.sentences
    at = [i + 1 for i in span[:-1] if separators[0](said[i], said[i + 1])]
    parts = [range(a, b) for a, b in pairwise([span.start, *at, span.stop])]
    joined: list[range] = []
    filled = 0
    for part in parts:
        size = _size(material, part)
        if joined and filled + size <= budget:
            joined[-1] = range(joined[-1].start, part.stop)
            filled += size
        else:
            joined += _pieces(material, part, budget, separators[1:])
            filled = _size(material, joined[-1])
    return joined


def _size(material: Material, span: range) -> int:
    return sum(material.tokens[span.start : span.stop])
