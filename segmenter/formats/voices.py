"""Names before a colon, as meeting tools, podcasts and broadcasters tell who speaks.

    Jane Doe: Good morning.        on every line, or only where the speaker changes
    >> JOHN: Hello. >> Hi.         a change of speaker wherever it stands, with or without a name

"Note: this" and "He said: go" begin so too, so it takes the whole file to know.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from segmenter.formats.markup import plain
from segmenter.formats.rolling import Caption

_NAME = r"(?P<name>(?:[^\W_]|\+)(?:[^:：<>!?\[\]]{0,58}[^\s:：<>!?\[\]])?)"
_HEAD = re.compile(rf"\s*{_NAME}\s?(?::\s+|：\s*)(?P<said>\S.*)")
_CHANGE = re.compile(rf"(?:^|(?<=\s))(?:>{{2,3}}|(?:&gt;){{2,3}})\s*(?:{_NAME}:(?:\s+|$))?")
_VOICE_TAG = re.compile(r"<v(?:[. ][^<>]*)?>")
_ABBREVIATED = re.compile(r"(?:[^\W\d_]{1,4}\.)+,?")  # Dr., J.R., Ph.D.
_IDENTIFIED = re.compile(r'\d+ "(?P<name>[^"<>]+)" \(\d+\)')
_DIGITS = 7  # a telephone number has more; a shorter number counts something
_PARTICLES = {
    "al",
    "and",
    "bin",
    "da",
    "de",
    "del",
    "den",
    "der",
    "di",
    "du",
    "el",
    "la",
    "le",
    "of",
    "the",
    "van",
    "von",
    "y",
    "zu",
}
_WORDS = 6
_ON_NEARLY_ALL, _AGAIN = 0.8, 2
_OFTEN = 0.3  # of the captions name somebody where single words are names


def names(lines: Sequence[str]) -> frozenset[str]:
    """Which names before a colon are those of speakers; none where a colon seems to be a colon."""
    heads = [head["name"] if (head := _HEAD.match(line)) and _possible(head["name"]) else None for line in lines]
    counted = Counter(name for name in heads if name is not None)
    return next((known for rule in _RULES if (known := rule(counted, heads, lines))), frozenset())


def voice(line: str, known: frozenset[str]) -> tuple[str, str] | None:
    """The name that a line begins with, and what was said."""
    head = _HEAD.match(line) if known else None
    return (head["name"], head["said"]) if head and head["name"] in known else None


def identified(identifier: str) -> str:
    """The voice tag that the identifier of a WebVTT cue stands for, as Webex writes it: `1 "Jane Doe" (123)`."""
    told = _IDENTIFIED.fullmatch(identifier)
    return f"<v {told['name']}>" if told else ""


def with_voices(found: list[Caption]) -> list[Caption]:
    """Captions with names as voice tags; one that begins without a name goes on in the voice of the one before."""
    changes = [name for caption in found for line in caption.lines for name in _changing(line)]
    if any(changes):
        return _carried_on([[_CHANGE.sub(_as_tag, line) for line in caption.lines] for caption in found], found)
    known = names([next(filter(plain, caption.lines), "") for caption in found])
    if not known:
        return found
    told = [[_tagged(line, known) for line in caption.lines] for caption in found]
    return _carried_on(told, found)


def titled(name: str) -> bool:
    """Whether every word begins with a capital, as names do; scripts without capitals pass."""
    words = [word.lstrip("(\"'“‘") for word in name.split()]
    return len(words) <= _WORDS and all(word.lower() in _PARTICLES or not word[:1].islower() for word in words)


# --- which names ----------------------------------------------------------------------------------------------------


def _possible(name: str) -> bool:
    """Whether it is no sentence: a point only ends abbreviations, and a number is long enough to be called."""
    if not any(c.isalpha() for c in name):
        return sum(c.isdigit() for c in name) >= _DIGITS
    return all("." not in word or (_ABBREVIATED.fullmatch(word.strip("()")) and titled(word)) for word in name.split())


_Heads = Sequence[str | None]


def _nearly_always(counted: Counter[str], heads: _Heads, _: Sequence[str]) -> frozenset[str]:
    """Nearly all lines begin with a name, and some name comes again."""
    enough = counted.total() >= _ON_NEARLY_ALL * len(heads)
    return frozenset(counted) if enough and max(counted.values(), default=0) >= _AGAIN else frozenset()


def _once_each(counted: Counter[str], heads: _Heads, _: Sequence[str]) -> frozenset[str]:
    """All lines do, each with another name of which one at least has a surname."""
    named = None not in heads and len(counted) > 1 and all(map(titled, counted))
    return frozenset(counted) if named and any(" " in name for name in counted) else frozenset()


def _at_changes(counted: Counter[str], heads: _Heads, lines: Sequence[str]) -> frozenset[str]:
    """The first line does, and others where the speaker changes: names with a surname, or such that come again.

    Subtitles for the deaf name who is out of sight, in capitals: what follows may be said by anybody.
    """
    sure = {name for name, count in counted.items() if titled(name) and (count >= _AGAIN or " " in name)}
    named = sum(counted[name] for name in sure)
    taking_turns = len(sure) > 1 and heads[0] in sure and any(counted[name] >= _AGAIN for name in sure)
    often = any(" " in name for name in sure) or named >= _OFTEN * len(heads)
    labels = all(name.isupper() for name in sure) and not all(line.isupper() for line in lines if line)
    agreed = taking_turns and often and not labels and named >= _ON_NEARLY_ALL * counted.total()
    return frozenset(sure) if agreed else frozenset()


_RULES: tuple[Callable[[Counter[str], _Heads, Sequence[str]], frozenset[str]], ...] = (_nearly_always, _once_each, _at_changes)


# --- in captions ----------------------------------------------------------------------------------------------------


def _tagged(line: str, known: frozenset[str]) -> str:
    told = voice(line, known)
    return f"<v {told[0]}>{told[1]}" if told else line


def _changing(line: str) -> list[str]:
    return [change["name"] for change in _CHANGE.finditer(line) if change["name"] and titled(change["name"])]


def _as_tag(change: re.Match[str]) -> str:
    name = change["name"]
    if name and titled(name):
        return f"<v {name}>"
    return f"<v>{change[0][change.start('name') - change.start() :] if name else ''}"


def _carried_on(told: Sequence[list[str]], found: Sequence[Caption]) -> list[Caption]:
    voiced, latest = [], ""
    for caption, lines in zip(found, told, strict=True):
        first = next((i for i, line in enumerate(lines) if plain(line)), None)
        if first is not None and latest and not lines[first].startswith("<v"):
            lines[first] = latest + lines[first]
        tags = _VOICE_TAG.findall(" ".join(lines))
        latest = tags[-1] if tags else latest
        voiced.append(replace(caption, lines=tuple(lines)))
    return voiced
