"""Late chunking: passages as means of the token vectors of a longer text (Günther et al. 2024, arXiv 2409.04701).

Each token has read what stands around its passage. The text is as much as the model reads at once: with the 256 word
pieces of all-MiniLM-L6-v2 that is little more than the passage itself. Imported only through the table of
representations.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from segmenter.topics.material import packed
from segmenter.topics.sentence_transformer import loaded


class LateEmbedder:
    """A sentence-transformers folder whose model gives a vector for each token."""

    def __init__(self, folder: str) -> None:
        self._model = loaded(folder)

    def embed(self, lines: Sequence[str], passages: Sequence[tuple[int, int]]) -> NDArray[np.float32]:
        """Unit vectors of the passages, (first, last) lines both inclusive, shape (len(passages), dimension)."""
        tokenizer = self._model.tokenizer
        room = int(self._model.max_seq_length or 256) - tokenizer.num_special_tokens_to_add()
        tokens = [len(ids) for ids in tokenizer(list(lines), add_special_tokens=False, verbose=False)["input_ids"]]
        cuts = packed(tokens, room)
        sums = [self._sums(lines[a + 1 : b + 1]) for a, b in pairwise([-1, *cuts, len(lines) - 1])]
        by_line = np.concatenate(sums)
        found = np.stack([by_line[first : last + 1].sum(axis=0) for first, last in passages])
        return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12), np.float32)

    def _sums(self, lines: Sequence[str]) -> NDArray[np.float64]:
        """Of each line the sum of its token vectors, all lines read at once; a line beyond what is read counts nothing."""
        text = " ".join(lines)
        ends = np.cumsum([len(line) + 1 for line in lines])
        vectors = self._model.encode(text, output_value="token_embeddings", show_progress_bar=False).cpu().numpy()
        offsets = self._model.tokenizer(text, return_offsets_mapping=True, truncation=True, max_length=len(vectors))[
            "offset_mapping"
        ]
        sums = np.zeros((len(lines), vectors.shape[1]))
        for (begin, end), vector in zip(offsets, vectors, strict=True):
            if end > begin:  # not one of the marks at the ends
                sums[int(np.searchsorted(ends, begin, "right"))] += vector
        return sums
