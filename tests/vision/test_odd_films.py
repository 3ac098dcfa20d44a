"""The same visit in many kinds of file is the same event, to a look; what a file lost is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from odd_films import SECONDS, VISIT, broken, even, film

from segmenter import Segmentation, Settings, segment

STEP_S = 0.1  # a tenth of a second from look to look
SETTINGS = Settings().changed("vision", tracker="motion").changed("speech", enabled=False)
HEVC = {"preset": "ultrafast", "x265-params": "log-level=none"}
GROUPS = {"g": "10"}


def jittered() -> list[float]:
    random = np.random.default_rng(1)
    return [0.0, *(round(t + float(random.uniform(-0.04, 0.04)), 3) for t in even()[1:])]


def with_gap() -> list[float]:
    return [t for t in even() if not 9.0 <= t < 12.0]


KINDS: dict[str, Callable[[Path], Path]] = {
    "plain": lambda d: film(d / "a.mp4", even()),
    "rotated 90": lambda d: film(d / "a.mp4", even(), rotation=90),
    "rotated 270": lambda d: film(d / "a.mp4", even(), rotation=270),
    "variable rate": lambda d: film(d / "a.mp4", jittered()),
    "variable rate, Matroska": lambda d: film(d / "a.mkv", jittered()),
    "30 pictures a second": lambda d: film(d / "a.mp4", even(29.97)),
    "odd size": lambda d: film(d / "a.mkv", even(), size=(321, 181), codec="ffv1"),
    "gif": lambda d: film(d / "a.gif", even(), codec="gif", pix_fmt="rgb8"),
    "10 bits": lambda d: film(d / "a.mp4", even(), codec="libx265", pix_fmt="yuv420p10le", options=HEVC),
    "gap": lambda d: film(d / "a.mkv", with_gap()),
    "broken MP4": lambda d: broken(film(d / "a.mp4", even(), options=GROUPS), (0.75, 0.8)),
    "broken transport stream": lambda d: broken(film(d / "a.ts", even(), options=GROUPS), (0.75, 0.8)),
    "broken Matroska": lambda d: broken(film(d / "a.mkv", even(), options=GROUPS), (0.75, 0.8)),
}
LOST = {
    "gap": {"picture_hole"},
    "broken MP4": {"picture_damaged", "picture_hole"},
    "broken transport stream": {"picture_damaged"},
    "broken Matroska": {"picture_damaged", "picture_hole"},
}


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Segmentation]:
    done: dict[str, Segmentation] = {}

    def look(kind: str) -> Segmentation:
        if kind not in done:
            done[kind] = segment(KINDS[kind](tmp_path_factory.mktemp("odd")), SETTINGS)
        return done[kind]

    return look


@pytest.mark.parametrize("kind", KINDS)
def test_the_event_is_at_its_time(looked_at: Callable[[str], Segmentation], kind: str) -> None:
    found = looked_at(kind)
    (event,) = found.events
    assert event.start == pytest.approx(VISIT[0], abs=2 * STEP_S)  # at its first moment it is all but outside
    assert event.end == pytest.approx(VISIT[1], abs=STEP_S)
    assert found.recording.duration == pytest.approx(SECONDS, abs=STEP_S)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_lost_is_told_and_nothing_else(looked_at: Callable[[str], Segmentation], kind: str) -> None:
    warnings = {finding.code: finding for finding in looked_at(kind).health if finding.level == "warning"}
    assert set(warnings) == LOST.get(kind, set())
    for finding in warnings.values():
        assert finding.start is not None
        assert finding.start > VISIT[1]


def test_the_broken_part_costs_no_more_than_itself(looked_at: Callable[[str], Segmentation]) -> None:
    """The packets that could not be decoded are counted against all there are."""
    (damage,) = (finding for finding in looked_at("broken MP4").health if finding.code == "picture_damaged")
    lost, _, total = damage.message.removeprefix("damaged: ").split()[:3]
    assert 1 <= int(lost) <= 20
    assert int(total) == len(even())


def test_one_picture_is_no_event(tmp_path: Path) -> None:
    found = segment(film(tmp_path / "a.mp4", [0.0]), SETTINGS)
    assert found.events == ()
    assert len(found.chunks) == 1
