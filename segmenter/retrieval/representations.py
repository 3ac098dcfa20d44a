"""What is embedded of a passage: the table of representations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import SettingsError
from segmenter.table import Row, check, load


@dataclass(frozen=True, slots=True)
class Context:
    """A passage and what is known around it. `lines` are its sentences and events; `before` and `after` are key words."""

    lines: Sequence[str]
    title: str = ""
    speakers: Sequence[str] = ()
    seen: str = ""  # "2 people, 1 car, 14 s"
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class RepresentationRow(Row):
    """`late`: made of the model's token vectors, so that there is no text to keep in a store."""

    late: bool = False


_HERE = "segmenter.retrieval.representations"
REPRESENTATIONS: dict[str, RepresentationRow] = {
    "plain": RepresentationRow(f"{_HERE}:plain", "what is said, and nothing else"),
    "contextual": RepresentationRow(
        f"{_HERE}:contextual", "title, speakers, what is seen and the neighbours' key words in front"
    ),
    "late": RepresentationRow(
        "segmenter.retrieval.late:LateEmbedder",
        "token vectors of as much text as the model reads at once, averaged per passage",
        ("sentence_transformers",),
        "topics",
        late=True,
    ),
}

Text = Callable[[Context], str]


class Late(Protocol):
    def embed(self, lines: Sequence[str], passages: Sequence[tuple[int, int]]) -> NDArray[np.float32]:
        """Unit vectors of the passages, (first, last) lines both inclusive, shape (len(passages), dimension)."""


def text_of(name: str) -> Text:
    """The function that makes what is embedded.

    Raises:
        SettingsError: there is no such representation, or it is made of token vectors and no text.
    """
    check("representation", REPRESENTATIONS, name)
    if REPRESENTATIONS[name].late:
        able = ", ".join(known for known, row in REPRESENTATIONS.items() if not row.late)
        raise SettingsError(f"{name} has no text that a store could keep", hint=f"a store takes: {able}")
    return load("representation", REPRESENTATIONS, name)


def plain(context: Context) -> str:
    return " ".join(context.lines)


def contextual(context: Context) -> str:
    """The context first, for a model reads the beginning best; nothing is said where nothing is known."""
    parts = {
        "": context.title,
        "seen: ": context.seen,
        "speakers: ": ", ".join(context.speakers),
        "before: ": context.before,
        "after: ": context.after,
    }
    known = [f"{name}{text}." for name, text in parts.items() if text]
    return " ".join([*known, *context.lines])
