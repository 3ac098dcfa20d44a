"""What moves before a still background: no weights, and it sees what detectors do not, from above, by night, in infra-red."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import count

from segmenter.media.frames import Frame
from segmenter.records import Finding, Observation, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.background import ABSORB_S
from segmenter.vision.blobs import Blob
from segmenter.vision.steady import aligned, small_grey, without_specks
from segmenter.vision.trails import Trail, Trails
from segmenter.vision.watch import glances

LABEL = "moving"
DELAY_S = ABSORB_S  # who has stood for so long belongs to the scene: nothing later can make the stand count

Seen = tuple[float, list[tuple[Trail, Blob]]]


class MotionTracker:
    """The `Tracker` that needs no weights: background subtraction, blobs linked to trails.

    Sightings are labelled "moving"; their confidence is the share of the blob with edges that the scene lacks.
    Whether something is a visitor shows only after a while, and whether it stands or has parked later still:
    observations come out up to DELAY_S behind the frames, each track dated back to its first movement.
    """

    rate_hz = 10.0
    findings: tuple[Finding, ...] = ()

    def __init__(self, settings: VisionSettings) -> None:
        self._least_s = settings.min_event_s

    def track(self, frames: Iterable[Frame]) -> Iterator[Observation]:
        """See `Tracker`. Holds some 25 s of blobs and 2 s of small pictures, no more."""
        trails = Trails(self._least_s)
        decided = _Decided()
        waiting: deque[Seen] = deque()
        for glance in glances(without_specks(aligned(small_grey(frames)))):
            waiting.append((glance.time, trails.follow(glance.time, glance.blobs)))
            while glance.time - waiting[0][0] > DELAY_S:
                yield decided(*waiting.popleft())
        trails.finish()
        yield from (decided(*seen) for seen in waiting)


class _Decided:
    """Observations of what has turned out to be visitors, numbered in order of their first sight."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._ids: dict[Trail, int] = {}

    def __call__(self, time: float, hits: list[tuple[Trail, Blob]]) -> Observation:
        self._ids = {trail: number for trail, number in self._ids.items() if trail.last_active >= time}
        sightings = [self._sighting(trail, blob) for trail, blob in hits if trail.counts(time)]
        return Observation(time, tuple(sightings))

    def _sighting(self, trail: Trail, blob: Blob) -> Sighting:
        if trail not in self._ids:
            self._ids[trail] = next(self._numbers)
        return Sighting(self._ids[trail], LABEL, blob.evidence, blob.box)
