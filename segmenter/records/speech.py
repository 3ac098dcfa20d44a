"""What is said, who says it, and where the topic changes."""

from __future__ import annotations

from dataclasses import dataclass

from segmenter.records.spans import check, check_share


@dataclass(frozen=True, slots=True)
class Word:
    """One word as the transcriber wrote it, punctuation and leading blank included: joined, words give the text."""

    text: str
    start: float
    end: float
    probability: float | None = None
    speaker: str | None = None

    def __post_init__(self) -> None:
        check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Sentence:
    """`doubts` are reasons not to trust the sentence: it stays visible but takes no part in topics."""

    text: str
    start: float
    end: float
    speaker: str | None = None
    language: str | None = None
    doubts: tuple[str, ...] = ()
    words: tuple[Word, ...] = ()

    def __post_init__(self) -> None:
        check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody speaks without a longer pause; turns of different speakers may overlap."""

    speaker: str
    start: float
    end: float

    def __post_init__(self) -> None:
        check(self, self.start, self.end)


@dataclass(frozen=True, slots=True)
class TopicBreak:
    """A new topic begins with the sentence after `after_sentence`; `time` is that sentence's start."""

    after_sentence: int
    time: float
    strength: float
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check(self, self.time, self.time)
        check_share(self, "strength", self.strength)


@dataclass(frozen=True, slots=True)
class TopicCurve:
    """What the topic rule saw at each gap between sentences: the higher the score, the likelier a break.

    `measure` says what the scores are, `times` are the starts of the sentences after the gaps, `threshold` is what a
    score must exceed, None where more than one number decides.
    """

    measure: str
    times: tuple[float, ...]
    scores: tuple[float, ...]
    threshold: float | None = None
