"""What kind of recording this is, read from it: it decides how its topics are found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from segmenter.records import Sentence
from segmenter.topics.embedder import EMBEDDERS
from segmenter.topics.gap_features import Talk
from segmenter.topics.material import Material

Kind = Literal["prose", "talk", "drift", "meeting", "other", "unread"]

_MEETING_SPEAKERS = 3
_MEETING_SENTENCES = 200
_SPOKEN = 0.02  # share of words that are I, you, we: prose under .01, talk mostly above .03
# How alike any two sentences are, by all-MiniLM-L6-v2 in English and by use-multilingual-v3 in its languages. One topic of a
# meeting .14 to .22 (5 to 95 %), one article above .19; stretches of several meetings joined .11 to .14, articles joined
# under .11. Chosen on English meetings and stretches of them.
_ONE_CLOTH = 0.125
# One voice asks few questions and is given no short replies: in meetings .05 to .15 and .30 to .46.
_QUESTIONS, _SHORT = 0.04, 0.3
_ENGLISH_SHARE = 0.15
# What all sentences of a recording have in common, as the squared length of their mean vector. By an English embedder:
# English .1 to .2, German .26, Spanish .32, Russian .56; Arabic, Greek and Hindi .65 to .71, where cuts do more harm than good.
_ALL_ALIKE = 0.62
_PERSONS = {"i", "i'm", "i'll", "i've", "i'd", "you", "your", "you're", "we", "we're", "we'll", "we've", "our"}
# Function words of English; together a third of any English text, and rare in others.
_ENGLISH = {"the", "and", "of", "to", "a", "in", "that", "is", "it", "for", "you", "i", "we", "on", "this", "was", "with", "be"}


def kind_of(material: Material, embedder: str = "") -> Kind:
    """`prose`: read or written, and `talk`: spoken, both with edges between topics; `drift`: all of one cloth, it may be one
    topic, or several that run into each other; `meeting`: long talk of several, known apart; `other`: not English, whose
    cue words were not learnt; `unread`: nor does the embedder tell its sentences apart.

    `embedder` names what made the vectors: in other languages only one that knows them can tell that all is of one cloth.
    """
    said = material.sentences
    words = re.findall(r"[\w']+", " ".join(sentence.text.lower() for sentence in said))
    if share(words, _ENGLISH) < _ENGLISH_SHARE:
        if _is_known(said, embedder):
            return "drift" if likeness(material) >= _ONE_CLOTH else "other"
        mean = material.vectors.mean(axis=0)
        return "unread" if float(mean @ mean) > _ALL_ALIKE else "other"
    if len(said) >= _MEETING_SENTENCES and len(_speakers(said)) >= _MEETING_SPEAKERS:
        return "meeting"
    spoken = share(words, _PERSONS) >= _SPOKEN
    if likeness(material) >= _ONE_CLOTH and not (spoken and _one_voice(said)):
        return "drift"
    return "talk" if spoken else "prose"


def _is_known(said: Sequence[Sentence], embedder: str) -> bool:
    """Whether most sentences are in languages that the embedder is known to know."""
    known = EMBEDDERS[embedder].languages if embedder in EMBEDDERS else ()
    return 2 * sum((sentence.language or "").partition("-")[0] in known for sentence in said) > len(said)


def share(words: Sequence[str], among: set[str]) -> float:
    return sum(word in among for word in words) / max(1, len(words))


def likeness(material: Material) -> float:
    """The mean similarity of any two different sentences, short ones weighing little."""
    weights = Talk.of(material.vectors, material.sentences).weights
    total, own = weights @ material.vectors, float(weights @ weights)
    return (float(total @ total) - own) / max(float(weights.sum()) ** 2 - own, 1e-12)


def _one_voice(said: Sequence[Sentence]) -> bool:
    """A monologue: nobody else is known, few questions, hardly a short reply."""
    asked = sum(sentence.text.rstrip().endswith("?") for sentence in said)
    short = sum(len(sentence.text.split()) <= 2 for sentence in said)
    return len(_speakers(said)) < 2 and asked < _QUESTIONS * len(said) and short < _SHORT * len(said)


def _speakers(said: Sequence[Sentence]) -> set[str]:
    return {sentence.speaker for sentence in said if sentence.speaker}
