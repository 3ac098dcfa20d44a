"""What the file itself says: chapters, headings in the transcript, changes of speaker."""

from __future__ import annotations

import re
from bisect import bisect_left

import numpy as np

from segmenter.settings import TopicSettings
from segmenter.topics.material import Cut, Material, Misses, Ruling

# "# Budget", "3. Budget", "3.1 Budget", "3 Budget and Travel", "Chapter 4", "PART II: Budget", "Section Two"
_MARKED = re.compile(r"#{1,6}\s+(?P<rest>\S.*)")
_NUMBERED = re.compile(r"(?P<number>\d+(?:\.\d+)*[.)]?)\s+(?P<rest>\S.*)")
_NAMED = re.compile(
    r"(?:chapter|part|section|item)\s+(?:\d+|[ivxlc]+|one|two|three|four|five|six|seven|eight|nine|ten)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_AFTER_NUMBER = re.compile(r"[.:)–—-](\s|$)")
_SMALL_WORD = 3  # letters of those that titles write small: and, of, the
_HEADING_WORDS = 10
_SPEAKER, _TITLE, _CHAPTER = 0.4, 0.8, 1.0


def cuts(material: Material, settings: TopicSettings) -> Ruling:  # noqa: ARG001 - one signature for all rules
    """Chapters and headings if there are any, else changes of speaker."""
    titles = {**_headings(material), **_chapters(material)}
    marks = titles or _turns(material)
    made = [Cut(i, *marks[i]) for i in sorted(marks)]
    scores = np.zeros(material.gaps)
    for cut in made:
        scores[cut.after] = cut.strength
    missed = np.where(scores > 0, -scores, np.nan)
    none = "no chapter or heading begins here" if titles else "the same speaker goes on"
    misses = Misses(missed, "short of a mark in the file", none)
    return Ruling(made, scores, "rank of the mark in the file", 0.0, misses=misses)


def _chapters(material: Material) -> dict[int, tuple[float, str]]:
    starts = [sentence.start for sentence in material.sentences]
    openings = {bisect_left(starts, at) for at in material.chapters}
    return {i - 1: (_CHAPTER, "a chapter of the file begins") for i in openings if 0 < i < len(starts)}


def _headings(material: Material) -> dict[int, tuple[float, str]]:
    return {
        i - 1: (_TITLE, f"heading: {sentence.text.strip()[:40]}")
        for i, sentence in enumerate(material.sentences)
        if i and _is_heading(sentence.text.strip())
    }


def _is_heading(text: str) -> bool:
    """A short line without a full stop that is marked, numbered or named as one; talk may begin with a number as well."""
    if not text or len(text.split()) > _HEADING_WORDS or text[-1] in ".?!":
        return False
    if _MARKED.fullmatch(text):
        return True
    if named := _NAMED.fullmatch(text):
        rest = named["rest"].strip()
        return not rest or (text[0].isupper() and rest[0].isupper()) or bool(_AFTER_NUMBER.match(rest))
    numbered = _NUMBERED.fullmatch(text)
    if not numbered or not _begins_large(numbered["rest"]):
        return False
    return not numbered["number"].isdigit() or _is_title(numbered["rest"].split())


def _is_title(words: list[str]) -> bool:
    """Written as English titles are: all words large but small ones inside."""
    return _begins_large(words[-1]) and all(_begins_large(word) for word in words if len(word) > _SMALL_WORD)


def _begins_large(text: str) -> bool:
    """In scripts with small letters, without."""
    return text[0].isalpha() and not text[0].islower()


def _turns(material: Material) -> dict[int, tuple[float, str]]:
    who = [sentence.speaker for sentence in material.sentences]
    return {i: (_SPEAKER, f"{who[i + 1] or 'somebody'} speaks") for i in range(len(who) - 1) if who[i] != who[i + 1]}
