"""Words to sentences, as a pure function: punctuation of any script, pauses, changes of speaker, and a length cap.

sentencex (https://github.com/wikimedia/sentencex, MIT) finds the ends in the text and knows abbreviations, decimals and
the marks of most scripts. Pauses end sentences where a model leaves punctuation out. No word is lost or moved.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from sentencex import get_sentence_boundaries

from segmenter.records import Sentence, Word
from segmenter.settings import SpeechSettings

# What sentencex 1.0 splits and should not, found with the table of cases in the tests. No sentence ends with these ...
_ABBREVIATIONS = {
    "ar": {"د."},
    "en": {"approx.", "vol."},
    "fr": {"M.", "MM.", "Mme.", "Dr.", "Me."},
    "hi": {"डॉ.", "श्री."},
    "it": {"pag.", "art.", "cap."},
    "pt": {"Av.", "R.", "pág."},
    "ru": {"е.", "д.", "рис.", "табл.", "стр.", "см.", "См.", "ул."},
}
# ... and with these only before a capital letter.
_BEFORE_CAPITALS = {"etc.", "ecc.", "usw.", "itd.", "a.m.", "p.m.", "r.", "г.", "гг.", "млн.", "млрд.", "тыс.", "руб."}
_THAI_ABBREVIATION = re.compile(r"(?:[\u0e01-\u0e2e]{1,2}\.)+$")
_GERMAN_ORDINAL = re.compile(r"(?:^|\s)\d{1,2}\.$")
_GERMAN_COUNTED = re.compile(  # before a month sentencex knows it
    r"\s*(?:FC|SC|SV|Jahrhundert|Jahrtausend|Klasse|Stock|Etage|Platz|Kapitel|Mal|Geburtstag|Tag|Woche|Weltkrieg|Auflage|Bundesliga)"
)
_QUOTED = re.compile(r"[»”\"」』]$")
_QUOTE_GOES_ON = re.compile(r"\s*(?:[—–-]\s|と|って|(?:이?라고|하고|라는)(?:\s|$))")
# What it passes over: the marks of Khmer, a closed bracket, and "no", which it takes for "number" everywhere.
_PASSED_OVER = re.compile(r"[។៕]|[.!?]\)(?=\s+[^\W\d_])|\b[Nn]o\.(?=\s+[^\W\d_])")

# Scripts written without blanks: Chinese and Japanese, Thai, Lao, Myanmar, Khmer.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]")
_CHARACTERS_A_WORD = 2  # in them, about; Chinese and Japanese words have 1.5 to 2.5 on average
_CLAUSE_END = re.compile(r"[,;:،؛、，；：–—]\W*$")


def split(words: Sequence[Word], settings: SpeechSettings, language: str | None = None) -> tuple[Sentence, ...]:
    """Sentences in the order of the words; joined, their words are `words`.

    Their edges are copied from the first and last word; their text is the words' text without outer blanks.
    """
    return tuple(
        _sentence(part, language)
        for run in _runs(words, settings.pause_s)
        for piece in _cut(run, text_ends(run, language))
        for part in _within(piece, settings.max_words)
    )


def text_ends(words: Sequence[Word], language: str | None = None) -> list[int]:
    """How many words lie before each end of a sentence that the text shows, the last end included.

    A blank belongs to the word behind it, so an end is looked for before it; one inside a word moves behind the word.
    """
    text = "".join(word.text for word in words)
    word_ends = list(accumulate(len(word.text) for word in words))
    marks = _marks(text, language or "en") if text.strip() else []
    return sorted({bisect_left(word_ends, mark) + 1 for mark in marks} | {len(words)})


def _marks(text: str, language: str) -> Iterator[int]:
    """Where sentences end in `text`, in characters, before the blanks that follow."""
    for found in get_sentence_boundaries(language, text):
        sentence = found["text"].rstrip()
        end = found["start_index"] + len(sentence)
        if sentence and (end >= len(text.rstrip()) or not _goes_on(sentence, text[end:], language)):
            yield end
    yield from (match.end() for match in _PASSED_OVER.finditer(text))


def _goes_on(sentence: str, rest: str, language: str) -> bool:
    """Whether the end that sentencex found is none."""
    last, following = sentence.split()[-1], rest.lstrip()[:1]
    if last in _ABBREVIATIONS.get(language, ()):
        return True
    if last in _BEFORE_CAPITALS or last.endswith(("...", "…")):
        return not following.isupper() and following.isalpha()
    if _QUOTED.search(last):
        return bool(_QUOTE_GOES_ON.match(rest))
    if language == "de" and _GERMAN_ORDINAL.search(sentence):
        return bool(_GERMAN_COUNTED.match(rest))
    return language == "th" and bool(_THAI_ABBREVIATION.search(last))


def _runs(words: Sequence[Word], pause_s: float) -> Iterator[Sequence[Word]]:
    """Stretches of words by one speaker without a long pause."""
    cuts = [i for i, (a, b) in enumerate(pairwise(words), 1) if b.start - a.end >= pause_s or a.speaker != b.speaker]
    return _cut(words, [*cuts, len(words)])


def _cut(words: Sequence[Word], ends: Sequence[int]) -> Iterator[Sequence[Word]]:
    return (words[a:b] for a, b in pairwise([0, *ends]) if a < b)


def _within(words: Sequence[Word], max_words: int) -> Iterator[Sequence[Word]]:
    """The words, cut again and again at their longest pause while there are more than `max_words`.

    A fifth stays on both sides, else a pause near an edge leaves single words; of equal pauses, the one behind a
    clause, then the one in the middle.
    """
    if len(words) < 2 or word_count("".join(word.text for word in words)) <= max_words:
        yield words
        return
    edge = max(1, len(words) // 5)
    at = max(range(edge, len(words) - edge + 1), key=lambda i: _merit(words, i))
    yield from _within(words[:at], max_words)
    yield from _within(words[at:], max_words)


def _merit(words: Sequence[Word], at: int) -> tuple[float, bool, int]:
    pause = round(words[at].start - words[at - 1].end, 3)
    return pause, bool(_CLAUSE_END.search(words[at - 1].text)), -abs(len(words) - 2 * at)


def word_count(text: str) -> float:
    """The number of words; in scripts without blanks, counted by characters."""
    spaced, unspaced = _UNSPACED.subn(" ", text)
    return len(re.findall(r"\w\S*", spaced)) + unspaced / _CHARACTERS_A_WORD


def _sentence(words: Sequence[Word], language: str | None) -> Sentence:
    text = "".join(word.text for word in words).strip()
    return Sentence(text, words[0].start, words[-1].end, words[0].speaker, language, words=tuple(words))
