"""Which packets can be copied: from one that needs no earlier ones to where a run of pictures ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.clips.lane import Unfit
from segmenter.clips.smart import Seen, parted


def group(start: int, runs: list[int]) -> list[Seen]:
    """A group of pictures as it is decoded: a keyframe, then runs whose last picture comes before those it encloses."""
    order = [start]
    for length in runs:
        order += [order_end(order) + length, *range(order_end(order) + 1, order_end(order) + length)]
    return [Seen(pts, start + i - 2, i == 0) for i, pts in enumerate(order)]


def order_end(order: list[int]) -> int:
    return max(order)


GROUPS = [*group(0, [3, 3, 3]), *group(10, [3, 3, 3]), *group(20, [3, 3, 3])]


@pytest.mark.parametrize(
    ("begin", "end", "copied"),
    [
        (0, 30, range(0, 30)),
        (1, 30, range(10, 30)),
        (10, 20, range(10, 20)),
        (5, 19, range(10, 17)),  # 19 is decoded before 17 and 18
        (5, 15, range(10, 14)),
        (5, 11, range(10, 11)),
    ],
)
def test_runs_are_copied_whole(begin: int, end: int, copied: range) -> None:
    before, middle, after = parted(GROUPS, begin, end)
    assert [*before, *middle, *after] == GROUPS
    assert sorted(seen.pts for seen in middle) == list(copied)


@pytest.mark.parametrize(("begin", "end"), [(1, 9), (21, 30), (11, 20)])
def test_without_a_keyframe_inside_nothing_is_copied(begin: int, end: int) -> None:
    with pytest.raises(Unfit, match="no keyframe"):
        parted(GROUPS, begin, end)


@given(
    st.lists(st.lists(st.integers(1, 5), max_size=4), min_size=1, max_size=5),
    st.integers(0, 60),
    st.integers(1, 60),
)
def test_what_is_copied_is_shown_without_a_gap_and_before_the_rest(runs: list[list[int]], begin: int, length: int) -> None:
    seen: list[Seen] = []
    for each in runs:
        seen += group(len(seen), each)
    try:
        _, middle, after = parted(seen, begin, begin + length)
    except Unfit:
        assert not any(s.opens and begin <= s.pts < begin + length for s in seen)
        return
    shown = sorted(s.pts for s in middle)
    assert shown == list(range(shown[0], shown[-1] + 1))
    assert begin <= shown[0] <= shown[-1] < begin + length
    assert all(s.pts > shown[-1] for s in after)
