"""Which clips there will be: rolls that never overlap, names that every file system takes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.clips.plan import planned, rolled
from segmenter.records import Box, Chunk, Event, Recording, Segmentation, Track, View
from segmenter.settings import ClipSettings

DURATION = 100.0


def event(number: int, start: float, end: float, label: str = "person") -> Event:
    return Event(number, start, end, (Track(1, label, start, end, View(start, Box(0, 0, 1, 1), 0.9)),), (label,))


def found(*events: Event) -> Segmentation:
    chunk = Chunk("r-0", 0.0, 60.0, "both", "", None, (), (), (), (), ("start",), ("limit",))
    chunks = (chunk, replace(chunk, id="r-1", start=60.0, end=DURATION, kind="idle"))
    return Segmentation(Recording("a.mp4", "r", DURATION, "counted"), {}, {}, (), (), events, (), chunks, ())


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(10, 20)], [(7, 24)]),
        ([(1, 99)], [(0, 100)]),
        ([(10, 20), (30, 40)], [(7, 24), (27, 44)]),
        ([(10, 20), (22, 40)], [(7, 21), (21, 44)]),  # in the middle of the gap
        ([(10, 20), (26, 40)], [(7, 23), (23, 44)]),
        ([(10, 20), (20, 40)], [(7, 20), (20, 44)]),
    ],
)
def test_rolls_are_added_and_shared(spans: list[tuple[float, float]], expected: list[tuple[float, float]]) -> None:
    assert rolled(spans, pre=3, post=4, duration=100) == expected


def test_where_the_middle_is_beyond_a_roll_they_meet_at_its_end() -> None:
    """Nothing that one of them may show is given away."""
    assert rolled([(10, 20), (26, 40)], pre=5.5, post=1, duration=100) == [(4.5, 21), (21, 41)]


@given(
    st.lists(st.floats(0, DURATION), min_size=2, max_size=20, unique=True).map(sorted),
    st.floats(0, 30),
    st.floats(0, 30),
)
def test_rolled_spans_are_disjoint_hold_their_own_and_stay_inside(times: list[float], pre: float, post: float) -> None:
    spans = list(zip(times[::2], times[1::2], strict=False))
    wide = rolled(spans, pre, post, DURATION)
    assert all(a[1] <= b[0] for a, b in pairwise(wide))
    for (start, end), (begin, until) in zip(spans, wide, strict=True):
        assert 0 <= begin <= start
        assert end <= until <= DURATION
        assert start - pre <= begin + 1e-9
        assert until <= end + post + 1e-9


def test_clips_of_events_are_named_by_number_time_and_label() -> None:
    names = [clip.name for clip in planned(found(event(1, 5, 9), event(2, 65.3, 70, "traffic light")), ClipSettings())]
    assert names == ["event-0001_00-00-05_person", "event-0002_00-01-05_traffic-light"]


@pytest.mark.parametrize("label", ["../../etc/passwd", "a:b*c?", "x" * 500, "\x1b[31m", "..", "人"])
def test_no_label_makes_a_bad_name(label: str) -> None:
    (clip,) = planned(found(event(1, 5, 9, label)), ClipSettings())
    assert not set(clip.name) & set('/\\:*?"<>|\x1b\n')
    assert len(clip.name.encode()) < 200
    assert clip.name.startswith("event-0001_00-00-05_")


def test_chunks_have_no_rolls_between_them() -> None:
    clips = planned(found(event(1, 5, 9)), ClipSettings(of="chunks"))
    assert [(c.kind, c.id, c.start, c.end, c.name) for c in clips] == [
        ("chunk", "r-0", 0.0, 60.0, "chunk-0001_00-00-00_both"),
        ("chunk", "r-1", 60.0, 100.0, "chunk-0002_00-01-00_idle"),
    ]
