"""How long a text is in the embedder's own word-pieces: what budgets and passages are measured in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from segmenter.topics.material import tokens

Pieces = Callable[[Sequence[str]], list[int]]  # texts to their lengths, each at least 1


def counter(weights: str | None) -> Pieces:
    """Counts with the tokenizer in that folder of weights; where there is none (a server), about as many."""
    file = Path(weights or "") / "tokenizer.json"
    if weights is None or not file.is_file():
        return lambda texts: [tokens(text) for text in texts]
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda texts: [max(1, len(one)) for one in tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]


def sizes(texts: Sequence[str], pieces: Sequence[int]) -> list[int]:
    """How much there is to read in each text: its word-pieces, unless these miss most of it.

    A tokenizer makes one unknown piece of a whole run in a script that it has no letters of, such as Thai; a passage of
    256 of those would be pages long. Where it counts less than half of what is there, our own count holds.
    """
    return [piece if 2 * piece >= own else own for piece, own in zip(pieces, map(tokens, texts), strict=True)]
