"""Why not to trust a sentence, as pure functions: figures of its window, its own words, and the sound under it.

Models invent text where there is noise or music, and loop. Nothing is thrown away for that: the sentence stays, with
its reasons. Measured on 290 sentences of real speech and 55 inventions forced from 14 sounds without speech; each
threshold lies where real speech does not reach.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby

from segmenter import timeline
from segmenter.records import Finding, Sentence
from segmenter.speech.hearing import LOOP_RATIO
from segmenter.speech.transcriber import Passage

_NO_SPEECH, _NO_SPEECH_LOGPROB = 0.6, -0.6  # the first is Whisper's own; quiet real speech passes the second
_LOW_LOGPROB = -1.0  # Whisper's own threshold for decoding again
_LOW_PROBABILITY = 0.4  # of the words, on average
_LONG_WORD_S = 3.0  # in real speech: 1.5 at most
_LITTLE_VOICE = 0.3  # share of the sentence in which the detector hears a voice
_REPEATS = 3

Evidence = Callable[[Sentence, Sequence[Passage]], bool]


def _loops(_: Sentence, passages: Sequence[Passage]) -> bool:
    return any((p.compression_ratio or 0.0) > LOOP_RATIO for p in passages)


def _no_speech(_: Sentence, passages: Sequence[Passage]) -> bool:
    return any((p.no_speech_probability or 0.0) > _NO_SPEECH and (p.avg_logprob or 0.0) < _NO_SPEECH_LOGPROB for p in passages)


def _improbable(sentence: Sentence, passages: Sequence[Passage]) -> bool:
    known = [word.probability for word in sentence.words if word.probability is not None]
    unsure_words = bool(known) and sum(known) / len(known) < _LOW_PROBABILITY
    return unsure_words or any((p.avg_logprob or 0.0) < _LOW_LOGPROB for p in passages)


def _long_word(sentence: Sentence, _: Sequence[Passage]) -> bool:
    return any(timeline.length(word) > _LONG_WORD_S for word in sentence.words)


def _no_letters(sentence: Sentence, _: Sequence[Passage]) -> bool:
    return not any(character.isalnum() for character in sentence.text)


def _little_voice(sentence: Sentence, passages: Sequence[Passage]) -> bool:
    voice = sum(timeline.overlap(sentence, span) for p in passages for span in p.speech)
    return bool(passages) and voice < _LITTLE_VOICE * timeline.length(sentence)


EVIDENCE: dict[str, Evidence] = {
    "compression": _loops,
    "no speech": _no_speech,
    "low probability": _improbable,
    "long word": _long_word,
    "no letters": _no_letters,
    "little voice": _little_voice,
}


def doubts(sentence: Sentence, passages: Sequence[Passage] = ()) -> tuple[str, ...]:
    """The reasons against one sentence; `passages` are those that its words come from (none: a ready transcript)."""
    return tuple(reason for reason, holds in EVIDENCE.items() if holds(sentence, passages))


def repeated(sentences: Sequence[Sentence]) -> tuple[bool, ...]:
    """Which sentences stand in a row of three or more that say the same, letters and digits compared."""
    said = [re.sub(r"[\W_]+", " ", sentence.text).strip().casefold() for sentence in sentences]
    rows = (list(row) for _, row in groupby(said))
    return tuple(len(row) >= _REPEATS for row in rows for _ in row)


def doubtful(sentences: Sequence[Sentence]) -> list[Finding]:
    """What the user should know about the doubts: how many sentences, why, and where."""
    doubted = [sentence for sentence in sentences if sentence.doubts]
    if not doubted:
        return []
    reasons = Counter(reason for sentence in doubted for reason in sentence.doubts)
    why = ", ".join(f"{reason} ({count})" for reason, count in reasons.most_common())
    message = f"{len(doubted)} of {len(sentences)} sentences are doubtful and take no part in topics: {why}"
    return [Finding("doubtful_sentences", message, doubted[0].start, doubted[-1].end)]
