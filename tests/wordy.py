"""An embedder without weights: texts that share words have like vectors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from segmenter.retrieval.tools import Tools

DIMENSION = 64


class WordEmbedder:
    """Each word is a direction of its own, drawn from its letters; a text is the sum of its words."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.array([self._sum(text) for text in texts], np.float64).reshape(len(texts), DIMENSION)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)

    def _sum(self, text: str) -> NDArray[np.float64]:
        total = np.zeros(DIMENSION)
        for word in re.findall(r"\w+", text.casefold()):
            total += np.random.default_rng(crc32(word.encode())).normal(size=DIMENSION)
        return total


def word_count(texts: Sequence[str]) -> list[int]:
    return [max(1, len(text.split())) for text in texts]


def word_tools(languages: tuple[str, ...] = ()) -> Tools:
    return Tools(WordEmbedder(), word_count, languages)
