"""Pauses between pictures: a steady camera's are warnings, those of a changing rate notes, a time lapse has none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from segmenter.media.pauses import Pauses
from segmenter.records import Finding


def told(times: Sequence[float]) -> list[Finding]:
    pauses, found = Pauses(), list[Finding]()
    for time in times:
        pauses.see(time)
    pauses.tell(found.append)
    return found


def steady(rate_hz: float, *gaps: tuple[float, float], seconds: float = 60) -> list[float]:
    times = [i / rate_hz for i in range(round(seconds * rate_hz))]
    return [t for t in times if not any(start <= t < end for start, end in gaps)]


@pytest.mark.parametrize("rate_hz", [5, 10, 29.97, 60])
def test_a_gap_of_a_steady_camera_is_a_warning_with_its_place_and_what_is_missing(rate_hz: float) -> None:
    times = steady(rate_hz, (20, 24.5))
    (finding,) = told(times)
    assert (finding.code, finding.level) == ("picture_hole", "warning")
    assert finding.start == pytest.approx(20, abs=1 / rate_hz + 0.001)
    assert finding.end == pytest.approx(24.5, abs=1 / rate_hz + 0.001)
    assert f"{len(times)} of about" in finding.message
    expected = int(finding.message.partition("of about ")[2].split()[0])
    assert expected == pytest.approx(60 * rate_hz, abs=0.02 * 60 * rate_hz)  # steps are counted in milliseconds


def test_several_are_told_at_once() -> None:
    (finding,) = told(steady(10, (5, 8), (20, 25), (40, 42)))
    assert finding.start == pytest.approx(4.9)
    assert "2 times more" in finding.message


def test_a_changing_rate_is_no_loss() -> None:
    random = np.random.default_rng(1)
    times = np.cumsum(random.choice([0.03, 0.06, 0.1, 0.2, 1.5], 500, p=[0.3, 0.3, 0.2, 0.18, 0.02]))
    assert [finding.level for finding in told(times.tolist())] == ["note"]


@pytest.mark.parametrize("times", [[], [0.0], [0.0, 100.0], steady(0.2, seconds=600), steady(10), steady(10, (5, 5.9))])
def test_nothing_is_told_of_time_lapses_short_pauses_and_single_pictures(times: list[float]) -> None:
    assert told(times) == []
