"""Passages as the transcriber heard them to sentences with true edges and doubts, as a pure function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice

from segmenter.formats.cues import Figures
from segmenter.records import Sentence, Span, Turn, Word
from segmenter.settings import SpeechSettings
from segmenter.speech.doubts import doubts, repeated
from segmenter.speech.sentences import split, text_ends
from segmenter.speech.snap import snap
from segmenter.speech.transcriber import Passage
from segmenter.speech.turns import attributed

_OVER_AND_OVER = 8  # equal captions in a row; refrains have fewer, loops of a model far more
_UNSPOKEN = {"compression", "no speech"}  # doubts of segments that are none of their neighbours' business


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
    words: Sequence[Word],
    settings: SpeechSettings,
    language: str | None = None,
    turns: Sequence[Turn] = (),
    figures: Sequence[Figures | None] = (),
) -> tuple[Sentence, ...]:
    """Sentences of a ready transcript; `turns` tell more about the speakers than it does.

    One that a model wrote, as its words' probabilities or the `figures` of each word's segment show, gets the reasons to
    doubt it that need no sound. Captions get one alone: people wrote them, and a word may stay on the screen for five
    seconds, but nobody says the same so many times in a row.
    """
    words = attributed(words, turns) if turns else words
    if figures:
        return _marked(list(_with_figures(words, figures, language, settings)))
    sentences = split(words, settings, language)
    if all(word.probability is None for word in words):
        return _marked(sentences, _OVER_AND_OVER)
    return _marked([replace(sentence, doubts=doubts(sentence)) for sentence in sentences])


def _with_figures(
    words: Sequence[Word], figures: Sequence[Figures | None], language: str | None, settings: SpeechSettings
) -> Iterator[Sentence]:
    """A segment in which nothing was spoken, by its figures, makes sentences of its own, else it taints its neighbours."""
    said = groupby(zip(words, figures, strict=True), key=lambda told: id(told[1]))
    segments = (list(one) for _, one in said)
    passages = [_segment([word for word, _ in one], one[0][1], language) for one in segments]
    for _, group in groupby(passages, key=_unspoken):
        yield from _sentences(list(group), language, settings)


def _segment(words: Sequence[Word], figures: Figures | None, language: str | None) -> Passage:
    """A segment of a ready transcript as a passage; nobody listened, so all of it counts as speech."""
    span = Span(words[0].start, words[-1].end)
    known = figures or Figures()
    return Passage(
        tuple(words),
        span,
        (span,),
        language or "",
        avg_logprob=known.avg_logprob,
        compression_ratio=known.compression_ratio,
        no_speech_probability=known.no_speech_probability,
    )


def _unspoken(segment: Passage) -> bool:
    text = "".join(word.text for word in segment.words)
    said = Sentence(text, segment.window.start, segment.window.end, words=segment.words)
    return not _UNSPOKEN.isdisjoint(doubts(said, [segment]))


def _marked(found: Sequence[Sentence], least: int = 0) -> tuple[Sentence, ...]:
    """With a doubt on those that are repeated, in rows of `least` and more."""
    rows = [
        list(row)
        for _, row in groupby(zip(found, repeated(found), strict=True), lambda told: told[1] and told[0].text.casefold())
    ]
    return tuple(
        replace(sentence, doubts=(*sentence.doubts, "repeated")) if again and len(row) >= least else sentence
        for row in rows
        for sentence, again in row
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


def _sentences(passages: Sequence[Passage], language: str | None, settings: SpeechSettings) -> Iterator[Sentence]:
    """Sentences of passages in one language; a sentence may begin in one passage and end in the next."""
    origins = [passage for passage in passages for _ in passage.words]
    at = 0
    for sentence in split([word for passage in passages for word in passage.words], settings, language):
        behind = at + len(sentence.words)
        sources = [next(same) for _, same in groupby(origins[at:behind], key=id)]
        yield replace(sentence, doubts=doubts(sentence, sources))
        at = behind
