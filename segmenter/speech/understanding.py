"""Passages as the transcriber heard them to sentences with true edges and doubts, as a pure function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from segmenter.records import Sentence
from segmenter.settings import SpeechSettings
from segmenter.speech.doubts import doubts, repeated
from segmenter.speech.sentences import split, text_ends
from segmenter.speech.snap import snap
from segmenter.speech.transcriber import Passage


def understand(passages: Iterable[Passage], settings: SpeechSettings) -> tuple[Sentence, ...]:
    """Sentences of all passages in order, each with its language and the reasons to doubt it."""
    snapped = [_snapped(passage) for passage in passages if passage.words]
    found = [
        sentence
        for language, group in groupby(snapped, key=lambda passage: passage.language)
        for sentence in _sentences(list(group), language, settings)
    ]
    return tuple(
        replace(sentence, doubts=(*sentence.doubts, "repeated")) if again else sentence
        for sentence, again in zip(found, repeated(found), strict=True)
    )


def _snapped(passage: Passage) -> Passage:
    ends = text_ends(passage.words, passage.language)
    return replace(passage, words=snap(passage.words, ends, passage.speech, passage.window))


def _sentences(passages: Sequence[Passage], language: str, settings: SpeechSettings) -> Iterator[Sentence]:
    """Sentences of passages in one language; a sentence may begin in one passage and end in the next."""
    origins = [passage for passage in passages for _ in passage.words]
    at = 0
    for sentence in split([word for passage in passages for word in passage.words], settings, language):
        behind = at + len(sentence.words)
        sources = [next(same) for _, same in groupby(origins[at:behind], key=id)]
        yield replace(sentence, doubts=doubts(sentence, sources))
        at = behind
