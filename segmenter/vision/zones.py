"""Where things are in the picture: which zones they stay in, which lines they cross; pure, geometry by shapely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Literal

from segmenter.records import Observation, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.stages import Recent, exceeds
from segmenter.zoning import Crossing, Line, Point, Zone, ZoneVisit

if TYPE_CHECKING:
    from shapely import LineString, Polygon

CLEAR = 0.01  # of the picture: nearer to a line a box that trembles would cross it again and again


class Inside:
    """The stage that leaves out what is in no zone; without zones everything counts."""

    def __init__(self, zones: tuple[Zone, ...]) -> None:
        self._zones = [_Area(zone) for zone in zones]

    def see(self, observation: Observation) -> list[Observation]:
        if not self._zones:
            return [observation]
        counted = tuple(s for s in observation.sightings if any(area.holds(s) for area in self._zones))
        return [replace(observation, sightings=counted)]

    def finish(self) -> list[Observation]:
        return []


class ZoneWatch:
    """What the tracks of an event do: stays in zones, crossings of lines.

    A stay goes on until the track was not seen inside for `hold_s`, and ends where it was last seen there.
    """

    def __init__(self, settings: VisionSettings) -> None:
        self._areas = [_Area(zone) for zone in settings.zones]
        self._lines = [_Fence(line) for line in settings.lines]
        self._hold_s = settings.hold_s
        self.forget()

    def forget(self) -> None:
        """What was noted since it was last taken belongs to no event."""
        self._open: dict[tuple[int, str], _Stay] = {}
        self._over: list[_Stay] = []
        self._crossed: list[Crossing] = []

    def note(self, observation: Observation, end: float) -> None:
        """One observation, which stands for the time until `end`."""
        for sighting in observation.sightings:
            for area in self._areas:
                if area.holds(sighting):
                    self._stays(area, sighting.track, observation.time, end)
            for fence in self._lines:
                self._crossed += fence.passed(sighting, observation.time)

    def _stays(self, area: _Area, track: int, time: float, end: float) -> None:
        key = (track, area.zone.name)
        stay = self._open.get(key)
        if stay is not None and exceeds(time - stay.end, self._hold_s):
            self._over.append(stay)
            stay = None
        self._open[key] = _Stay(area.zone, track, time if stay is None else stay.start, end)

    def taken(self, numbers: Mapping[int, int]) -> tuple[tuple[ZoneVisit, ...], tuple[Crossing, ...]]:
        """What was noted since it was last taken, in order of time, tracks with their numbers; stays end here."""
        stays = [stay for stay in chain(self._over, self._open.values()) if not exceeds(stay.zone.dwell_s, stay.end - stay.start)]
        visits = [ZoneVisit(s.zone.name, numbers[s.track], s.start, s.end) for s in stays]
        crossings = [replace(crossing, track=numbers[crossing.track]) for crossing in self._crossed]
        self.forget()
        ordered = sorted(visits, key=lambda visit: (visit.start, visit.end, visit.track, visit.zone))
        return tuple(ordered), tuple(sorted(crossings, key=lambda crossing: crossing.time))


@dataclass(frozen=True, slots=True)
class _Stay:
    zone: Zone
    track: int
    start: float
    end: float


class _Area:
    def __init__(self, zone: Zone) -> None:
        from shapely import Polygon, prepare

        self.zone = zone
        self._polygon: Polygon = Polygon(zone.polygon)
        prepare(self._polygon)

    def holds(self, sighting: Sighting) -> bool:
        from shapely import Point as Spot

        if self.zone.labels and sighting.label not in self.zone.labels:
            return False
        high_enough = sighting.box.bottom - sighting.box.top >= self.zone.min_height
        return high_enough and bool(self._polygon.covers(Spot(foot(sighting))))


class _Fence:
    """A line, and where each track was when it last was clear of it."""

    def __init__(self, line: Line) -> None:
        from shapely import LineString

        self._line = line
        self._drawn: LineString = LineString((line.start, line.end))
        self._places: Recent[tuple[float, Point]] = Recent()

    def passed(self, sighting: Sighting, time: float) -> Iterator[Crossing]:
        """The crossing since the track was last seen, if there was one."""
        from shapely import LineString
        from shapely import Point as Spot

        place = foot(sighting)
        if (self._line.labels and sighting.label not in self._line.labels) or self._drawn.distance(Spot(place)) < CLEAR:
            return
        before, self._places[sighting.track] = self._places.get(sighting.track), (time, place)
        if before is None or before[1] == place:
            return
        path = LineString((before[1], place))
        met = path.intersection(self._drawn)
        if not met.is_empty and self._side(before[1]) != self._side(place):
            share = path.project(met.centroid, normalized=True)
            at = before[0] + share * (time - before[0])
            yield Crossing(self._line.name, sighting.track, at, self._side(place))

    def _side(self, place: Point) -> Literal["left", "right"]:
        """Of the line, as seen from its start; y goes down."""
        (x0, y0), (x1, y1) = self._line.start, self._line.end
        return "right" if (x1 - x0) * (place[1] - y0) - (y1 - y0) * (place[0] - x0) > 0 else "left"


def foot(sighting: Sighting) -> Point:
    """Where it stands: the middle of its box's lower edge."""
    box = sighting.box
    return (box.left + box.right) / 2, box.bottom
