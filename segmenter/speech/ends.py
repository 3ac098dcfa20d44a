"""Where the sentences of a text end, by its marks.

sentencex (https://github.com/wikimedia/sentencex, MIT) finds the ends and knows abbreviations, decimals and the marks of
most scripts. What it gets wrong is corrected here, by rules that see the text on both sides of a mark; the first that
knows the case decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sentencex import get_sentence_boundaries

from segmenter.speech.abbreviations import (
    AFTER_CLOCK,
    BEFORE_NUMBERS,
    GERMAN_COUNTED,
    GERMAN_MONTHS,
    NEVER_LAST,
    OFTEN_LAST,
    ORDINAL_STOPS,
    SELDOM_LAST,
)
from segmenter.speech.openers import OPENERS

_SEEN = 200  # characters on both sides of a mark, at most
_TAIL = 60  # of them before it, which are enough for an abbreviation or a number and the words before it

# What sentencex passes over: the marks of Khmer, a closed bracket, and "no", which it takes for "number" everywhere.
_PASSED_OVER = re.compile(r"[។៕]|[.!?]\)(?=\s+[^\W\d_])|。[)）]|\b[Nn]o\.(?=\s+[^\W\d_])")
_ABBREVIATED = re.compile(r"(?<=\w)\.(?=\s+[^\W\d_])")

_WORD = re.compile(r"[^\W_]+")
_INITIAL = re.compile(r"(?:^|[^\w'’°&])[^\W\d_]\.$|['’][A-ZÀ-Þ]\.$")
_NEXT_INITIAL = re.compile(r"\s*[^\W\d_]\.")
_DOTTED = re.compile(r"(?:^|\W)(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,3}\.$")
_NUMBER = re.compile(r"(?:^|\s)\d{1,4}\.$")
_SMALL_NUMBER = re.compile(r"(?:^|\s)\d{1,2}\.$")
_ROMAN_NUMBER = re.compile(r"\s[IVX]{2,}\.$")
_THAI_ABBREVIATION = re.compile(r"(?:[\u0e01-\u0e2e]{1,2}\.)+$")

# German: "am 3. Mai", "die 1. Mannschaft", "der II. Weltkrieg", "im frühen 18. Jahrhundert", "vom 3. bis 5. Tag".
_DETERMINER = (
    r"(?:[Aa][mn]s?|[Ii][mn]s?|[Vv]om|[Zz]u[mr]|[Bb]eim|[Dd](?:er|ie|as|en|em|es)|[Jj]ede[rsmn]?"
    r"|(?:[MmDdSs]ein|[IiUu](?:hr|nser)|[Ee]uer|[Kk]ein)e?[rsmn]?)"
)
_GERMAN_ORDINAL = re.compile(
    rf"(?:\b{_DETERMINER}|\d\.(?:,|\s+und|\s+oder|\s+bis)?)(?:\s+[a-zäöüß]+en?)?\s+(?:\d{{1,3}}|[IVX]+)\.$"
)

_QUOTED = re.compile(r"[»”\"」』]$")
_QUOTE_GOES_ON = re.compile(r"\s*(?:と|って|(?:이?라고|하고|라는)(?:\s|$))")
_SPEECH = re.compile(r"^[—–-].*[!?…]$|[.!?…][»”\"]$", re.DOTALL)
_DASH_GOES_ON = re.compile(r"\s*[—–-]\s*(?=[^\W\d_])")
_ENGLISH_SAID = re.compile(r"\s+[A-Z][\w'’]+ (?:said|asked|cried|replied|answered|shouted|whispered|added)\b")
_CHINESE_SAID = re.compile(r"[\u4e00-\u9fff]{1,5}?[问说答喊叫笑]道?[,，.。:：!！]")
_CHINESE_QUOTE = re.compile(r"(?:^|[。！？])\s*“[^“”]*”$")  # with no "he says:" before it


class _Mark(NamedTuple):
    """A mark that may end a sentence: the text since the last end, the text that follows, and the language."""

    before: str
    after: str
    language: str

    @property
    def tail(self) -> str:
        return self.before[-_TAIL:]

    @property
    def following(self) -> str:
        """The first character behind blanks and opening quotation marks and brackets, if any."""
        return self.after.lstrip(" \t\n\u00a0\u3000\"'“‘„«»(¿¡[")[:1]

    @property
    def next_word(self) -> str:
        found = _WORD.search(self.after)
        return found[0].lower() if found else ""

    @property
    def opens(self) -> bool:
        """Whether the next word is one of those that begin sentences, and no initial: "Ю. А. Гагарин"."""
        return self.next_word in OPENERS.get(self.language, ()) and not _NEXT_INITIAL.match(self.after)

    @property
    def written_large(self) -> bool:
        """Whether the sentence began with a capital, so that the next one would too."""
        first = _WORD.search(self.before)
        return first is None or not first[0][0].islower()

    def last_in(self, table: dict[str, frozenset[str]]) -> bool:
        """Whether the last word, or the last two as one, is in the language's part of a table."""
        entries = table.get(self.language)
        if not entries:
            return False
        words = [word.lstrip("(«„“\"'’[") for word in self.before.rsplit(None, 2)[-2:]]
        return words[-1] in entries or "".join(words) in entries


