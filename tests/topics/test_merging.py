"""Which neighbouring segments become one, on segments whose likeness is known."""

from __future__ import annotations

import numpy as np
import pytest

from segmenter.topics.merging import Segments
from segmenter.topics.partition import prefix

_SIZE, _COUNT = 10, 5


def merged(alike: dict[tuple[int, int], float], beyond: float) -> list[int]:
    """The ends left of five segments of ten equal sentences; those not named are not alike at all."""
    gram = np.eye(_COUNT)
    for (a, b), value in alike.items():
        gram[a, b] = gram[b, a] = value
    vectors = np.repeat(np.linalg.cholesky(gram), _SIZE, axis=0)
    ends = list(range(0, _SIZE * _COUNT + 1, _SIZE))
    segments = Segments(prefix(vectors), ends, noise=1e-6)
    segments.merge(0.3, np.zeros(_SIZE * _COUNT - 1), beyond=beyond)
    return segments.ends


NEIGHBOURS = {(0, 1): 0.5}
VARIED = {(0, 2): 0.3, (0, 3): -0.3, (0, 4): 0.3, (1, 3): -0.3, (1, 4): 0.3, (2, 4): -0.3}
TAKEN_UP_AGAIN = {(2, 4): 0.9}


@pytest.mark.parametrize(
    ("distant", "beyond", "whole"),
    [
        ({}, 2.0, True),  # no distant parts differ in likeness
        (VARIED, 2.0, False),  # two of their deviations are .6
        (VARIED, 1.0, True),
        (VARIED, 0.0, True),
        (TAKEN_UP_AGAIN, 2.0, True),  # a topic that comes back does not say how much different topics differ
    ],
)
def test_neighbours_become_one_where_they_are_more_alike_than_distant_parts_differ(
    distant: dict[tuple[int, int], float], beyond: float, whole: bool
) -> None:
    assert merged(NEIGHBOURS | distant, beyond) == ([0] if whole else [0, 10]) + [20, 30, 40, 50]
