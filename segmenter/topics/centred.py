"""What all sentences of an embedder have in common is taken off: some find any two sentences alike (e5: .75 and more)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from segmenter.topics.embedder import Embedder

# On matters as far apart as can be, of the kinds and lengths that talk has; their mean holds hardly any matter.
_UNRELATED = (
    "The train to the coast leaves at ten past eight.",
    "Whisk the eggs with a pinch of salt before you add the flour.",
    "Our quarterly revenue grew by four per cent.",
    "The goalkeeper was injured in the second half.",
    "Photosynthesis turns light into sugar.",
    "She plays the cello in a small orchestra.",
    "The court will hear the appeal in November.",
    "My grandmother kept bees behind the barn.",
    "Restart the server and check the log file.",
    "A comet was seen low above the horizon last night.",
    "The patient should take this tablet twice a day.",
    "They repaired the roof before the winter came.",
    "Parliament voted against the new tax.",
    "The prime numbers never end.",
    "I would rather have the blue jacket in a larger size.",
    "Salmon swim up the river to spawn.",
    "The bridge was built by Roman soldiers.",
    "Could you turn the music down, please?",
    "The novel tells of a sailor who cannot swim.",
    "Interest rates may fall next spring.",
    "He learned to ride a horse when he was six.",
    "The vaccine must be kept cold.",
    "We moved the meeting to Thursday afternoon.",
    "Volcanic soil is good for vines.",
    "The actress thanked her first teacher.",
    "Tighten the four screws at the back of the engine.",
    "Children under five travel free.",
    "The monks copied the books by hand.",
    "Lightning struck the old oak.",
    "Which of these two passwords did you forget?",
    "The glacier has lost a third of its ice.",
    "Okay, thank you, that is all from me.",
)


class CentredEmbedder:
    def __init__(self, made: Embedder) -> None:
        self._made = made

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension)."""
        if not texts:
            return self._made.embed(texts)
        vectors = self._made.embed(texts) - self._common
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-9), np.float32)

    @cached_property
    def _common(self) -> NDArray[np.float32]:
        mean: NDArray[np.float32] = self._made.embed(_UNRELATED).mean(axis=0)
        return mean
