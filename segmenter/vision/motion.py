"""What moves before a still background, without weights."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from segmenter.media.frames import Frame
from segmenter.records import Observation, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.background import Background, Mask, Picture
from segmenter.vision.blobs import Blob, active_mask, find_blobs
from segmenter.vision.steady import aligned
from segmenter.vision.trails import Trail, Trails

SIZE_PX = 160
LEARN_S = 2.0
LAG_S = 0.4
DELAY_S = 21.0
HOLD_S = 20.0
TRIM = True
MEDIAN = True
KNOCK_S = 5.0


def shrunk(frames: Iterable[Frame]) -> Iterator[tuple[float, Picture]]:
    for frame in frames:
        height, width = frame.image.shape[:2]
        scale = min(1.0, SIZE_PX / max(height, width))
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA) if scale < 1 else frame.image
        yield frame.time, cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)


def steady(pictures):
    if not MEDIAN:
        for t, p in pictures:
            yield t, cv2.GaussianBlur(p.astype(np.float32), (3, 3), 0)
        return
    last: deque = deque(maxlen=3)
    for t, p in pictures:
        if not last:
            last.append((t, p))
        last.append((t, p))
        if len(last) == 3:
            yield last[1][0], _median(*(q for _, q in last))
    if last:
        yield last[-1][0], _median(last[-1][1], last[-2][1], last[-1][1])


def _median(a, b, c):
    m = cv2.max(cv2.min(a, b), cv2.min(cv2.max(a, b), c))
    return cv2.GaussianBlur(m.astype(np.float32), (3, 3), 0)


def looks(pictures):
    """(time, blobs)"""
    pictures = iter(pictures)
    first = []
    for t, p in pictures:
        first.append((t, p))
        if t - first[0][0] >= LEARN_S:
            break
    if not first:
        return
    bg = Background([p for _, p in first])
    recent: deque = deque()
    raw: deque = deque()
    before = first[0][0]
    since = None

    def rest():
        yield from first
        yield from pictures

    for t, p in rest():
        d = bg.compare(p)
        while len(recent) > 1 and t - recent[1][0] >= LAG_S - 1e-3:
            recent.popleft()
        earlier = recent[0][1] if recent else d.residual
        blobs, labels = find_blobs(p, bg, d, earlier)
        recent.append((t, d.residual))
        held = (labels > 0).astype(np.uint8)
        bg.learn(p, d, held, active_mask(blobs, labels), min(1.0, t - before))
        before = t
        raw.append((t, p))
        while t - raw[0][0] > LEARN_S:
            raw.popleft()
        if d.foreground.mean() > 0.5:
            since = t if since is None else since
            if t - since > KNOCK_S:
                bg = Background([p for _, p in raw])
                recent.clear()
                since = None
        else:
            since = None
        yield t, blobs


@dataclass(slots=True)
class _Waiting:
    time: float
    hits: list[tuple[Trail, Blob]] = field(default_factory=list)


class MotionTracker:
    rate_hz = 10.0

    def __init__(self, settings: VisionSettings) -> None:
        self._least_s = settings.min_event_s

    def track(self, frames: Iterable[Frame]) -> Iterator[Observation]:
        return self.link(looks(steady(aligned(shrunk(frames)))))

    def link(self, looks):
        trails = Trails(self._least_s)
        waiting: deque[_Waiting] = deque()
        self._ids = 0
        now = 0
        for now, blobs in looks:
            waiting.append(_Waiting(now, trails.follow(now, blobs)))
            for trail, blob in waiting[-1].hits:
                if blob.active: trail.actives.append(now)
            while now - waiting[0].time > DELAY_S:
                yield self._decided(waiting.popleft(), now)
        while waiting:
            yield self._decided(waiting.popleft(), now)

    def _decided(self, w, now):
        return Observation(w.time, tuple(self._s(t, b) for t, b in w.hits if self._counts(t, w.time, now)))

    def _counts(self, t, time, now):
        if not t.accepted or time < t.first_active: return False
        if TRIM:
            if time <= t.last_active: 
                return True
            return t.last_seen >= now - .3 and now - t.last_active <= HOLD_S
        last = max(a for a in t.actives if a <= time)
        return time - last <= HOLD_S

    def _s(self, t, b):
        if not t.id:
            self._ids += 1; t.id = self._ids
        return Sighting(t.id, "moving", min(1.0, b.evidence), b.box)
