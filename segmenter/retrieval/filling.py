"""What is returned within a budget of tokens, and how the parts taken join to passages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


def fill(order: Iterable[int], tokens: Sequence[int] | NDArray[np.intp], budget: int) -> list[int]:
    """Sentences in this order until the next would pass the budget.

    A sentence that the order names twice is taken, and paid for, twice: that is what overlapping chunks cost.
    """
    taken, left = [], budget
    for i in order:
        left -= int(tokens[i])
        if left < 0:
            break
        taken.append(int(i))
    return taken


def merged(order: Iterable[int], owner: Sequence[int] | NDArray[np.intp], tokens: NDArray[np.intp], part: float) -> Iterator[int]:
    """The same order without repeats, but where `part` of a parent has come, the rest of it follows at once.

    `owner` is the parent of each sentence. After LlamaIndex's AutoMergingRetriever, which counts children; here their
    length counts.
    """
    sizes = np.bincount(owner, tokens)
    covered = np.zeros(len(sizes))
    members: defaultdict[int, list[int]] = defaultdict(list)
    for i, parent in enumerate(owner):
        members[int(parent)].append(i)
    taken: set[int] = set()
    for i in order:
        if i in taken:
            continue
        parent = int(owner[i])
        covered[parent] += tokens[i]
        rest = members[parent] if covered[parent] >= part * sizes[parent] else [i]
        new = [i, *(j for j in rest if j != i and j not in taken)]
        taken.update(new)
        yield from new


def passages(taken: Iterable[int], stretches: Sequence[int] | NDArray[np.intp]) -> list[tuple[int, int]]:
    """Neighbours among the sentences taken, joined: (first, last), both inclusive, in the order of the line.

    A passage never runs from one of the `stretches`, such as recordings, into the next; each sentence has its number.
    """
    found: list[tuple[int, int]] = []
    for i in sorted(set(taken)):
        if found and found[-1][1] == i - 1 and stretches[i - 1] == stretches[i]:
            found[-1] = (found[-1][0], i)
        else:
            found.append((i, i))
    return found
