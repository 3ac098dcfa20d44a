"""What kind of recording this is, read from it: it decides how its topics are found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np

from segmenter.records import Sentence
from segmenter.topics.embedder import EMBEDDERS
from segmenter.topics.gap_features import QUESTION_MARKS, Talk, sizes
from segmenter.topics.material import Array, Material

Kind = Literal["prose", "talk", "drift", "meeting", "other", "unread"]

_MEETING_SPEAKERS = 3
_MEETING_SENTENCES = 200
_SPOKEN = 0.02  # share of words that are I, you, we: prose under .01, talk mostly above .03
# How much of their noise near sentences are more alike than distant ones, whatever the embedder: articles joined .14 to .5, one
# article .12 in the middle; talk of one topic or several under .15. Chosen on XQuAD's chains in twelve languages.
_NEAR, _CHANGE = 3, 0.15
# One voice asks few questions and is given no short replies: in meetings .05 to .15 and .30 to .46.
_QUESTIONS, _SHORT = 0.04, 0.3
# A screencast stays with one matter and still has parts, so a monologue is of one cloth only where it is so many times as alike
# (all-MiniLM-L6-v2: .2, the median of what one speaker says on one topic of a meeting; work sessions .13 to .19).
_MONOLOGUE = 1.6
_SPONTANEOUS = 0.05  # share of sentences of one or two words: prose under .04, work sessions and lectures mostly .05 to .29
_ENGLISH_SHARE = 0.15
# What all sentences of a recording have in common, as the squared length of their mean vector. By an English embedder:
# English .1 to .2, German .26, Spanish .32, Russian .56; Arabic, Greek and Hindi .65 to .71, where cuts do more harm than good.
_ALL_ALIKE = 0.62
_PERSONS = {"i", "i'm", "i'll", "i've", "i'd", "you", "your", "you're", "we", "we're", "we'll", "we've", "our"}
# Function words of English; together a third of any English text, and rare in others.
_ENGLISH = {"the", "and", "of", "to", "a", "in", "that", "is", "it", "for", "you", "i", "we", "on", "this", "was", "with", "be"}


def kind_of(material: Material, embedder: str = "all-MiniLM-L6-v2") -> Kind:
    """`prose`: read or written, and `talk`: spoken, both with edges between topics; `drift`: all of one cloth, it may be one
    topic, or several that run into each other; `meeting`: long talk of several, known apart; `other`: prose that is not
    English; `unread`: nor does the embedder tell its sentences apart.

    `embedder` names what made the vectors: in other languages only one that knows them can tell that all is of one cloth. A
    name that is not in the table stands for one that knows any language, and of which nothing was measured.
    """
    said = material.sentences
    words = re.findall(r"[\w']+", " ".join(sentence.text.lower() for sentence in said))
    if share(words, _ENGLISH) >= _ENGLISH_SHARE:
        return _in_english(material, embedder, share(words, _PERSONS) >= _SPOKEN)
    if _is_known(said, embedder):
        return _in_another(material, embedder)
    mean = material.vectors.mean(axis=0)
    return "unread" if float(mean @ mean) > _ALL_ALIKE else "other"


def _in_english(material: Material, embedder: str, spoken: bool) -> Kind:
    said = material.sentences
    if len(said) >= _MEETING_SENTENCES and len(_speakers(said)) >= _MEETING_SPEAKERS:
        return "meeting"
    if _of_one_cloth(material, embedder, spoken and _one_voice(said)):
        return "drift"
    return "talk" if spoken else "prose"


def _in_another(material: Material, embedder: str) -> Kind:
    """The same without words to go by: no meeting is cut by cues, and long talk of several only where a break is plain."""
    said = material.sentences
    spoken, monologue = len(_speakers(said)) > 1 or _short(said) >= _SPONTANEOUS, _one_voice(said)
    long = len(said) >= _MEETING_SENTENCES and not monologue
    if (long or _of_one_cloth(material, embedder)) and not (spoken and monologue):
        return "drift"
    return "talk" if spoken else "other"


def _is_known(said: Sequence[Sentence], embedder: str) -> bool:
    """Whether most sentences are in languages that the embedder is known to know."""
    known = EMBEDDERS[embedder].languages if embedder in EMBEDDERS else ()
    return not known or 2 * sum((sentence.language or "").partition("-")[0] in known for sentence in said) > len(said)


def _of_one_cloth(material: Material, embedder: str, monologue: bool = False) -> bool:
    """Whether all is alike; a monologue is not by an embedder whose likenesses were not measured."""
    alike = EMBEDDERS[embedder].alike if embedder in EMBEDDERS else None
    if alike is None:
        return not monologue and change(material) < _CHANGE
    return likeness(material) >= alike * (_MONOLOGUE if monologue else 1)


def share(words: Sequence[str], among: set[str]) -> float:
    return sum(word in among for word in words) / max(1, len(words))


def likeness(material: Material) -> float:
    """The mean similarity of any two different sentences, short ones weighing little."""
    return _all_pairs(*_weighed(material))


def change(material: Material) -> float:
    """How much more alike near sentences are than distant ones, as a share of what near ones lack of being the same.

    Neither a part that all vectors share nor their scale changes it.
    """
    weights, rows = _weighed(material)
    sums, shares = np.zeros(2), np.zeros(2)
    for lag in range(1, min(_NEAR, len(rows) - 1) + 1):
        sums[0] += np.einsum("id,id->", rows[lag:], rows[:-lag])
        shares[0] += weights[lag:] @ weights[:-lag]
    shares[1] = (weights.sum() ** 2 - weights @ weights) / 2 - shares[0]
    sums[1] = _all_pairs(weights, rows) * shares.sum() - sums[0]
    near, distant = sums / np.maximum(shares, 1e-12)
    return float((near - distant) / max(1 - near, 1e-12)) if shares[1] > 1e-9 else 0.0


def _weighed(material: Material) -> tuple[Array, Array]:
    """The weight of each sentence, and its vector times that."""
    weights = Talk.of(material.vectors, material.sentences).weights
    return weights, weights[:, None] * material.vectors


def _all_pairs(weights: Array, rows: Array) -> float:
    total, own = rows.sum(axis=0), float(weights @ weights)
    return (float(total @ total) - own) / max(float(weights.sum()) ** 2 - own, 1e-12)


def _one_voice(said: Sequence[Sentence]) -> bool:
    """A monologue: nobody else is known, few questions, hardly a short reply."""
    asked = sum(sentence.text.rstrip().endswith(QUESTION_MARKS) for sentence in said)
    return len(_speakers(said)) < 2 and asked < _QUESTIONS * len(said) and _short(said) < _SHORT


def _short(said: Sequence[Sentence]) -> float:
    """The share of sentences of one or two words."""
    return float(np.mean(sizes([sentence.text for sentence in said]) <= 2))


def _speakers(said: Sequence[Sentence]) -> set[str]:
    return {sentence.speaker for sentence in said if sentence.speaker}
