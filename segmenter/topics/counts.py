"""A number of topics that was asked for: from a length, for rules that know no number but their own, and what it came to."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import replace
from math import ceil

import numpy as np

from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.limits import Sizes
from segmenter.topics.material import Array, Cut, Misses, Ruling


def asked_for(said: Sequence[Sentence], settings: TopicSettings) -> int | None:
    """The number of topics, as given or from the length wanted."""
    if settings.topic_length_s is None:
        return settings.topics_count
    return ceil((said[-1].end - said[0].start) / settings.topic_length_s)


def highest(ruling: Ruling, count: int) -> Ruling:
    """So many gaps of the highest scores, for rules that know no other number than their own."""
    scores: Array = ruling.scores
    best = sorted(np.argsort(-scores, kind="stable")[:count].tolist())
    reason = f"among the {count} highest: {ruling.measure}"
    cuts = [Cut(i, float(np.clip(scores[i], 0, 1)), f"{reason} {scores[i]:.2f}") for i in best]
    return replace(ruling, cuts=cuts, threshold=None, misses=below_the_last(scores, [cut.after for cut in cuts]))


def below_the_last(scores: Array, cuts: Sequence[int]) -> Misses:
    """How far each gap is below the lowest that was cut; where none was, below the highest, which was not enough."""
    if not cuts:
        return Misses(scores.max() - scores, "below the highest, which is no break")
    return Misses(scores[list(cuts)].min() - scores, "below the least of the breaks made")


def filled(cuts: Sequence[Cut], ruling: Ruling, sizes: Sizes, count: int) -> list[Cut]:
    """More cuts at the gaps that came closest, where a rule made fewer, as far as the least sizes allow.

    Where nothing tells the gaps apart, none is better than another, and none is cut.
    """
    total = len(ruling.scores) + 1
    ends, made, taken = [0, *(cut.after + 1 for cut in cuts), total], list(cuts), {cut.after for cut in cuts}
    closest = [int(gap) for gap in np.lexsort((-ruling.scores, ruling.missed.by)) if gap not in taken]
    if len(closest) > 1 and not np.ptp(ruling.scores[closest]):
        return made
    for gap in closest:
        if len(made) + 1 >= count:
            break
        at = bisect_left(ends, gap + 1)
        if not (sizes.short(ends[at - 1], gap + 1) or sizes.short(gap + 1, ends[at])):
            insort(ends, gap + 1)
            made.append(Cut(gap, 0.1, f"to make {count} topics: {ruling.measure} {ruling.scores[gap]:.2f}"))
    return sorted(made, key=lambda cut: cut.after)


def shortage(made: int, sentences: int, settings: TopicSettings) -> str:
    """Why fewer topics were made than asked for, where there are sentences enough."""
    if made == sentences:
        return ""
    if settings.min_sentences > 1 or settings.min_tokens or settings.min_s:
        return ": others would be shorter than the least sizes"
    return ": no other gap is likelier than the rest"
