"""Words to sentences, as a pure function: punctuation of any script, pauses, changes of speaker, capitals, and a length cap.

Pauses end sentences where a model leaves punctuation out; where a text has hardly any, so do capitals, and in what is
long for a sentence shorter pauses and the words that end clauses. No word is lost or moved.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from segmenter.records import Sentence, Word
from segmenter.settings import SpeechSettings
from segmenter.speech import capitals
from segmenter.speech.ends import marked_ends

# Scripts written without blanks: Chinese and Japanese, Thai, Lao, Myanmar, Khmer.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]")
_CHARACTERS_A_WORD = 2  # in them, about; Chinese and Japanese words have 1.5 to 2.5 on average

_MARK = re.compile(r"[.!?…,;:](?!\w)|[。！？｡、，；：।॥؟۔،؛։።፧།៕]")
_CLAUSE_END = re.compile(
    r"[,;:،؛、，；：–—]\W*$"  # marks, and words that end clauses in Chinese, Japanese and Korean
    r"|[吗呢吧]$|(?:でし|まし)た$|(?:です|ます|でしょう|ません)[ねよか]?$|[다요죠까]$"
)
_CLAUSE_START = re.compile(r"但是|可是|不过|所以|因为|因此|然后|而且|如果|另外|でも|そして|しかし|それで|だから|ところで")
_PHRASE_START = re.compile(r"\s+[\u0e01-\u0eff\u1780-\u17ff]")  # in Thai, Lao and Khmer
_AROUND = 4  # words on both sides of a place are looked at, which may be single characters

_PAUSE_S = 0.3  # shorter ones are within clauses too
_LONG = 0.5  # of the longest sentence: what a text without marks may have whole, whatever it shows


def split(words: Sequence[Word], settings: SpeechSettings, language: str | None = None) -> tuple[Sentence, ...]:
    """Sentences in the order of the words; joined, their words are `words`, which get the speaker of their sentence.

    Their edges are copied from the first and last word; their text is the words' text without outer blanks.
    """
    cap = settings.max_words
    pieces = [piece for run in _runs(words, settings.pause_s) for piece in _cut(run, text_ends(run, language))]
    openers, bare = capitals.openers(words, language), _is_bare(words, cap)
    return tuple(
        _sentence(part, language)
        for piece in pieces
        for clause in (_by_capitals(piece, openers) if bare or _count(piece) > cap else [piece])
        for sentence in _within(clause, cap, bare)
        for part in _by_speaker(sentence)
    )


def text_ends(words: Sequence[Word], language: str | None = None) -> list[int]:
    """How many words lie before each end of a sentence that the text shows, the last end included.

    A blank belongs to the word behind it, so an end is looked for before it; one inside a word moves behind the word.
    """
    text = _text(words)
    word_ends = list(accumulate(len(word.text) for word in words))
    marks = marked_ends(text, language or "en") if text.strip() else []
    return sorted({bisect_left(word_ends, mark) + 1 for mark in marks} | {len(words)})


def _runs(words: Sequence[Word], pause_s: float) -> Iterator[Sequence[Word]]:
    """Stretches of words without a long pause or a change from one known speaker to another."""
    cuts = [i for i, (a, b) in enumerate(pairwise(words), 1) if b.start - a.end >= pause_s or _changes(a, b)]
    return _cut(words, [*cuts, len(words)])


def _changes(a: Word, b: Word) -> bool:
    return a.speaker != b.speaker and None not in (a.speaker, b.speaker)


def _by_speaker(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """The words of a sentence by speaker. Unknown is no speaker: the one before goes on, at the beginning the one behind.

    That bridges no more than a sentence, which has no long pause and is one speaker's as a rule.
    """
    last = next((word.speaker for word in words if word.speaker is not None), None)
    told = list[Word]()
    for word in words:
        last = last if word.speaker is None else word.speaker
        told.append(word if word.speaker == last else replace(word, speaker=last))
    return _cut(told, [*(i for i, (a, b) in enumerate(pairwise(told), 1) if _changes(a, b)), len(told)])


def _by_capitals(words: Sequence[Word], openers: capitals.Openers) -> Iterator[Sequence[Word]]:
    return _cut(words, [*capitals.starts(words, openers), len(words)])


def _cut(words: Sequence[Word], ends: Sequence[int]) -> Iterator[Sequence[Word]]:
    return (words[a:b] for a, b in pairwise([0, *ends]) if a < b)


def _is_bare(words: Sequence[Word], max_words: int) -> bool:
    """Whether a text has hardly any marks: fewer than one in the longest sentence, and in half of that none is no sign."""
    text = _text(words)
    return (len(_MARK.findall(text)) + _LONG) * max_words < word_count(text)


def _within(words: Sequence[Word], max_words: int, bare: bool) -> Iterator[Sequence[Word]]:
    """The words, cut again and again at their longest pause while there are more than `max_words`.

    A text without marks is cut while there are more than half as many, where a pause or a clause shows it. A fifth stays
    on both sides, else a pause near an edge leaves single words; of equal pauses, the one between clauses or
    phrases, then the one in the middle.
    """
    count = _count(words)
    if len(words) < 2 or count <= max_words * (_LONG if bare else 1):
        yield words
        return
    edge = max(1, len(words) // 5)
    at = max(range(edge, len(words) - edge + 1), key=lambda i: _merit(words, i))
    if count <= max_words and not any(_merit(words, at)[:2]):
        yield words
        return
    yield from _within(words[:at], max_words, bare)
    yield from _within(words[at:], max_words, bare)


def _merit(words: Sequence[Word], at: int) -> tuple[float, bool, bool, int]:
    pause = round(words[at].start - words[at - 1].end, 3)
    before, after = words[max(0, at - _AROUND) : at], words[at : at + _AROUND]
    between = _CLAUSE_END.search(_text(before)) or _CLAUSE_START.match(_text(after))
    phrase = bool(_PHRASE_START.match(words[at].text))
    return pause if pause >= _PAUSE_S else 0.0, bool(between), phrase, -abs(len(words) - 2 * at)


def _text(words: Sequence[Word]) -> str:
    return "".join(word.text for word in words)


def _count(words: Sequence[Word]) -> float:
    return word_count(_text(words))


def word_count(text: str) -> float:
    """The number of words; in scripts without blanks, counted by characters."""
    spaced, unspaced = _UNSPACED.subn(" ", text)
    return len(re.findall(r"\w\S*", spaced)) + unspaced / _CHARACTERS_A_WORD


def _sentence(words: Sequence[Word], language: str | None) -> Sentence:
    text = _text(words).strip()
    return Sentence(text, words[0].start, words[-1].end, words[0].speaker, language, words=tuple(words))
