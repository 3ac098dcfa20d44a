"""Words that are looked for: text to terms in many languages, and BM25 over them."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from itertools import pairwise
from unicodedata import category, normalize

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

K1, B = 1.5, 0.75  # Robertson and Zaragoza 2009: how soon a word said again counts no more; how much length counts

_FEW, _SHARE = 3, 0.1  # documents, or share of them, that a term is in if it tells something

_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
# Written without blanks between words: Thai to Burmese and Khmer, kana, Han. Two characters side by side are a term,
# as in Lucene's CJK analyzer: no dictionary, and every word of two or more characters is found.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"


@cache
def _words() -> re.Pattern[str]:
    """Runs of letters, numbers and the marks on them; `\\w` alone would cut Hindi and Thai words at their vowels."""
    marks = "".join(c for c in map(chr, range(0x300, sys.maxunicode + 1)) if category(c) in ("Mn", "Mc"))
    return re.compile(f"[{_UNSPACED}]+|[\\w{marks}]+(?<![{_UNSPACED}])")


def terms(text: str, language: str = "") -> list[str]:
    """The terms of `text` in order: words case-folded, stemmed where the language (an ISO 639-1 code) is known.

    Runs without blanks become pairs of neighbouring characters. Stop words stay: BM25 weighs them next to nothing, and
    the list at hand counts "order", "work" and "group" among them, which cost .01 to .02 of the recall on meetings.
    """
    stem = _stemmer(language)
    found: list[str] = []
    for match in _words().finditer(normalize("NFKC", text)):
        run = match.group().casefold()
        if _unspaced().match(run):
            found += [a + b for a, b in pairwise(run)] or [run]
        else:
            found.append(run)
    return stem(found)


def matches(text: str, language: str, wanted: Collection[str]) -> list[tuple[int, int]]:
    """Where words of `text` have one of the `wanted` terms: (from, until) characters, joined where they meet."""
    found: list[tuple[int, int]] = []
    for match in _words().finditer(text):
        step = 2 if _unspaced().match(match.group()) and len(match.group()) > 1 else len(match.group())
        for begin in range(match.start(), match.end() - step + 1):
            if not wanted or not any(term in wanted for term in terms(text[begin : begin + step], language)):
                continue
            if found and begin <= found[-1][1] and step == 2:
                found[-1] = (found[-1][0], begin + step)
            else:
                found.append((begin, begin + step))
    return found


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]")


@cache
def _stemmer(language: str) -> Callable[[list[str]], list[str]]:
    import Stemmer

    return Stemmer.Stemmer(_STEMMERS[language]).stemWords if language in _STEMMERS else list


class Lexicon:
    """BM25 over documents that are given as terms. The statistics are those of these documents.

    With `only`, nothing but these terms can be asked for, which is much quicker to make.
    """

    def __init__(self, documents: Sequence[Sequence[str]], only: Collection[str] | None = None) -> None:
        self.count = len(documents)
        lengths = np.array([len(one) for one in documents], np.float64)
        typical = float(lengths.mean()) if lengths.any() else 1.0
        where: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for i, document in enumerate(documents):
            for term, times in Counter(document if only is None else [t for t in document if t in only]).items():
                where[term].append((i, times))
        self._postings = {term: self._weighed(found, lengths, typical) for term, found in where.items()}

    def _weighed(self, found: list[tuple[int, int]], lengths: Array, typical: float) -> tuple[NDArray[np.intp], Array]:
        index = np.array([i for i, _ in found], np.intp)
        times = np.array([n for _, n in found], np.float64)
        rarity = np.log1p((self.count - len(found) + 0.5) / (len(found) + 0.5))
        return index, rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * lengths[index] / typical))

    @property
    def nbytes(self) -> int:
        return sum(index.nbytes + weights.nbytes for index, weights in self._postings.values())

    def rare(self, query: Iterable[str]) -> set[str]:
        """Terms of the query that few documents have: those that tell something."""
        most = max(_FEW, _SHARE * self.count)
        return {term for term in query if term in self._postings and len(self._postings[term][0]) <= most}

    def scores(self, query: Iterable[str]) -> Array:
        """BM25 of every document, shape (count,); 0 where no term is in it."""
        total = np.zeros(self.count)
        for term in dict.fromkeys(query):
            if term in self._postings:
                index, weights = self._postings[term]
                total[index] += weights
        return total

    def shares(self, query: Iterable[str]) -> Array:
        """The same as shares of the greatest, 0 to 1."""
        return share(self.scores(query))


def share(scores: Array) -> Array:
    """Scores over the greatest of them; all 0 where nothing is greater than 0."""
    greatest = float(scores.max(initial=0.0))
    return scores / greatest if greatest > 0 else np.zeros_like(scores)
