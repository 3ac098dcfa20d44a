"""Loops: a model that says the same words over and over, and no sound carries them. All turns but the first are cut off.

People repeat themselves too. Then each turn takes about the same time, word for word. An invented turn is laid over
whatever sound there is: its words take nothing, or seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from statistics import median
from typing import NamedTuple

from segmenter import timeline
from segmenter.records import Span, Word
from segmenter.speech.hearing import LOOP_RATIO, compression_ratio
from segmenter.speech.transcriber import Passage

_LONGEST = 24  # words of one turn
_TURNS = 3  # people say a thing twice
# Of the turns of 21 loops at most a quarter strayed so little from the typical turn, of repeated speech four in five.
_STRAY, _CARRIED = 0.5, 0.5  # of a turn's time, summed over its words; of the turns
_LEAST = 0.5  # of the typical turn's time has each turn that stays
_FASTEST = 40.0  # characters a second; fast speech has 25

Turns = Sequence[Sequence[Word]]


class Cut(NamedTuple):
    """The words that are left, how well the best packing loop packs (0: there is none), and where repetition stands."""

    words: tuple[Word, ...]
    ratio: float
    loops: tuple[Span, ...]


def without_loops(words: Sequence[Word]) -> Cut:
    """The words with each loop's first turn alone; turns that sound carries stay, where each word has a time of its own."""
    left, ratio, loops = list[Word](), 0.0, list[Span]()
    for turns in _turns(words):
        kept = _carried(turns)
        if not kept:
            kept = turns[:1]
            ratio = max(ratio, _ratio(list(chain(*turns))))
        if len(turns) > 1:
            loops.append(Span(kept[0][0].start, kept[-1][-1].end))
        left += chain(*kept)
    return Cut(tuple(left), ratio, tuple(loops))


def unlooped(passage: Passage) -> Passage:
    """A passage without its loops, with the ratio of what is left, and where repetition stands in it."""
    words, _, loops = without_loops(passage.words)
    return replace(passage, words=words, loops=loops, compression_ratio=packed(words))


def packed(words: Sequence[Word]) -> float:
    """How well the text packs, with what people repeat told once: high for loops."""
    return _ratio([word for turns in _turns(words) for turn in (turns[:1] if _carried(turns) else turns) for word in turn])


def _turns(words: Sequence[Word]) -> Iterator[Turns]:
    """The words in order: the turns of each repetition together, every other word as its own and only turn."""
    said = [re.sub(r"\W+", "", word.text).casefold() for word in words]
    at = 0
    while at < len(words):
        size, end = _loop(words, said, at)
        yield [words[i : i + size] for i in range(at, end, size)]
        at = end


def _loop(words: Sequence[Word], said: Sequence[str], first: int) -> tuple[int, int]:
    """Words of a turn, and the word behind the last turn, of the loop that begins with word `first`; one word: none."""
    for size in range(1, min(_LONGEST, (len(said) - first) // _TURNS) + 1):
        end = first + size
        while said[end : end + size] == said[first : first + size]:
            end += size
        # "No, no, no, no" is a loop by its turns alone, and speech by how little it packs.
        if end - first >= _TURNS * size and _ratio(words[first:end]) > LOOP_RATIO:
            return size, end
    return 1, first + 1


def _carried(turns: Turns) -> Turns:
    """The turns that sound carries; none where most stray, or the typical one is faster than people speak."""
    if len(turns) == 1:
        return turns
    if any(word.probability is None for word in chain(*turns)):
        return []
    typical = [median(map(timeline.length, same)) for same in zip(*turns, strict=True)]
    usual = sum(typical)
    alike = sum(_strayed(turn, typical) <= _STRAY * usual for turn in turns)
    if alike <= _CARRIED * len(turns) or sum(len(word.text) for word in turns[0]) > _FASTEST * usual:
        return []
    return [turn for turn in turns if sum(map(timeline.length, turn)) >= _LEAST * usual]


def _strayed(turn: Sequence[Word], typical: Sequence[float]) -> float:
    return sum(abs(timeline.length(word) - usual) for word, usual in zip(turn, typical, strict=True))


def _ratio(words: Sequence[Word]) -> float:
    return compression_ratio("".join(word.text for word in words))
