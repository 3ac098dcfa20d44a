"""Vectors of voices to speakers, as pure functions.

Voices are joined bottom up, the two most alike groups first, until the most alike differ by more than one person's
voice does (average linkage on the cosine distance). A group that falls into two all the same, in pitch or along the
direction in which it varies most, is two people: cousins, or one synthetic voice at two pitches.

The work grows with the square of the number of voices, so of the long stretches at most `_MOST` found the speakers; all
others go to the one whose mean vector is nearest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Labels = NDArray[np.intp]

_MOST = 2000  # stretches compared with each other: 32 MB, a second; of ten hours every sixth or so
_LONG_S = 1.25  # a shorter stretch says too little about its voice to found a speaker
_ALIKE = 0.5  # average distance within one speaker at most; on telephone and television speech, 0.4 to 0.6 do as well

_SEPARATE = (
    4.5  # deviations from mean to mean: halves of one bell curve lie 2.7 apart, of a flat one 3.5, of single readers up to 4.1
)
_LEAST, _LEAST_SHARE = 8, 0.15  # stretches on each side: of a few, some always look separate
_REAL_S = 2.0  # with a given number of speakers, whoever speaks less is an outlier and takes nobody's place


def speakers(vectors: Floats, seconds: Floats, pitches: Floats, count: int | None = None) -> Labels:
    """The speaker of each stretch of one voice, numbered from 0 on in order of first appearance.

    Args:
        vectors: unit vectors, shape (n, dimension).
        seconds: how long each stretch is, shape (n,).
        pitches: how high the voice is, in octaves, NaN where that is not known, shape (n,).
        count: how many speakers there are, where that is known; fewer are found only of fewer stretches.
    """
    if not len(vectors):
        return np.zeros(0, np.intp)
    at = _founders(seconds, count or 1)
    tree = _tree(vectors[at])
    labels = _nearest(vectors, vectors[at], seconds[at], _cut(tree, "distance", _ALIKE))
    labels = parted(labels, vectors, pitches, at)
    if count and len(np.unique(labels)) != count:
        labels = _nearest(vectors, vectors[at], seconds[at], _counted(tree, seconds[at], count))
    return ordered(labels)


def _founders(seconds: Floats, least: int) -> Labels:
    """The long stretches, evenly thinned where they are too many; the longest where there are fewer than `least`."""
    long = np.flatnonzero(seconds >= _LONG_S)
    if len(long) < least:
        long = np.sort(np.argsort(-seconds, kind="stable")[:least])
    return long[np.linspace(0, len(long) - 1, min(len(long), max(_MOST, least))).astype(np.intp)]


def _tree(vectors: Floats) -> Floats:
    """scipy's linkage matrix: which groups join at which distance."""
    from scipy.cluster.hierarchy import linkage

    if len(vectors) < 2:
        return np.zeros((0, 4))
    tree = linkage(vectors, "average", metric="cosine")
    tree[:, 2] = np.maximum.accumulate(np.maximum(tree[:, 2], 0.0))  # equal vectors may differ by less than nothing
    return np.asarray(tree)


def _cut(tree: Floats, criterion: str, limit: float) -> Labels:
    """The groups, numbered from 0 on."""
    from scipy.cluster.hierarchy import fcluster

    return np.asarray(fcluster(tree, limit, criterion) - 1, np.intp) if len(tree) else np.zeros(1, np.intp)


def _counted(tree: Floats, seconds: Floats, count: int) -> Labels:
    """`count` groups, -1 for outliers: cut as low as is needed for so many groups of real speech, if that can be."""
    for groups in range(count, min(len(tree) + 1, 2 * count + 8) + 1):
        labels = _cut(tree, "maxclust", groups)
        real = np.flatnonzero(np.bincount(labels, seconds) >= _REAL_S)
        if len(real) == count:
            return np.where(np.isin(labels, real), np.searchsorted(real, labels), -1)
    return _cut(tree, "maxclust", count)


def _nearest(vectors: Floats, founders: Floats, seconds: Floats, labels: Labels) -> Labels:
    """The label whose founders' mean vector, weighted by their length, is most like each vector."""
    members = labels[:, None] == np.arange(labels.max() + 1)
    means = (members * seconds[:, None]).T @ founders
    means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
    found = (vectors @ means.T).argmax(axis=1)
    return np.asarray(found, np.intp)


def parted(labels: Labels, vectors: Floats, pitches: Floats, founders: Labels) -> Labels:
    """Labels with groups parted that fall into two by pitch or along the direction in which their vectors vary most.

    Only `founders`, indices of long stretches, say where; all follow. Without a known pitch, they stay with the lower one.
    """
    labels = labels.copy()
    for label in np.unique(labels[founders]):
        own, base = labels == label, founders[labels[founders] == label]
        mean = vectors[base].mean(axis=0)
        main = np.linalg.svd(vectors[base] - mean, full_matrices=False)[2][0]
        for values in (pitches, (vectors - mean) @ main):
            border = _border(values[base])
            if border is not None:
                labels[own & (values >= border)] = labels.max() + 1
                break
    return labels


def _border(values: Floats) -> float | None:
    """The value that parts two separate groups, or None where there is but one.

    Of all borders the one that leaves the least variance on both sides (Fisher 1958, "On grouping for maximum
    homogeneity"); the sides are separate if their means lie far apart in their deviations (Ashman, Bird and Zepf 1994).
    """
    known = np.sort(values[np.isfinite(values)])
    least = max(_LEAST, round(_LEAST_SHARE * len(known)))
    borders = range(least, len(known) - least + 1)
    if not borders:
        return None
    at = min(borders, key=lambda i: float(known[:i].var() * i + known[i:].var() * (len(known) - i)))
    low, high = known[:at], known[at:]
    separate = high.mean() - low.mean() > _SEPARATE * np.sqrt((low.var() + high.var()) / 2)
    return float(known[at - 1] + known[at]) / 2 if separate else None


def ordered(labels: Labels | Sequence[int]) -> Labels:
    """The same groups, numbered from 0 on in order of first appearance."""
    listed = np.asarray(labels).tolist()
    numbers = {label: number for number, label in enumerate(dict.fromkeys(listed))}
    return np.array([numbers[label] for label in listed], np.intp)
