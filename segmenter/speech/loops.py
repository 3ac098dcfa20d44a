"""Loops: a model that says the same words over and over. All turns but the first are cut off."""

from __future__ import annotations

import re
from collections.abc import Sequence

from segmenter.records import Word
from segmenter.speech.hearing import LOOP_RATIO, compression_ratio

_LONGEST = 24  # words of one turn
_TURNS = 3  # people say a thing twice


def without_loops(words: Sequence[Word]) -> tuple[tuple[Word, ...], float]:
    """The words with each loop's first turn alone, and how well the best packing loop packs (0: there is none)."""
    kept, ratio = list(words), 0.0
    said = [re.sub(r"\W+", "", word.text).casefold() for word in kept]
    first = 0
    while first < len(kept):
        size, end = _loop(kept, said, first)
        if size:
            ratio = max(ratio, _ratio(kept[first:end]))
            del kept[first + size : end], said[first + size : end]
        first += 1
    return tuple(kept), ratio


def _loop(words: Sequence[Word], said: Sequence[str], first: int) -> tuple[int, int]:
    """Words of a turn, and the word behind the last turn, of the loop that begins with word `first`; (0, first): none."""
    for size in range(1, min(_LONGEST, (len(said) - first) // _TURNS) + 1):
        end = first + size
        while said[end : end + size] == said[first : first + size]:
            end += size
        # "No, no, no, no" is a loop by its turns alone, and speech by how little it packs.
        if end - first >= _TURNS * size and _ratio(words[first:end]) > LOOP_RATIO:
            return size, end
    return 0, first


def _ratio(words: Sequence[Word]) -> float:
    return compression_ratio("".join(word.text for word in words))
