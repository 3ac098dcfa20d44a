"""Motion before a still background: events of made-up scenes to half a second, and of recordings of known truth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import count, islice, pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from scenes import HEIGHT, WIDTH, Grey, Painter, crossing, filmed, walker, wall

from segmenter.media.frames import Frame, VideoFrames
from segmenter.media.probe import probe
from segmenter.records import Finding, Observation
from segmenter.settings import VisionSettings
from segmenter.vision.events import events
from segmenter.vision.motion import DELAY_S, MotionTracker

SETTINGS = VisionSettings(tracker="motion")
Spans = list[tuple[float, float]]


def seen(frames: Iterable[Frame]) -> list[Observation]:
    return list(MotionTracker(SETTINGS).track(frames))


def event_spans(observations: Iterable[Observation], duration: float) -> Spans:
    return [(event.start, event.end) for event in events(observations, duration, SETTINGS)[0]]


def found(*painters: Painter, seconds: float, rate_hz: float = 10.0, times: list[float] | None = None) -> Spans:
    return event_spans(seen(filmed(*painters, seconds=seconds, rate_hz=rate_hz, times=times)), seconds)


def near(expected: Spans, within: float = 0.5) -> object:
    return [pytest.approx(span, abs=within) for span in expected]


# --- what happens to a scene without anybody coming --------------------------------------------------------------


def lamp_on(picture: Grey, time: float) -> Grey:
    return picture + (25 if time > 5 else 0)


def half_exposure(picture: Grey, time: float) -> Grey:
    return picture * np.float32(0.5 if time > 5 else 1)


def dusk(picture: Grey, time: float) -> Grey:
    return picture - np.float32(30 * min(1, max(0, (time - 4) / 4)))


def flicker(picture: Grey, time: float) -> Grey:
    return picture * np.float32(1 + 0.08 * np.sign(np.sin(2 * np.pi * 3 * time)))


def shake(picture: Grey, time: float) -> Grey:
    by = np.random.default_rng(round(time * 1000)).integers(-1, 2, 2)
    return np.roll(picture, (int(by[0]), int(by[1])), (0, 1))


def sway(picture: Grey, time: float) -> Grey:
    """The mast of the camera leans to and fro."""
    shift = np.array([[1, 0, 2 * np.sin(time)], [0, 1, np.sin(0.7 * time)]], np.float32)
    return np.asarray(cv2.warpAffine(picture, shift, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT), np.float32)


def snow(picture: Grey, time: float) -> Grey:
    rng = np.random.default_rng(round(time * 1000))
    picture[rng.integers(0, HEIGHT, 60), rng.integers(0, WIDTH, 60)] = 230
    return picture


def insect(picture: Grey, time: float) -> Grey:
    if 5 < time < 6:
        cv2.circle(picture, (round(WIDTH * (time - 5)), 30), 3, 20, -1)
    return picture


def cloud(picture: Grey, time: float) -> Grey:
    """A soft shadow, 40 % darker, passes from left to right."""
    edge = np.abs(np.arange(WIDTH) - 40 * (time - 5)) - 25
    return np.asarray(picture * (1 - 0.4 / (1 + np.exp(edge / 4))), np.float32)


def headlight(picture: Grey, time: float) -> Grey:
    """A spot of light sweeps over the wall."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    spot = np.exp(-(((x - 60 * (time - 5)) / 18) ** 2) - ((y - 50) / 14) ** 2)
    return np.asarray(picture * (1 + 0.6 * spot), np.float32)


def balloon(picture: Grey, time: float) -> Grey:
    """Hangs there all the time, and swings."""
    cv2.circle(picture, (round(40 + 3 * np.sin(3 * time)), 30), 12, 220, -1)
    return picture


DISTURBANCES = (
    lamp_on,
    half_exposure,
    dusk,
    flicker,
    shake,
    sway,
    snow,
    insect,
    cloud,
    headlight,
    balloon,
)


def test_nothing_is_reported_where_nobody_comes() -> None:
    assert found(seconds=14) == []


@pytest.mark.parametrize("disturbance", DISTURBANCES)
def test_the_visitor_and_nothing_else_is_reported_whatever_the_picture_does(disturbance: Painter) -> None:
    assert found(crossing(9.0, 13.0), disturbance, seconds=18) == near([(9.0, 13.0)])


# --- who comes, stands, parks, leaves ----------------------------------------------------------------------------


def test_two_visitors_one_after_the_other_are_two_events() -> None:
    assert found(crossing(4.0, 8.0), crossing(11.0, 15.0), seconds=20) == near([(4.0, 8.0), (11.0, 15.0)])


def test_a_visitor_who_stands_for_ten_seconds_is_one_event() -> None:
    assert found(walker((4, -7), (6, 80), (16, 80), (18, 167)), seconds=22) == near([(4.0, 18.0)])


def test_what_parks_for_good_is_in_view_until_it_stops() -> None:
    assert found(walker((4, -7), (8, 90), (70, 90)), seconds=70) == near([(4.0, 8.0)])


def test_what_has_parked_for_long_and_drives_off_opens_a_new_event() -> None:
    assert found(walker((4, -7), (8, 90), (48, 90), (51, 167)), seconds=56) == near([(4.0, 8.0), (48.0, 51.0)])


def test_who_still_stands_at_the_end_is_there_until_the_end() -> None:
    assert found(walker((6, -7), (8, 80), (99, 80)), seconds=14) == near([(6.0, 14.0)])


