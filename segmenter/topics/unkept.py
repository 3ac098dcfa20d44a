"""Sizes of topics that could not be kept: a sentence is never cut, and two limits may exclude each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from segmenter.records import Finding, Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import Decision
from segmenter.topics.material import tokens


def unkept(decision: Decision, sentences: Sequence[Sentence], settings: TopicSettings) -> list[Finding]:
    """A note where topics are shorter or longer than was asked for; one topic alone may be short."""
    said = [sentences[i] for i in decision.index]
    sizes = [0, *accumulate(tokens(sentence.text) for sentence in said)]
    edges = [0, *(cut.after + 1 for cut in decision.cuts), len(said)]
    have = [(b - a, sizes[b] - sizes[a], said[b - 1].end - said[a].start) for a, b in pairwise(edges) if a < b]
    least = (settings.min_sentences, settings.min_tokens, settings.min_s)
    most = (settings.max_sentences, settings.max_tokens, settings.max_s)
    short = sum(any(h < need for h, need in zip(one, least, strict=True)) for one in have) if len(have) > 1 else 0
    long = sum(any(limit is not None and h > limit for h, limit in zip(one, most, strict=True)) for one in have)
    if not short and not long:
        return []
    parts = [f"{count} {how}" for count, how in ((short, "shorter"), (long, "longer")) if count]
    message = f"of {len(have)} topics {' and '.join(parts)} than asked for: a sentence is never cut, and a maximum comes first"
    return [Finding("topic_sizes", message, level="note")]
