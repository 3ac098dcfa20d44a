"""What kind of recording this is, read from it: it decides how its topics are found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from segmenter.records import Sentence
from segmenter.topics.material import Material

Kind = Literal["prose", "talk", "conversation", "meeting", "other", "unread"]

_MEETING_SPEAKERS = 3
_MEETING_SENTENCES = 200
_CONVERSATION_SENTENCES = 350  # shorter talk still has edges between its topics
_SPOKEN = 0.02  # share of words that are I, you, we: prose under .01, talk mostly above .03
_ENGLISH_SHARE = 0.15
# What all sentences of a recording have in common, as the squared length of their mean vector. By an English embedder:
# English .1 to .2, German .26, Spanish .32, Russian .56; Arabic, Greek and Hindi .65 to .71, where cuts do more harm than good.
_ALL_ALIKE = 0.62
_PERSONS = {"i", "i'm", "i'll", "i've", "i'd", "you", "your", "you're", "we", "we're", "we'll", "we've", "our"}
# Function words of English; together a third of any English text, and rare in others.
_ENGLISH = {"the", "and", "of", "to", "a", "in", "that", "is", "it", "for", "you", "i", "we", "on", "this", "was", "with", "be"}


def kind_of(material: Material) -> Kind:
    """`prose`: read or written; `talk`: spoken; `conversation`: long talk; `meeting`: long talk of several, known apart;
    `other`: not English, whose cue words were not learnt; `unread`: nor does the embedder tell its sentences apart."""
    said = material.sentences
    words = re.findall(r"[\w']+", " ".join(sentence.text.lower() for sentence in said))
    if share(words, _ENGLISH) < _ENGLISH_SHARE:
        mean = material.vectors.mean(axis=0)
        return "unread" if float(mean @ mean) > _ALL_ALIKE else "other"
    if len(said) >= _MEETING_SENTENCES and _speakers(said) >= _MEETING_SPEAKERS:
        return "meeting"
    if share(words, _PERSONS) < _SPOKEN:
        return "prose"
    return "conversation" if len(said) >= _CONVERSATION_SENTENCES else "talk"


def share(words: Sequence[str], among: set[str]) -> float:
    return sum(word in among for word in words) / max(1, len(words))


def _speakers(said: Sequence[Sentence]) -> int:
    return len({sentence.speaker for sentence in said if sentence.speaker})
