"""Who speaks when: the protocol that every diarizer keeps, and the table of diarizers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from segmenter.records import Turn
from segmenter.speech.vad import Piece
from segmenter.table import Row


class Listener(Protocol):
    """Listens to one recording."""

    def hear(self, piece: Piece) -> None:
        """Take in the next piece of sound."""

    def turns(self, count: int | None) -> tuple[Turn, ...]:
        """Who spoke when in all that was heard, in order of time, called S1, S2, ... in order of first appearance.

        `count` is how many speakers there are; None: found.
        """


class Diarizer(Protocol):
    def listener(self) -> Listener:
        """A listener for the next recording."""


DIARIZERS = {
    "embedded": Row(
        "segmenter.speech.embedded_speakers:EmbeddedSpeakers",
        "segmentation and voice vectors, with weights that a package carries",
        ("torch", "scipy"),
        "speakers",
    ),
    "pyannote": Row(
        "segmenter.speech.pyannote_speakers:PyannoteSpeakers", "a pyannote.audio pipeline of your own", ("pyannote",), "pyannote"
    ),
}


def overheard(pieces: Iterable[Piece], hear: Callable[[Piece], None]) -> Iterator[Piece]:
    """The same pieces, each heard on its way."""
    for piece in pieces:
        hear(piece)
        yield piece
