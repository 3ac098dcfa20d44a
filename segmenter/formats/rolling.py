"""Captions that show again what the one before showed, each word kept once.

    rolling   one | one two | two three      lines move up, as video sites and broadcasters let them
    growing   so | so today | so today we    live captions write on in the line that is shown
    doubled   one | one | two | two          each caption stands in the file twice

Somebody may also say the same thing twice, so a file counts as one of these only as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from segmenter.formats.cues import Tally, split_words
from segmenter.formats.markup import opening_tags, plain


@dataclass(frozen=True, slots=True)
class Caption:
    start: float
    end: float
    lines: tuple[str, ...]


Shown = Sequence[Sequence[str]]  # the words of each line that is not blank
Carry = Callable[[Shown, Shown], int]  # how many words at the beginning of a caption the one before ended with

_FOLLOWS_S = 1.0  # rolling captions follow each other at once; converters leave up to half a second between them
_SCREEN_LINES, _SCREEN_WORDS = 4, 200  # no caption shows more at once
_MOST = 0.5  # of the captions that follow another carry something over
_GROWING = 2  # of them add something
_DIFFERENT = 3  # different words are carried, or somebody says "No. No. No."
_FLASH_S = 0.05  # a repeat so short was not made to be read; YouTube's are 0.01 s long
_DOUBLED, _DOUBLED_TEXTS = 0.8, 3  # share of the texts that stand there more than once, and how many: nobody says all twice
_CLEARLY = 0.1  # more captions must be explained by words than by whole lines, for lines are the better evidence
_MARKS = re.compile(r"[\W_]+")


def without_repeats(found: list[Caption], tally: Tally) -> list[Caption]:
    """The captions with each word where it first appeared; what was left out is counted by captions."""
    shown = [[words for line in caption.lines if (words := _words(line))] for caption in found]
    carried = _carried_over(found, shown)
    if any(carried):
        tally["transcript_rolling"] += sum(map(bool, carried))
        return _fresh(found, carried)
    kept = _undoubled(found, shown)
    tally["transcript_rolling"] += len(found) - len(kept)
    return kept


def _words(line: str) -> list[str]:
    return [word.strip(" ") for word in split_words(plain(line))]


def _flat(shown: Shown) -> list[str]:
    return list(chain.from_iterable(shown))


# --- rolling and growing ------------------------------------------------------------------------------------------


def _by_lines(before: Shown, after: Shown) -> int:
    """Lines at the end of one caption that stand at the beginning of the next."""
    most = min(len(before), len(after), _SCREEN_LINES)
    lines = next((n for n in range(most, 0, -1) if before[-n:] == after[:n]), 0)
    return sum(map(len, after[:lines]))


def _by_words(before: Shown, after: Shown) -> int:
    """Lines, or two words and more, or all words of the one before; marks and capitals may come later."""
    said, says = ([_MARKS.sub("", word).casefold() or word for word in _flat(one)] for one in (before, after))
    most = min(len(said), len(says), _SCREEN_WORDS)
    same = next((n for n in range(most, 0, -1) if said[-n] == says[0] and said[-n:] == says[:n]), 0)
    return max(_by_lines(before, after), same if same > 1 or same == len(said) else 0)


def _carried_over(found: Sequence[Caption], shown: Sequence[Shown]) -> list[int]:
    """How many words each caption only shows again; nothing but zeros where the file is neither rolling nor growing."""
    lines, words = (_carried(found, shown, carry) for carry in (_by_lines, _by_words))
    more = sum(map(bool, words)) - sum(map(bool, lines))
    by_words = more > _CLEARLY * len(found)
    if not _is_rolling(found, shown, words if by_words else lines):
        return [0] * len(found)
    return [
        n or _after_a_pause(shown[i - 1], shown[i]) if i and not _follows(found[i - 1], found[i]) else n
        for i, n in enumerate(words if by_words else lines)
    ]


def _carried(found: Sequence[Caption], shown: Sequence[Shown], carry: Carry) -> list[int]:
    pairs = zip(pairwise(found), pairwise(shown), strict=True)
    return [0, *(carry(*texts) if all(texts) and _follows(*captions) else 0 for captions, texts in pairs)][: len(found)]


def _follows(before: Caption, after: Caption) -> bool:
    return before.start < after.start <= before.end + _FOLLOWS_S


def _after_a_pause(before: Shown, after: Shown) -> int:
    """In a rolling file lines stay on the screen while nobody speaks; a caption of nothing else was said again."""
    carried = _by_lines(before, after)
    return carried if carried < len(_flat(after)) else 0


def _is_rolling(found: Sequence[Caption], shown: Sequence[Shown], carried: Sequence[int]) -> bool:
    neighbours = sum(all(texts) and _follows(*two) for two, texts in zip(pairwise(found), pairwise(shown), strict=True))
    sizes = [len(_flat(texts)) for texts in shown]
    flashes = any(
        0 < n == size and after.start == before.end and after.end - after.start <= _FLASH_S
        for (before, after), n, size in zip(pairwise(found), carried[1:], sizes[1:], strict=True)
    )
    growing = sum(0 < n < size for n, size in zip(carried, sizes, strict=True))
    different = {word for n, texts in zip(carried, shown, strict=True) for word in _flat(texts)[:n]}
    proven = len(different) >= _DIFFERENT and (flashes or growing >= _GROWING)
    return proven and sum(map(bool, carried)) > _MOST * neighbours


def _fresh(found: Sequence[Caption], carried: Sequence[int]) -> list[Caption]:
    fresh = ((caption, _behind(caption.lines, n)) for caption, n in zip(found, carried, strict=True))
    return [replace(caption, lines=kept) for caption, kept in fresh if any(map(plain, kept))]


def _behind(lines: tuple[str, ...], skip: int) -> tuple[str, ...]:
    """The lines behind their first words; the line that is cut keeps the tags before them alone."""
    kept = list(lines)
    while skip:
        line = kept.pop(0)
        words = list(split_words(plain(line)))
        if skip < len(words):
            kept.insert(0, opening_tags(line) + "".join(words[skip:]).strip(" "))
            break
        skip -= len(words)
    return tuple(kept)


# --- doubled ------------------------------------------------------------------------------------------------------


def _undoubled(found: list[Caption], shown: Sequence[Shown]) -> list[Caption]:
    """Where nearly every text stands there more than once in a row: each once, as long as all of its captions."""
    runs: list[list[Caption]] = []
    for i, caption in enumerate(found):
        if i and shown[i] and shown[i] == shown[i - 1] and (_follows(found[i - 1], caption) or caption == found[i - 1]):
            runs[-1].append(caption)
        else:
            runs.append([caption])
    doubled = [run for run in runs if len(run) > 1]
    texts = {tuple(map(plain, run[0].lines)) for run in doubled}
    if len(texts) < _DOUBLED_TEXTS or len(doubled) < _DOUBLED * len(runs):
        return found
    return [replace(run[0], end=max(caption.end for caption in run)) for run in runs]
