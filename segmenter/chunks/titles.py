"""A title for each chunk: what it talks about more than the rest of the recording does, or what is seen in it.

Key phrases by class-based TF-IDF (Grootendorst, BERTopic, 2022; https://arxiv.org/abs/2203.05794): a chunk is a
class, a phrase is a run of words without stop words or punctuation inside. Where a language has no stop words, or
does not put blanks between words, the first words are the title.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import log, sqrt

import stopwordsiso

from segmenter.formats.text import clean
from segmenter.formats.title import shorten, title
from segmenter.records import Chunk, Event, Sentence
from segmenter.timeline import length, overlap

_COLUMNS = 60
_PHRASES = 3
_PHRASE_WORDS = 3
_KNOWN_SHARE = 0.25  # of running text are stop words in every language that has a list; less, and the guess is wrong
_UNSPACED = {"zh", "ja", "th"}  # no blanks between words
_WORD = re.compile(r"[^\W\d_](?:\w|['’\-](?=\w))+")  # two letters at least; a number says nothing alone
_BREAK = re.compile(r"[^\w\s'’\-]")
_PLURALS = {"person": "people", "bus": "buses"}
_UNCOUNTED = {"moving": "movement"}  # what the motion tracker calls all that it sees, parts of one thing too

Phrase = tuple[str, ...]


def titled(chunks: Sequence[Chunk], sentences: Sequence[Sentence], events: Iterable[Event]) -> tuple[Chunk, ...]:
    """The chunks with their titles. Doubtful sentences take no part where a chunk has others."""
    said = [_trusted(chunk, sentences) for chunk in chunks]
    stop = _stop_words(sentences)
    classes = [_phrases(text, stop) for text in said]
    seen = tuple(events)
    labels = {track.id: track.label for event in seen for track in event.tracks}
    phrases = _best_phrases(classes)
    return tuple(
        replace(chunk, title=_joined(best) if best else _without_phrases(chunk, labels, seen))
        for chunk, best in zip(chunks, phrases, strict=True)
    )


def _trusted(chunk: Chunk, sentences: Sequence[Sentence]) -> str:
    if chunk.sentences is None:
        return ""
    first, last = chunk.sentences
    own = sentences[first : last + 1]
    return "\n".join(s.text for s in own if not s.doubts) or chunk.text


def _joined(phrases: Sequence[str]) -> str:
    """As many of the phrases as fit."""
    text = phrases[0]
    for phrase in phrases[1:]:
        if len(text) + 2 + len(phrase) <= _COLUMNS:
            text += f", {phrase}"
    return shorten(text[:1].upper() + text[1:], _COLUMNS)


# --- phrases ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Class:
    """The phrases of one chunk: how often each occurs, how it is written, and how many words there are."""

    counts: Counter[Phrase] = field(default_factory=Counter)
    written: defaultdict[Phrase, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    whole: set[Phrase] = field(default_factory=set)  # runs with stop words or punctuation on both sides
    words: int = 0


def _phrases(text: str, stop: frozenset[str]) -> _Class:
    found = _Class()
    for run in _runs(clean(text.replace("\n", " . ")), stop) if stop else ():
        found.words += len(run)
        folded = tuple(word.casefold() for word in run)
        found.whole.add(folded)
        for size in range(1, min(_PHRASE_WORDS, len(run)) + 1):
            for i in range(len(run) - size + 1):
                found.counts[folded[i : i + size]] += 1
                found.written[folded[i : i + size]][" ".join(run[i : i + size])] += 1
    return found


def _runs(text: str, stop: frozenset[str]) -> Iterator[list[str]]:
    """Words that stand side by side with neither a stop word, a number nor punctuation between them."""
    for piece in _BREAK.split(text):
        run: list[str] = []
        for token in piece.split():
            if _WORD.fullmatch(token) and token.casefold().replace("’", "'") not in stop:
                run.append(token)
            elif run:
                yield run
                run = []
        if run:
            yield run


def _best_phrases(classes: Sequence[_Class]) -> list[list[str]]:
    total: Counter[Phrase] = Counter()
    for one in classes:
        total.update(one.counts)
    talking = [one.words for one in classes if one.words]
    typical = sum(talking) / len(talking) if talking else 0.0
    return [_best(one, total, typical) for one in classes]


def _best(one: _Class, total: Counter[Phrase], typical: float) -> list[str]:
    """The phrases of greatest weight, of which no two share a word.

    A longer phrase says more than one of its words alone; one that was said only once and as a part of a longer run
    is an accident. So is a single word said once, unless there is nothing better.
    """
    weights = {
        phrase: sqrt(len(phrase)) * count * log(1 + typical / total[phrase])
        for phrase, count in one.counts.items()
        if len(phrase) == 1 or total[phrase] > 1 or phrase in one.whole
    }
    chosen: list[Phrase] = []
    for phrase in sorted(weights, key=lambda p: -weights[p]):  # stable: of equals, what is said first
        new = not any(_alike(a, b) for other in chosen for a in other for b in phrase)
        if new and (not chosen or len(phrase) > 1 or one.counts[phrase] > 1):
            chosen.append(phrase)
        if len(chosen) == _PHRASES:
            break
    return [one.written[phrase].most_common(1)[0][0] for phrase in chosen]


def _alike(a: str, b: str) -> bool:
    """The same word but for an ending of up to two letters, such as a plural's."""
    short, long = sorted((a, b), key=len)
    return long.startswith(short[: max(3, len(short) - 1)]) and len(long) - len(short) <= 2


