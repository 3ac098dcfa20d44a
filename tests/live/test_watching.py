"""Watching files, as fast as possible: the events of a run, a clip of each, and what is open in the end is closed."""

from __future__ import annotations

from pathlib import Path
from threading import Event as Signal

import numpy as np
import pytest
from streamed_films import MOTION, film

from segmenter.live.recorder import LiveEvent
from segmenter.live.sources import source
from segmenter.live.watching import Watched, watch
from segmenter.media.frames import VideoFrames
from segmenter.media.probe import probe
from segmenter.pipeline import Segmenter
from segmenter.records import Event, Finding
from segmenter.settings import Settings

VISITS = ((4.0, 7.0), (14.0, 17.0))


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(tmp_path_factory.mktemp("street") / "street.mp4", 22, VISITS)


def watched(path: Path, settings: Settings, how: Watched, findings: list[Finding] | None = None) -> list[LiveEvent]:
    told = [] if findings is None else findings
    return list(watch(source(str(path), told.append), settings, how, told.append, Signal()))


def of_a_run(path: Path, settings: Settings) -> tuple[Event, ...]:
    return Segmenter(settings).segment(path).events


def rounded(event: Event) -> tuple[object, ...]:
    tracks = tuple((t.id, t.label, round(t.start, 3), round(t.end, 3)) for t in event.tracks)
    return event.id, round(event.start, 3), round(event.end, 3), event.labels, tracks, event.continues


def images(path: Path) -> dict[float, np.ndarray]:
    recording = probe(path, lambda _: None)
    return {round(f.time, 2): f.image for f in VideoFrames(recording, recording.video[0], lambda _: None)}


@pytest.mark.parametrize("suffix", ["mp4", "ts"])
def test_a_film_has_the_events_of_a_run(tmp_path: Path, suffix: str) -> None:
    path = film(tmp_path / f"street.{suffix}", 12, VISITS[:1])
    found = watched(path, MOTION, Watched(as_fast=True))
    assert [rounded(live.event) for live in found] == [rounded(event) for event in of_a_run(path, MOTION)]
    assert [live.event.start for live in found] == pytest.approx([4], abs=0.5)
    assert {live.clip for live in found} == {live.utc for live in found} == {None}


def test_real_footage_has_the_events_of_a_run(shared: Path, tmp_path: Path) -> None:
    path = shared / "video" / "street_cars.mp4"
    found = watched(path, MOTION, Watched(clips=tmp_path, as_fast=True))
    assert [rounded(live.event) for live in found] == [rounded(event) for event in of_a_run(path, MOTION)]
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(live.clip.file for live in found if live.clip)
    assert len(found) == 2


def test_a_long_event_is_cut_into_parts_with_a_clip_each(tmp_path: Path) -> None:
    """Also where it is longer than what memory keeps."""
    path = film(tmp_path / "street.mp4", 24, [(3, 20)])
    settings = MOTION.changed("vision", max_event_s=6.0)
    (tmp_path / "clips").mkdir()
    found = watched(path, settings, Watched(clips=tmp_path / "clips", as_fast=True))
    assert [rounded(live.event) for live in found] == [rounded(event) for event in of_a_run(path, settings)]
    assert [live.event.continues for live in found] == [None, 1, 2]
    for live in found:
        assert live.clip is not None
        assert live.clip.start == pytest.approx(max(live.clip.wanted_start // 1, 0), abs=0.01)
        assert live.clip.end >= live.event.end


def test_clips_show_their_events_picture_for_picture_and_with_sound(street: Path, tmp_path: Path) -> None:
    found = watched(street, MOTION, Watched(clips=tmp_path, as_fast=True))
    assert len(found) == len(VISITS)
    film_images = images(street)
    for live, (start, end) in zip(found, VISITS, strict=True):
        clip = live.clip
        assert clip is not None
        assert clip.wanted_start == pytest.approx(start - 2, abs=0.5)
        assert clip.start <= clip.wanted_start < clip.start + 1.01  # a keyframe each second
        assert clip.wanted_end <= clip.end + 0.001
        assert clip.end == pytest.approx(end + 2, abs=1.0)
        shown = images(tmp_path / clip.file)
        assert all(np.array_equal(image, film_images[round(time + clip.start, 2)]) for time, image in shown.items())
        assert len(shown) == pytest.approx(10 * (clip.end - clip.start), abs=1)
        assert probe(tmp_path / clip.file, lambda _: None).audio[0].end == pytest.approx(clip.end - clip.start, abs=0.15)
    assert len(list(tmp_path.iterdir())) == len(found)


def test_neighbours_pre_rolls_begin_where_the_clip_before_ends(tmp_path: Path) -> None:
    path = film(tmp_path / "street.mp4", 20, [(4, 7), (10, 13)], keyframe_s=0.1)
    (tmp_path / "clips").mkdir()
    one, other = watched(path, MOTION, Watched(clips=tmp_path / "clips", as_fast=True))
    assert one.clip is not None
    assert other.clip is not None
    assert one.clip.wanted_end == other.clip.wanted_start
    assert other.clip.start == pytest.approx(one.clip.end, abs=0.15)


def test_too_little_memory_costs_clips_and_no_events(street: Path, tmp_path: Path) -> None:
    findings: list[Finding] = []
    found = watched(street, MOTION.changed("live", memory_mb=0.005), Watched(clips=tmp_path, as_fast=True), findings)
    assert [rounded(live.event) for live in found] == [rounded(event) for event in of_a_run(street, MOTION)]
    for live in found:
        late = live.clip is None or live.clip.start > live.clip.wanted_start
        assert late
    assert {f.code for f in findings} <= {"clip_failed", "clip_late"}
    assert len([f for f in findings if f.code.startswith("clip")]) == len(found)
    assert len(list(tmp_path.iterdir())) == sum(live.clip is not None for live in found)


def test_who_stops_early_gets_what_was_open_then(street: Path, tmp_path: Path) -> None:
    (live,) = watched(street, MOTION, Watched(clips=tmp_path, as_fast=True, seconds=6.0))
    assert live.event.start == pytest.approx(4, abs=0.5)
    assert live.event.end == pytest.approx(6, abs=0.2)
    assert live.clip is not None
    assert live.clip.end == pytest.approx(6, abs=0.2)


def test_at_its_own_speed_a_film_is_stopped_in_good_order(street: Path) -> None:
    stop = Signal()
    events = watch(source(str(street), lambda _: None), MOTION, Watched(), lambda _: None, stop)
    stop.set()
    assert list(events) == []


def test_who_leaves_leaves_no_unfinished_clip(street: Path, tmp_path: Path) -> None:
    stop = Signal()
    events = watch(source(str(street), lambda _: None), MOTION, Watched(clips=tmp_path, as_fast=True), lambda _: None, stop)
    first = next(events)
    events.close()  # type: ignore[attr-defined]
    assert stop.is_set()
    assert first.clip is not None
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]
