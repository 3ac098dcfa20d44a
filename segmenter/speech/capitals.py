"""Where sentences begin in text without marks, by its capitals: a function word with a capital is no name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import stopwordsiso

from segmenter.records import Word
from segmenter.speech.openers import OPENERS

_LETTERS = re.compile(r"[^\W\d_]+")

# Written with a capital anywhere.
_EVERYWHERE = {"en": {"i"}, "de": {"sie", "ihr", "ihre", "ihren", "ihrem", "ihrer", "ihnen"}, "da": {"i", "de"}}


class Openers(NamedTuple):
    """Words in small letters that begin a sentence where they have a capital: in any case, and before a word without one."""

    sure: frozenset[str]
    likely: frozenset[str]


def openers(words: Sequence[Word], language: str | None) -> Openers:
    """Those of a text: sure are the words that sentences begin with, likely the stop words that it has in small letters too.

    None if it is like a title or all in capitals, where they tell nothing.
    """
    language = language or "en"
    found = [word for word in map(_bare, words) if word]
    sure = OPENERS.get(language, frozenset()) - _EVERYWHERE.get(language, set())
    likely = (_stop_words(language) & {word for word in found if word.islower()}) - _EVERYWHERE.get(language, set())
    known = sure | likely
    capitals = [word[0].isupper() for word in found if word.lower() in known]
    return Openers(sure, likely) if 2 * sum(capitals) < len(capitals) else Openers(frozenset(), frozenset())


def starts(words: Sequence[Word], openers: Openers) -> Iterator[int]:
    """How many words lie before each sentence that a capital begins."""
    bare = [*map(_bare, words), ""]
    for at in range(1, len(words)):
        word = bare[at].lower()
        opens = word in openers.sure or (word in openers.likely and not bare[at + 1].istitle())
        if opens and bare[at].istitle() and words[at].text[:1].isspace():
            yield at


def _bare(word: Word) -> str:
    """Its first letters: "It" of " “It's,"."""
    found = _LETTERS.search(word.text)
    return found[0] if found else ""


@cache
def _stop_words(language: str) -> frozenset[str]:
    return frozenset(stopwordsiso.stopwords(language)) if stopwordsiso.has_lang(language) else frozenset()
