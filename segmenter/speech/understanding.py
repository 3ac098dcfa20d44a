"""Passages as the transcriber heard them to sentences with true edges and doubts, as a pure function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice

from segmenter.records import Sentence, Turn, Word
from segmenter.settings import SpeechSettings
from segmenter.speech.doubts import doubts, repeated
from segmenter.speech.sentences import split, text_ends
from segmenter.speech.snap import snap
from segmenter.speech.transcriber import Passage
from segmenter.speech.turns import attributed


def understand(passages: Iterable[Passage], settings: SpeechSettings, turns: Sequence[Turn] = ()) -> tuple[Sentence, ...]:
    """Sentences of all passages in order, each with its language, its speaker where `turns` tell, and the reasons to doubt it."""
    snapped = _spoken([_snapped(passage) for passage in passages if passage.words], turns)
    found = [
        sentence
        for language, group in groupby(snapped, key=lambda passage: passage.language)
        for sentence in _sentences(list(group), language, settings)
    ]
    return _marked(found)


def understand_ready(
    words: Sequence[Word], settings: SpeechSettings, language: str | None = None, turns: Sequence[Turn] = ()
) -> tuple[Sentence, ...]:
    """Sentences of a ready transcript; `turns` tell more about the speakers than it does.

    One that a model wrote, as its words' probabilities show, gets the reasons to doubt it that need no sound. Captions
    get none: people wrote them, and a word may stay on the screen for five seconds.
    """
    words = attributed(words, turns) if turns else words
    sentences = split(words, settings, language)
    if all(word.probability is None for word in words):
        return sentences
    return _marked([replace(sentence, doubts=doubts(sentence)) for sentence in sentences])


def _marked(found: Sequence[Sentence]) -> tuple[Sentence, ...]:
    return tuple(
        replace(sentence, doubts=(*sentence.doubts, "repeated")) if again else sentence
        for sentence, again in zip(found, repeated(found), strict=True)
    )


def _spoken(passages: Sequence[Passage], turns: Sequence[Turn]) -> Sequence[Passage]:
    """The passages with a speaker on each word; a turn may go on from one passage to the next."""
    if not turns:
        return passages
    words = iter(attributed([word for passage in passages for word in passage.words], turns))
    return [replace(passage, words=tuple(islice(words, len(passage.words)))) for passage in passages]


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