def marked_ends(text: str, language: str) -> Iterator[int]:
    """Where sentences end in `text`, in characters, before the blanks that follow; the last end is the text's."""
    start, last = 0, len(text.rstrip())
    for end in sorted(_offered(text, language)):
        mark = _Mark(text[max(start, end - _SEEN) : end].lstrip(), text[end : end + _SEEN], language)
        if end >= last or not _goes_on(mark):
            yield end
            start = end


def _offered(text: str, language: str) -> set[int]:
    found = ((end["start_index"], end["text"].rstrip()) for end in get_sentence_boundaries(language, text))
    offered = {start + len(sentence) for start, sentence in found if sentence}
    offered |= {match.end() for match in _PASSED_OVER.finditer(text)}
    stops = (match.end() for match in _ABBREVIATED.finditer(text))
    return offered | {end for end in stops if _may_be_last(_Mark(text[max(0, end - _TAIL) : end], "", language))}


def _may_be_last(mark: _Mark) -> bool:
    """Whether sentencex may not see an end behind this, though there may be one."""
    return mark.last_in(SELDOM_LAST) or mark.last_in(OFTEN_LAST)


def _goes_on(mark: _Mark) -> bool:
    """Whether a sentence goes on behind a mark: as the first rule says that knows, else it ends there."""
    said = (rule(mark) for rule in _RULES)
    return next((known for known in said if known is not None), False)


def _abbreviation(mark: _Mark) -> bool | None:
    if mark.last_in(SELDOM_LAST):
        return not (mark.following.isupper() and mark.opens)
    if mark.last_in(OFTEN_LAST):
        return not mark.following.isupper() or mark.next_word in AFTER_CLOCK
    if mark.following.isdigit() and mark.last_in(BEFORE_NUMBERS):
        return True
    thai = mark.language == "th" and _THAI_ABBREVIATION.search(mark.tail)
    return True if thai or mark.last_in(NEVER_LAST) else None


def _ellipsis(mark: _Mark) -> bool | None:
    if not mark.before.endswith(("...", "…")):
        return None
    return mark.following.isalpha() and not mark.following.isupper()


def _reported(mark: _Mark) -> bool | None:
    """Speech in quotation marks or behind a dash, and who says it: “Is it?” he asked. — Да? — спросил он."""
    dash = _DASH_GOES_ON.match(mark.after) if _SPEECH.search(mark.before) else None
    if dash:
        return mark.after[dash.end()].islower() or None
    if not _QUOTED.search(mark.before):
        return None
    if mark.language == "zh":
        return True if _CHINESE_QUOTE.search(mark.before) and _CHINESE_SAID.match(mark.after) else None
    said = _QUOTE_GOES_ON.match(mark.after) or (mark.language == "en" and _ENGLISH_SAID.match(mark.after))
    return True if said or (mark.written_large and mark.after.lstrip()[:1].islower()) else None


def _initial(mark: _Mark) -> bool | None:
    """A name's initial, but not before a function word: "plan B. It works"; or an abbreviation: "a.C.", "p. m. en"."""
    initial = _INITIAL.search(mark.tail)
    if initial and mark.before[-2].isupper() and mark.following.isupper():
        return None if mark.opens else True
    if initial and mark.after[:1].isalpha():
        return True
    small = mark.written_large and mark.following.islower()
    return True if small and (initial or _DOTTED.search(mark.tail)) else None


def _ordinal(mark: _Mark) -> bool | None:
    """A number before a small letter."""
    if not (mark.written_large and mark.following.islower()):
        return None
    stopped = mark.language in ORDINAL_STOPS and _NUMBER.search(mark.tail)
    return True if stopped or _ROMAN_NUMBER.search(mark.tail) else None


def _german_ordinal(mark: _Mark) -> bool | None:
    """A number before a noun. As German nouns have capitals, the words on both sides tell: a determiner, no function word."""
    if mark.language != "de":
        return None
    if _SMALL_NUMBER.search(mark.tail) and (mark.next_word in GERMAN_MONTHS or mark.next_word.startswith(GERMAN_COUNTED)):
        return True
    return True if _GERMAN_ORDINAL.search(mark.tail) and mark.following.isupper() and not mark.opens else None


def _korean_date(mark: _Mark) -> bool | None:
    """No Korean sentence ends with a number: "2024. 5. 3. 에"."""
    return True if mark.language == "ko" and _NUMBER.search(mark.tail) else None


_RULES: tuple[Callable[[_Mark], bool | None], ...] = (
    *(_abbreviation, _ellipsis, _reported, _initial, _ordinal, _german_ordinal, _korean_date),
)
