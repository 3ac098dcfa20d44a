from __future__ import annotations
from collections import deque
import cv2
import numpy as np
from math import exp
MOST = 8.0
GAIN = 0.85
TAU = 8.0
ON = True

def aligned(pictures):
    ref = None
    before = 0.0
    for t, p in pictures:
        p = p.astype(np.float32)
        if not ON or min(p.shape) < 16:
            yield t, p
            continue
        if ref is None:
            ref = p.copy()
            win = cv2.createHanningWindow((p.shape[1], p.shape[0]), cv2.CV_32F)
        else:
            p = _align(p, ref, win)
            ref += (1 - exp(-min(1.0, t - before) / TAU)) * (p - ref)
        before = t
        yield t, p


def _align(p, ref, win):
    (dx, dy), _ = cv2.phaseCorrelate(ref * win, p * win)
    if not 0.1 < max(abs(dx), abs(dy)) < MOST:
        return p
    m = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    w = cv2.warpAffine(p, m, p.shape[::-1], dst=ref.copy(), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_TRANSPARENT)
    g = cv2.magnitude(cv2.Sobel(ref, cv2.CV_32F, 1, 0), cv2.Sobel(ref, cv2.CV_32F, 0, 1))
    edge = g > np.percentile(g[::2, ::2], 75)
    return w if _misfit(w, ref, edge) < GAIN * _misfit(p, ref, edge) else p


def _misfit(p, ref, edge):
    d = (p - ref)[edge]
    return np.median(np.abs(d - np.median(d)))
