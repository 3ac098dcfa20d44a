"""Words without punctuation and the text that has it: each word gets its marks back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def places(words: Sequence[str], text: str) -> list[tuple[int, int]]:
    """Where the words stand in the text, one after the other, with nothing but marks between them.

    As many as can be found from the first one on: fewer than `words` where one is another than the text says.
    """
    found: list[tuple[int, int]] = []
    at = 0
    for word in words:
        wanted = word.strip()
        start = text.find(wanted, at) if wanted else -1
        if start < 0 or any(c.isalnum() for c in text[at:start]):
            break
        at = start + len(wanted)
        found.append((start, at))
    return found


def marked(found: Sequence[tuple[int, int]], text: str) -> list[str]:
    """The words at these places with the marks that touch them; marks between two blanks go to the word before."""
    cuts = [0, *(_cut(text, a[1], b[0]) for a, b in pairwise(found)), len(text)]
    return [text[a:b].strip() for a, b in pairwise(cuts)] if found else []


def _cut(text: str, end: int, start: int) -> int:
    """Where the next word begins: behind the last blank, or where it is without blanks."""
    blank = text.rfind(" ", end, start)
    return start if blank < 0 else blank + 1
