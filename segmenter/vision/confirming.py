"""One detection is no proof: a track counts once it was seen several times within a short time, from its first sight on."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace

from segmenter.records import Observation
from segmenter.vision.stages import Recent, exceeds


class Confirming:
    """The stage that takes out sightings of tracks not seen `hits` times within `within` seconds.

    A confirmed track counts from the first of these sightings on; so observations wait, up to `within` seconds, while
    there is somebody in them who may yet be confirmed.
    """

    def __init__(self, hits: int, within: float) -> None:
        self._hits, self._within = hits, within
        self._waiting: deque[Observation] = deque()
        self._sure: Recent[bool] = Recent()

    def see(self, observation: Observation) -> list[Observation]:
        out = []
        while self._waiting and exceeds(observation.time - self._waiting[0].time, self._within):
            out.append(self._decided(self._waiting.popleft()))
        self._waiting.append(observation)
        looks = [] if self._is_decided(observation) else [{s.track for s in o.sightings} for o in self._waiting]
        counts = Counter(track for look in looks for track in look)
        for track in (s.track for s in observation.sightings):
            if track in self._sure or counts[track] >= self._hits:
                self._sure[track] = True
        while self._waiting and self._is_decided(self._waiting[0]):
            out.append(self._decided(self._waiting.popleft()))
        return out

    def finish(self) -> list[Observation]:
        left = [self._decided(observation) for observation in self._waiting]
        self._waiting.clear()
        return left

    def _is_decided(self, observation: Observation) -> bool:
        return all(s.track in self._sure for s in observation.sightings)

    def _decided(self, observation: Observation) -> Observation:
        return replace(observation, sightings=tuple(s for s in observation.sightings if s.track in self._sure))
