"""Found tracks against true ones, on cases whose figures can be counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.evaluate import tracks
from segmenter.records import Box, Observation, Sighting

pytest.importorskip("motmetrics")


def seen(*boxes: tuple[int, float], time: float) -> Observation:
    """Tracks and the left edges of their boxes, a tenth of the picture wide."""
    return Observation(time, tuple(Sighting(track, "person", 0.9, Box(x, 0.4, x + 0.1, 0.6)) for track, x in boxes))


def compared(found: list[Observation], true: list[Observation]) -> dict[str, float | None]:
    return tracks.figures({"a": tracks.accumulate(found, true, most_apart_s=0.05)})["a"]


TRUE = [seen((1, 0.1), (2, 0.5), time=i / 10) for i in range(10)]


def test_the_truth_itself_is_perfect_under_other_numbers() -> None:
    figures = compared([seen((7, 0.1), (3, 0.5), time=i / 10) for i in range(10)], TRUE)
    assert (figures["mota"], figures["idf1"], figures["motp"], figures["switches"]) == (1.0, 1.0, 1.0, 0)
    assert (figures["true_boxes"], figures["looks"]) == (20, 10)


def test_a_miss_an_invention_and_a_switch_cost_one_each() -> None:
    found = [seen((1, 0.1), (2, 0.5), time=i / 10) for i in range(5)]
    found += [seen((1, 0.1), (9, 0.5), time=i / 10) for i in range(5, 8)]  # a new number
    found += [seen((1, 0.1), time=0.8), seen((1, 0.1), (9, 0.5), (4, 0.8), time=0.9)]  # one missed, one invented
    figures = compared(found, TRUE)
    assert figures["mota"] == pytest.approx(1 - 3 / 20)
    assert (figures["switches"], figures["recall"], figures["precision"]) == (1, 19 / 20, 19 / 20)


def test_only_what_was_looked_at_counts() -> None:
    """Twice a second is asked for two in ten true pictures."""
    assert compared(TRUE[::5], TRUE)["true_boxes"] == 4
    assert compared([seen((1, 0.1), time=20.0)], TRUE)["looks"] == 0


def test_boxes_that_share_too_little_are_not_the_same() -> None:
    assert compared([seen((1, 0.14), time=0.0)], [seen((1, 0.1), time=0.0)])["recall"] == 0  # 0.06 of 0.14
    assert compared([seen((1, 0.13), time=0.0)], [seen((1, 0.1), time=0.0)])["recall"] == 1  # 0.07 of 0.13


def test_several_recordings_have_figures_together() -> None:
    good, bad = tracks.accumulate(TRUE, TRUE, 0.05), tracks.accumulate([Observation(o.time) for o in TRUE], TRUE, 0.05)
    figures = tracks.figures({"good": good, "bad": bad})
    assert [figures[name]["recall"] for name in ("good", "bad", "all")] == [1.0, 0.0, 0.5]


@given(st.lists(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 8).map(lambda i: i / 10)), max_size=3), max_size=8))
def test_the_truth_itself_is_perfect(boxes: list[list[tuple[int, float]]]) -> None:
    true = [seen(*{track: (track, x) for track, x in some}.values(), time=i / 5) for i, some in enumerate(boxes)]
    figures = compared(true, true)
    assert figures["switches"] == 0 or any(len({x for _, x in some}) < len(some) for some in boxes)  # two at one place
    assert figures["recall"] in (1.0, None)
