"""Blobs linked over time to trails, and which of them count as visitors."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from segmenter.records import Box
from segmenter.vision.blobs import Blob

LINK_GAP_S = 0.6
LINK_MARGIN = 0.03  # of the picture
LEAST_ACTIVE = 3
LEAST_TRAVEL = 0.06
LEAST_OUTLINE = 1.05
OWN = 0.3
MEMORY_S = 20.0


@dataclass(slots=True, eq=False)
class Trail:
    """One thing as it is followed."""

    box: Box
    last_seen: float
    last_active: float = -1.0
    first_active: float = -1.0
    accepted: bool = False
    id: int = 0
    actives: list = field(default_factory=list)
    places: deque[tuple[float, float, float]] = field(default_factory=deque)


class Trails:
    def __init__(self, least_s: float) -> None:
        self._least_s = least_s
        self.live: list[Trail] = []

    def follow(self, time: float, blobs: Iterable[Blob]) -> list[tuple[Trail, Blob]]:
        self.live = [t for t in self.live if time - t.last_seen <= LINK_GAP_S]
        things = [b for b in blobs if b.valid]
        pairs = sorted(
            ((_shared(t.box, b.box), i, j) for i, t in enumerate(self.live) for j, b in enumerate(things)), reverse=True
        )
        old: dict[int, int] = {}
        used: set[int] = set()
        for shared, i, j in pairs:
            if shared > 0 and i not in used and j not in old:
                old[j] = i
                used.add(i)
        hits = []
        for j, b in enumerate(things):
            if j in old:
                trail = self.live[old[j]]
            else:
                if not b.active:
                    continue
                trail = Trail(b.box, time)
                self.live.append(trail)
            self._add(trail, time, b)
            hits.append((trail, b))
        return hits

    def _add(self, trail: Trail, time: float, blob: Blob) -> None:
        trail.box, trail.last_seen = blob.box, time
        if not blob.active:
            return
        if trail.first_active < 0:
            trail.first_active = time
        trail.last_active = time
        if trail.accepted:
            return
        trail.places.append((time, (blob.box.left + blob.box.right) / 2, (blob.box.top + blob.box.bottom) / 2, blob.outline, np.hypot(blob.box.right-blob.box.left, blob.box.bottom-blob.box.top)))
        while time - trail.places[0][0] > MEMORY_S:
            trail.places.popleft()
        p = np.array(trail.places)
        if len(p) >= LEAST_ACTIVE and p[-1, 0] - p[0, 0] >= self._least_s - 1e-6:
            low, high = np.percentile(p[:, 1:3], (5, 95), axis=0)
            trail.accepted = bool((high - low).max() >= max(LEAST_TRAVEL, OWN*np.median(p[:,4]))) and float(np.median(p[:, 3])) >= LEAST_OUTLINE


def _shared(a: Box, b: Box) -> float:
    wide = min(a.right, b.right) - max(a.left, b.left) + LINK_MARGIN
    high = min(a.bottom, b.bottom) - max(a.top, b.top) + LINK_MARGIN
    return wide * high if wide > 0 and high > 0 else 0.0