def test_who_walks_off_in_the_first_seconds_was_there_from_the_start() -> None:
    assert found(walker((-2, -7), (4, 167)), seconds=10) == near([(0.0, 4.0)])


def test_two_at_a_time_are_two_tracks_of_one_event() -> None:
    other = walker((4, WIDTH + 7), (9, -7), y=20)
    frames = filmed(walker((4, -7), (9, WIDTH + 7), y=70), other, seconds=14)
    assert [len(event.tracks) for event in events(seen(frames), 14.0, SETTINGS)[0]] == [2]


def test_a_dark_scene_shows_its_visitors_too() -> None:
    def night(picture: Grey, _: float) -> Grey:
        return picture * np.float32(0.15)

    assert found(crossing(6.0, 10.0), night, seconds=15) == near([(6.0, 10.0)])


def test_after_a_knock_at_the_camera_visitors_are_found_again() -> None:
    def knock(picture: Grey, time: float) -> Grey:
        return picture if time < 8 else wall(seed=6)

    spans = found(knock, crossing(20.0, 24.0), seconds=29)
    assert spans[-1:] == near([(20.0, 24.0)])
    assert all(end < 16 for _, end in spans[:-1])


# --- sightings ---------------------------------------------------------------------------------------------------


def test_sightings_lie_on_the_visitor_and_say_what_they_are() -> None:
    for observation in seen(filmed(walker((3, 20), (9, 140)), seconds=10)):
        for sighting in observation.sightings:
            x = float(np.interp(observation.time, (3, 9), (20, 140))) / WIDTH
            assert (sighting.track, sighting.label) == (1, "moving")
            assert 0 < sighting.confidence <= 1
            assert sighting.box.left < x < sighting.box.right
            assert sighting.box.top < 60 / HEIGHT < sighting.box.bottom
            assert sighting.box.right - sighting.box.left < 0.3


def test_every_frame_gives_one_observation_at_its_time() -> None:
    frames = list(filmed(crossing(2.0, 5.0), seconds=8))
    assert [o.time for o in seen(frames)] == [f.time for f in frames]


def test_each_call_starts_anew() -> None:
    tracker = MotionTracker(SETTINGS)
    first, second = (list(tracker.track(filmed(crossing(3.0, 6.0), seconds=9))) for _ in range(2))
    assert first == second
    assert {s.track for o in first for s in o.sightings} == {1}


def test_no_frame_gives_no_observation() -> None:
    assert seen([]) == []


@pytest.mark.parametrize("size", [(1, 1), (2, 300), (300, 2), (17, 15), (1080, 1920)])
def test_pictures_of_any_size_are_taken(size: tuple[int, int]) -> None:
    frames = [Frame(i / 4, np.full((*size, 3), 90, np.uint8)) for i in range(12)]
    assert seen(frames) == [Observation(f.time) for f in frames]


# --- time --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate_hz", [5.0, 7.3, 20.0])
def test_the_frame_rate_changes_nothing(rate_hz: float) -> None:
    assert found(walker((4, -7), (6, 80), (11, 80), (13, 167)), seconds=17, rate_hz=rate_hz) == near([(4.0, 13.0)])


def test_frames_left_out_while_nobody_is_there_change_nothing() -> None:
    times = [*np.arange(0, 3, 0.1), *np.arange(3, 25, 5.0), *np.arange(28, 36, 0.1), *np.arange(36, 60, 8.0)]
    assert found(crossing(30.0, 34.0), seconds=60, times=times) == near([(30.0, 34.0)])


def test_a_later_start_shifts_everything_alike() -> None:
    frames = list(filmed(crossing(3.0, 6.0), seconds=9, rate_hz=8))
    later = seen(Frame(f.time + 1024, f.image) for f in frames)  # binary fractions: no rounding
    assert [Observation(o.time - 1024, o.sightings) for o in later] == seen(frames)


def test_observations_come_a_bounded_time_behind_the_frames() -> None:
    taken = 0.0

    def endless() -> Iterator[Frame]:
        nonlocal taken
        for i in count():
            taken = i / 4
            yield Frame(taken, np.full((9, 16, 3), 90, np.uint8))

    observations = MotionTracker(SETTINGS).track(endless())
    assert all(taken - observation.time <= DELAY_S + 1 for observation in islice(observations, 400))


# --- recordings of known truth -----------------------------------------------------------------------------------


def recorded(path: Path) -> tuple[Spans, list[Finding]]:
    findings: list[Finding] = []
    recording = probe(path, findings.append)
    frames = VideoFrames(recording, recording.video[0], findings.append, 1 / MotionTracker.rate_hz)
    return event_spans(seen(frames), recording.duration), findings


@pytest.mark.parametrize(("name", "within"), [("one_by_one", 1.0), ("car_detection", 0.5), ("people", 0.5), ("rain_palms", 0.0)])
def test_events_of_real_recordings(shared: Path, name: str, within: float) -> None:
    truth = json.loads((shared / "video" / "events.json").read_text())[f"{name}.mp4"]
    spans, findings = recorded(shared / "video" / f"{name}.mp4")
    assert spans == near([(event["start"], event["end"]) for event in truth["events"]], within)
    assert [finding for finding in findings if finding.level == "warning"] == []
    assert all(a[1] < b[0] for a, b in pairwise(spans))
