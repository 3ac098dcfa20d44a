"""TextTiling (Hearst 1997): blocks on both sides of each gap are compared, and the deepest valleys cut.

On sentence vectors, or on the words themselves as in the paper.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from segmenter.settings import TopicSettings
from segmenter.topics.counts import below_the_last
from segmenter.topics.gap_features import distance
from segmenter.topics.material import Array, Cut, Material, Misses, Ruling
from segmenter.topics.word_blocks import similarity, words


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    return _valleys(1 - distance(material.vectors.astype(np.float64), settings.block_sentences))


def cuts_on_words(material: Material, settings: TopicSettings) -> Ruling:
    return _valleys(similarity([words(sentence.text) for sentence in material.sentences], settings.block_sentences))


def _valleys(similarity: Array) -> Ruling:
    depth = _depths(similarity)
    bottom = np.flatnonzero(_is_bottom(similarity) & (depth > 1e-9))
    if not len(bottom):
        return Ruling([], depth, "depth of the valley", misses=below_the_last(depth, ()))
    threshold = float(depth[bottom].mean() - depth[bottom].std() / 2)
    made = [
        Cut(int(i), float(np.clip(depth[i] / 2, 0, 1)), f"depth {depth[i]:.2f} above {threshold:.2f}")
        for i in bottom
        if depth[i] > threshold
    ]
    beside = dict.fromkeys(np.setdiff1d(np.flatnonzero(depth > threshold), bottom).tolist(), "not the lowest gap of its valley")
    misses = Misses(threshold - depth, "short of the threshold", remarks=beside)
    return Ruling(made, depth, "depth of the valley", threshold, misses=misses)


def _depths(similarity: Array) -> Array:
    """How far the similarity climbs on both sides of each gap before it falls again."""
    climbs = _climb(similarity) + _climb(similarity[::-1])[::-1]
    return np.asarray(climbs - 2 * similarity)


def _climb(similarity: Array) -> Array:
    """The nearest peak to the left of each gap, itself included."""
    peaks = similarity.copy()
    for i in range(1, len(peaks)):
        if similarity[i - 1] >= similarity[i]:
            peaks[i] = peaks[i - 1]
    return peaks


def _is_bottom(similarity: Array) -> NDArray[np.bool_]:
    wide = np.pad(similarity, 1, constant_values=np.inf)
    return np.asarray((similarity <= wide[:-2]) & (similarity < wide[2:]))
