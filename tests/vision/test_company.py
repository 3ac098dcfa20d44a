"""Who counts as there, by what the detector says and whether its pixels agree."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from segmenter.records import Box, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.blobs import Blob
from segmenter.vision.company import Company, Moment, has_travelled, passes
from segmenter.vision.trails import Trail
from segmenter.vision.watch import Glance

SETTINGS = VisionSettings()
HERE = Box(0.4, 0.4, 0.6, 0.8)
Seen = tuple[str, float, Box]


def there(
    seen: Callable[[float], Seen | None],
    stirred: Callable[[float], float],
    seconds: float = 30.0,
    look_s: float = 0.2,
    passing: Callable[[float], Box | None] = lambda _: None,
) -> list[float]:
    """The times, ten a second, at which somebody counts as there; `stirred` is the share of all pixels that changes."""
    company, trail = Company(SETTINGS), Trail(HERE, 0.0, 0.0, 0.0, visitor=True)
    out: list[Moment] = []
    rank = np.random.default_rng(3).random((90, 160))
    for i in range(round(10 * seconds)):
        time = i / 10
        passer = passing(time)
        moment = Moment(time, [], [(trail, Blob(passer, 0.5, 0.5, 2.0))] if passer else [])
        look = seen(time) if i % round(10 * look_s) == 0 else None
        sightings = [Sighting(7, *look)] if look else []
        out += company.add(moment, Glance(time, [], rank < stirred(time)), sightings)
    out += company.rest()
    assert [moment.time for moment in out] == [i / 10 for i in range(round(10 * seconds))]
    return [moment.time for moment in out if moment.present]


def sits(
    label: str = "person", start: float = 10.0, end: float = 20.0, confidence: float = 0.8
) -> Callable[[float], Seen | None]:
    return lambda time: (label, confidence, HERE) if start <= time <= end else None


def fidgets(time: float) -> float:
    """Half a second of stirring in every two."""
    return 0.1 if time % 2 < 0.5 else 0.0


def walking(label: str) -> Callable[[float], Seen]:
    """Stands until 10 s, goes to the right for 4 s, stands again."""

    def seen(time: float) -> Seen:
        left = 0.1 + 0.1 * min(4.0, max(0.0, time - 10))
        return label, 0.8, Box(left, 0.4, left + 0.2, 0.8)

    return seen


def goes(time: float) -> float:
    return 0.5 if 10 <= time < 14 else 0.0


def test_who_sits_and_fidgets_is_there_from_the_first_look_to_the_last() -> None:
    times = there(sits(), fidgets)
    assert (times[0], times[-1], len(times)) == (10.0, 20.0, 101)


@pytest.mark.parametrize("look_s", [0.4, 1.0])
def test_fewer_looks_change_nothing(look_s: float) -> None:
    assert there(sits(), fidgets, look_s=look_s) == there(sits(), fidgets)


def test_what_never_stirs_is_no_person() -> None:
    assert there(sits(), lambda _: 0.01) == []


def test_what_is_stirred_by_a_passer_by_is_no_person() -> None:
    def stirred(time: float) -> float:
        return 0.4 if 12 <= time < 16 else 0.0

    def beside(time: float) -> Box | None:
        return Box(0.0, 0.2, 0.5, 1.0) if 12 <= time < 16 else None

    assert there(sits(), stirred, passing=beside) == []
    assert there(sits(), stirred) != []


def test_a_visitor_who_stands_still_stays() -> None:
    assert {i / 10 for i in range(100, 299)} <= set(there(walking("person"), goes))


def test_a_car_is_there_while_it_drives() -> None:
    times = there(walking("car"), goes)
    assert times[0] == pytest.approx(10.0, abs=0.5)
    assert times[-1] == pytest.approx(14.0, abs=0.5)


def test_a_short_stop_is_part_of_the_drive() -> None:
    """It goes for two seconds, waits for four and goes on for two."""

    def driven(time: float) -> float:
        return time if time < 12 else max(12.0, time - 4)

    times = there(lambda time: walking("car")(driven(time)), lambda time: 0.5 if 10 <= time < 12 or 16 <= time < 18 else 0.0)
    assert {i / 10 for i in range(105, 175)} <= set(times)
    assert times[-1] == pytest.approx(18.0, abs=0.5)


def test_a_box_that_is_drawn_anew_round_a_thing_at_rest_stays_where_it_was() -> None:
    company, boxes = Company(SETTINGS), []
    for i in range(100):
        moment = Moment(i / 10, [], [])
        drawn = Box(0.0 if i % 4 else 0.3, 0.4, 1.0, 0.7)
        quiet = np.full((90, 160), i % 8 == 0 and i > 0)
        company.add(moment, Glance(i / 10, [], quiet), [])
        list(company.add(moment, Glance(i / 10, [], np.zeros((90, 160), bool)), [Sighting(1, "train", 0.6, drawn)]))
        boxes.append(moment.present[-1][1].box)
    assert len(set(boxes)) == 1


def test_one_sighting_is_none() -> None:
    assert there(sits(start=10.0, end=10.0), fidgets) == []


def test_weak_sightings_alone_are_none() -> None:
    assert there(sits(confidence=0.2), fidgets) == []


def test_a_weak_sighting_elsewhere_does_not_take_the_visitor_along() -> None:
    """Somebody walks out; behind him stands a bin bag that looks a little like a person."""

    def seen(time: float) -> Seen | None:
        _, _, box = walking("person")(time)
        return ("person", 0.8, box) if time < 14 else ("person", 0.15, Box(0.7, 0.7, 0.9, 1.0))

    assert there(seen, goes)[-1] == pytest.approx(13.8)


def test_in_pictures_that_come_slowly_the_detector_is_believed() -> None:
    """One in five seconds: nothing shows whether a thing stirs, and no two sightings are near enough to confirm each other."""
    company = Company(SETTINGS)
    out: list[Moment] = []
    for i in range(20):
        moment = Moment(5.0 * i, [], [])
        seen = [Sighting(i, "person", 0.8, HERE)] if 5 <= i < 10 else []
        out += company.add(moment, Glance(moment.time, [], np.zeros((90, 160), bool)), seen)
    out += company.rest()
    assert [moment.time for moment in out if moment.present] == [25.0, 30.0, 35.0, 40.0, 45.0]


def test_opposite_sides_must_move_alike() -> None:
    assert has_travelled(HERE, Box(0.5, 0.4, 0.7, 0.8))
    assert not has_travelled(HERE, Box(0.5, 0.4, 0.6, 0.8))


def test_a_things_own_blob_lies_in_its_box() -> None:
    assert not passes(Box(0.4, 0.6, 0.6, 0.9), HERE)
    assert passes(Box(0.5, 0.2, 0.9, 1.0), HERE)
    assert not passes(Box(0.7, 0.4, 0.9, 0.8), HERE)
