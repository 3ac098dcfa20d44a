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
from segmenter.speech.sentences import word_count
from segmenter.speech.transcriber import Passage
from segmenter.timeline import HasSpan

_NO_SPEECH, _NO_SPEECH_LOGPROB = 0.6, -0.6  # the first is Whisper's own; quiet real speech passes the second
_LOW_LOGPROB = -1.0  # Whisper's own threshold for decoding again
_LOW_PROBABILITY = 0.4  # of the words, on average
_LONG_WORD_S = 3.0  # in real speech: 1.5 at most
_LITTLE_VOICE = 0.3  # share of the sentence in which the detector hears a voice
_REPEATS = 3
_RUSHED, _RUSHED_CHARACTERS = 40.0, 20  # characters a second, in so many; fast speech has 25
_SLOW, _SLOW_S = 0.5, 8.0  # words a second, in so long a sentence; a window's 30 s under one phrase are such
# What Whisper writes under music and noise, for it learned from captions that end so. People say most of it too, so it
# counts only where the model or the detector is not sure.
_PHANTOMS = re.compile(
    r"(thanks|thank you)( so much| very much)? for (watching|listening|your attention)"
    r"|please subscribe.*|see you (in the )?next (time|video)|(sub)?titles? by .*|.*amara ?org.*"
    r"|vielen dank fürs zuschauen|untertitel.*|merci d avoir regardé.*|sous titr(es|age) .*|gracias por ver.*|subtitulos .*"
    r"|продолжение следует.*|субтитры .*|ご視聴ありがとうございました|请不吝点赞.*|字幕.*"
)
_PHANTOM_NO_SPEECH, _PHANTOM_LOGPROB, _PHANTOM_VOICE = 0.3, -0.6, 0.7

Evidence = Callable[[Sentence, Sequence[Passage]], bool]


def _loops(sentence: Sentence, passages: Sequence[Passage]) -> bool:
    """Text that packs too well casts doubt on all of it, a repetition in it on itself alone."""
    return any((p.compression_ratio or 0.0) > LOOP_RATIO or any(_is_in(loop, sentence) for loop in p.loops) for p in passages)


def _no_speech(_: Sentence, passages: Sequence[Passage]) -> bool:
    return any((p.no_speech_probability or 0.0) > _NO_SPEECH and (p.avg_logprob or 0.0) < _NO_SPEECH_LOGPROB for p in passages)


def _improbable(sentence: Sentence, passages: Sequence[Passage]) -> bool:
    known = [word.probability for word in sentence.words if word.probability is not None]
    unsure_words = bool(known) and sum(known) / len(known) < _LOW_PROBABILITY
    return unsure_words or any((p.avg_logprob or 0.0) < _LOW_LOGPROB for p in passages)


def _long_word(sentence: Sentence, _: Sequence[Passage]) -> bool:
    """Words of known probability were timed one by one; the others share a longer time."""
    return any(timeline.length(word) > _LONG_WORD_S for word in sentence.words if word.probability is not None)


def _rushed(sentence: Sentence, passages: Sequence[Passage]) -> bool:
    """Of a ready transcript the times are no evidence: captions overlap."""
    characters = len(sentence.text)
    return bool(passages) and characters >= _RUSHED_CHARACTERS and characters > _RUSHED * timeline.length(sentence)


def _slow(sentence: Sentence, _: Sequence[Passage]) -> bool:
    length = timeline.length(sentence)
    return length >= _SLOW_S and word_count(sentence.text) < _SLOW * length


def _phantom(sentence: Sentence, passages: Sequence[Passage]) -> bool:
    unsure = any(
        (p.no_speech_probability or 0.0) > _PHANTOM_NO_SPEECH or (p.avg_logprob or 0.0) < _PHANTOM_LOGPROB for p in passages
    )
    return bool(_PHANTOMS.fullmatch(_said(sentence))) and (unsure or _voice(sentence, passages) < _PHANTOM_VOICE)


def _no_letters(sentence: Sentence, _: Sequence[Passage]) -> bool:
    return not any(character.isalnum() for character in sentence.text)


def _little_voice(sentence: Sentence, passages: Sequence[Passage]) -> bool:
    return bool(passages) and _voice(sentence, passages) < _LITTLE_VOICE


def _voice(sentence: Sentence, passages: Sequence[Passage]) -> float:
    """The share of the sentence in which the detector hears a voice; 1 where nobody listened."""
    voice = sum(timeline.overlap(sentence, span) for p in passages for span in p.speech)
    length = timeline.length(sentence)
    return voice / length if passages and length > 0 else 1.0


def _is_in(a: HasSpan, b: HasSpan) -> bool:
    """Whether the middle of one lies in the other."""
    return abs((a.start + a.end) - (b.start + b.end)) <= max(timeline.length(a), timeline.length(b))


def _said(sentence: Sentence) -> str:
    """Letters and digits alone, to compare."""
    return re.sub(r"[\W_]+", " ", sentence.text).strip().casefold()


EVIDENCE: dict[str, Evidence] = {
    "compression": _loops,
    "no speech": _no_speech,
    "low probability": _improbable,
    "long word": _long_word,
    "too fast": _rushed,
    "too slow": _slow,
    "phantom phrase": _phantom,
    "no letters": _no_letters,
    "little voice": _little_voice,
}


def doubts(sentence: Sentence, passages: Sequence[Passage] = ()) -> tuple[str, ...]:
    """The reasons against one sentence; `passages` are those that its words come from (none: a ready transcript)."""
    return tuple(reason for reason, holds in EVIDENCE.items() if holds(sentence, passages))


def repeated(sentences: Sequence[Sentence]) -> tuple[bool, ...]:
    """Which sentences stand in a row of three or more that say the same, letters and digits compared."""
    rows = (list(row) for _, row in groupby(map(_said, sentences)))
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
