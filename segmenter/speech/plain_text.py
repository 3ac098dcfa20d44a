"""What was said as plain text, without times: its sentences, in order.

An empty line ends a paragraph, and so a sentence; a line that ends is none. Names before a colon are speakers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from segmenter.errors import BadInput
from segmenter.files import read_bytes
from segmenter.formats import cues, text, voices
from segmenter.formats.captions import lines
from segmenter.formats.cues import Cue, Piece
from segmenter.formats.transcripts import Transcript
from segmenter.records import Finding, Sentence, Word
from segmenter.settings import SpeechSettings
from segmenter.speech.sentences import split
from segmenter.speech.written_language import language_of

_LIMIT_BYTES = 50_000_000  # as of a transcript with times


def read(path: str | os.PathLike[str], settings: SpeechSettings, report: Callable[[Finding], None]) -> tuple[Sentence, ...]:
    """The sentences of a text; sentence i stands at i to i + 1, since their order is all that is known.

    Raises:
        NotAFile: not a regular file that can be read.
        BadInput: no text, or nothing in it.
        TooLarge: beyond the limits.
    """
    content, damage = text.decode(read_bytes(path, _LIMIT_BYTES), path)
    if damage is not None:
        report(damage)
    language = language_of(Transcript(()), settings.language)
    found = [sentence for said in _paragraphs(content) for sentence in split(said, settings, language)]
    if not found:
        raise BadInput("the text is empty: nothing but blanks", path=path)
    report(Finding("no_times", "a text without times: what it says and its order are all that is known", level="note"))
    return tuple(replace(one, start=float(i), end=i + 1.0, words=()) for i, one in enumerate(found))


def _paragraphs(content: str) -> Iterator[Sequence[Word]]:
    shown = [line.strip() for line in lines(content)]
    known = voices.names([line for line in shown if line])
    speaker = None
    for there, group in groupby(shown, key=bool):
        pieces = []
        for line in group if there else ():
            speaker, said = voices.voice(line, known) or (speaker, line)
            pieces.append(Piece(f" {said}", speaker=speaker))
        yield tuple(cues.words(Cue(0.0, 0.0, cues.tidy(pieces))))
