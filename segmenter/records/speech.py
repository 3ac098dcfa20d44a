"""What is said, who says it, and where the topic changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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


def text_of(said: Sequence[Sentence]) -> str:
    """What was said, with blanks only where the words have them: not every script separates sentences."""
    return "".join("".join(w.text for w in s.words) or f" {s.text}" for s in said).strip()


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
class Passage:
    """Sentences first to last, both inclusive, of one chunk where a topic rule's chunks overlap or lie in each other.

    `level` 0 is the largest; `parent` is the index of the passage that holds this one.
    """

    first: int
    last: int
    level: int = 0
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class TopicCurve:
    """What the topic rule saw at each gap between sentences: the higher the score, the likelier a break.

    `measure` says what the scores are, `times` are the starts of the sentences after the gaps, `threshold` is what a
    score must exceed, None where more than one number decides.

    `missed` is by how much each gap came short of a break, in what `missed_says`: the lower, the closer; 0 or less where
    nothing was missing, None where it was not reckoned, of which `otherwise` says why. `remarks` says it in words of
    some gaps, by their number.
    """

    measure: str
    times: tuple[float, ...]
    scores: tuple[float, ...]
    threshold: float | None = None
    missed: tuple[float | None, ...] = ()
    missed_says: str = ""
    otherwise: str = ""
    remarks: Mapping[int, str] = field(default_factory=dict)
