"""TextTiling (Hearst 1997): blocks on both sides of each gap are compared, and the deepest valleys cut.

On sentence vectors, or on the words themselves as in the paper.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from segmenter.settings import TopicSettings
from segmenter.topics.gap_features import distance
from segmenter.topics.material import Array, Cut, Material, Ruling

_MOST_WORDS = 2000  # kinds of words that are compared; the rarer ones hardly meet again


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    return _valleys(1 - distance(material.vectors.astype(np.float64), settings.block_sentences))


def cuts_on_words(material: Material, settings: TopicSettings) -> Ruling:
    return _valleys(1 - distance(_counts([s.text for s in material.sentences]), settings.block_sentences))


def _counts(texts: list[str]) -> Array:
    """How often each sentence holds each word that comes back; those of up to three letters are mostly function words."""
    words = [[w for w in text.lower().split() if len(w) > 3] for text in texts]
    kept = [w for w, count in Counter(w for own in words for w in own).most_common(_MOST_WORDS) if count > 1]
    column = {word: i for i, word in enumerate(kept)}
    table = np.zeros((len(texts), max(1, len(kept))), np.float32)
    for row, own in zip(table, words, strict=True):
        for word in own:
            if word in column:
                row[column[word]] += 1
    return np.asarray(table, np.float64)


def _valleys(similarity: Array) -> Ruling:
    depth = _depths(similarity)
    bottom = np.flatnonzero(_is_bottom(similarity) & (depth > 1e-9))
    if not len(bottom):
        return Ruling([], depth, "depth of the valley")
    threshold = float(depth[bottom].mean() - depth[bottom].std() / 2)
    made = [
        Cut(int(i), float(np.clip(depth[i] / 2, 0, 1)), f"depth {depth[i]:.2f} above {threshold:.2f}")
        for i in bottom
        if depth[i] > threshold
    ]
    return Ruling(made, depth, "depth of the valley", threshold)


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