def _stop_words(sentences: Sequence[Sentence]) -> frozenset[str]:
    """Those of the language that most sentences are in; of an unknown one, the list that knows most of the words."""
    languages = Counter(s.language for s in sentences if s.language)
    if languages:
        return _list(languages.most_common(1)[0][0])
    words = Counter(word.casefold() for s in sentences for word in s.text.split())
    lists = [_list(language) for language in sorted(stopwordsiso.langs())]
    known = [sum(number for word, number in words.items() if word in one) for one in lists]
    best = max(range(len(lists)), key=known.__getitem__)
    return lists[best] if known[best] > _KNOWN_SHARE * words.total() else frozenset()


@cache
def _list(language: str) -> frozenset[str]:
    known = stopwordsiso.has_lang(language) and language not in _UNSPACED
    return frozenset(stopwordsiso.stopwords(language)) if known else frozenset()


# --- without phrases -------------------------------------------------------------------------------------------


def _without_phrases(chunk: Chunk, labels: dict[int, str], events: Iterable[Event]) -> str:
    """`2 people, 1 car, 14 s` where nothing is said: for so long somebody is in view, or nobody."""
    if chunk.text:
        return title(chunk, _COLUMNS)
    in_view_s = sum(overlap(event, chunk) for event in events)
    seen = described([labels[track] for track in chunk.tracks], in_view_s or length(chunk), chunk.kind)
    return shorten(clean(seen), _COLUMNS)


def described(labels: Iterable[str], seconds: float, nothing: str = "") -> str:
    """`2 people, 1 car, 14 s`, of one label for each track; `nothing` stands where there is none."""
    seen = [_counted(label, n) for label, n in Counter(labels).most_common()] or [nothing]
    return ", ".join([*filter(None, seen), _lasting(seconds)])


def _counted(label: str, number: int) -> str:
    if label in _UNCOUNTED:
        return _UNCOUNTED[label]
    return f"1 {label}" if number == 1 else f"{number} {_PLURALS.get(label, label + 's')}"


def _lasting(seconds: float) -> str:
    if seconds >= 120:
        return f"{seconds / 60:.0f} min"
    return f"{seconds:.0f} s" if seconds >= 1 else f"{seconds:.1f} s"
