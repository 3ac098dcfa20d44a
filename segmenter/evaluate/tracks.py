"""How well found tracks agree with true ones: MOTA, IDF1 and their like, by motmetrics."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import PackageMissing
from segmenter.records import Observation, Sighting

OVERLAP = 0.5  # intersection over union from which on two boxes are one: the MOT Challenge's
FIGURES = {  # plain name -> motmetrics' own; CLEAR MOT (Bernardin and Stiefelhagen, 2008), IDF1 (Ristani et al., 2016)
    "mota": "mota",
    "motp": "motp",
    "idf1": "idf1",
    "precision": "precision",
    "recall": "recall",
    "switches": "num_switches",
    "fragmentations": "num_fragmentations",
    "true_boxes": "num_objects",
    "looks": "num_frames",
}
_ALL = "OVERALL"


def accumulate(found: Iterable[Observation], true: Sequence[Observation], most_apart_s: float) -> Any:
    """The comparison, look by look, as motmetrics keeps it.

    Each look is compared with the true observation nearest in time, at most `most_apart_s` away: who looks five times a
    second is not asked for what is in the pictures between.

    Raises:
        PackageMissing: motmetrics is not installed.
    """
    metrics = _motmetrics()
    accumulator = metrics.MOTAccumulator(auto_id=True)
    times = [observation.time for observation in true]
    for look in found:
        i = bisect_left(times, look.time)
        near = min(true[max(0, i - 1) : i + 1], key=lambda one: abs(one.time - look.time), default=None)
        if near is not None and abs(near.time - look.time) <= most_apart_s:
            tracks = ([s.track for s in seen] for seen in (near.sightings, look.sightings))
            accumulator.update(*tracks, _distances(near.sightings, look.sightings))
    return accumulator


def figures(accumulators: Mapping[str, Any]) -> dict[str, dict[str, float | None]]:
    """By name, and all together under the name `all`; None where a figure is not defined. `motp` is a mean overlap."""
    metrics = _motmetrics()
    names = list(accumulators)
    host = metrics.metrics.create()
    table = host.compute_many(
        [accumulators[name] for name in names], names=names, metrics=list(FIGURES.values()), generate_overall=True
    )
    rows = {**{name: table.loc[name] for name in names}, "all": table.loc[_ALL]}
    return {name: {plain: _figure(plain, float(row[own])) for plain, own in FIGURES.items()} for name, row in rows.items()}


def _figure(name: str, value: float) -> float | None:
    if isnan(value):
        return None
    return 1 - value if name == "motp" else value


def _distances(true: Sequence[Sighting], found: Sequence[Sighting]) -> NDArray[np.float64]:
    """One minus intersection over union of each true box with each found one; not a number where they share too little.

    Here, since motmetrics 1.4 has a function for it that NumPy 2 no longer runs.
    """
    a = np.array([s.box for s in true], np.float64).reshape(-1, 1, 4)
    b = np.array([s.box for s in found], np.float64).reshape(1, -1, 4)
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    shared = np.prod(np.maximum(0, sides), axis=-1)
    areas = [np.prod(boxes[..., 2:] - boxes[..., :2], axis=-1) for boxes in (a, b)]
    overlap = shared / np.maximum(areas[0] + areas[1] - shared, 1e-12)
    return np.where(overlap >= OVERLAP, 1 - overlap, np.nan)


def _motmetrics() -> Any:
    try:
        import motmetrics
    except ImportError as error:
        raise PackageMissing("motmetrics", "mot") from error
    return motmetrics
