"""Where the topic changes: the table of break rules, and the one way to ask them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import SettingsError
from segmenter.records import Finding, Sentence, TopicBreak
from segmenter.settings import TopicSettings
from segmenter.table import Row, check, load
from segmenter.topics.limits import limited
from segmenter.topics.material import Array, Cut, Material, Passage, Rule, Ruling

_RULES = "segmenter.topics.rules"


@dataclass(frozen=True, slots=True)
class RuleRow(Row):
    """`needs`: "vectors" of the sentences, "text" only, or a "server"; `counts`: a number of topics may be given."""

    needs: str = "vectors"
    counts: bool = False


def _row(module: str, about: str, needs: str = "vectors", counts: bool = False, attribute: str = "cuts") -> RuleRow:
    return RuleRow(f"{_RULES}.{module}:{attribute}", about, needs=needs, counts=counts)


RULES: dict[str, RuleRow] = {
    "default": _row("fewest", "the fewest breaks that explain the talk; may be none", counts=True),
    "percentile": _row("percentile", "distances of neighbours above the 95th percentile: LangChain, LlamaIndex", counts=True),
    "standard_deviation": _row("standard_deviation", "distances three deviations above the mean, as LangChain", counts=True),
    "interquartile": _row("interquartile", "distances 1.5 interquartile ranges above the mean, as LangChain", counts=True),
    "gradient": _row("gradient", "where distances rise fastest, as LangChain", counts=True),
    "similarity": _row("similarity", "neighbours less alike than 0.70, and a budget of tokens"),
    "maxmin": _row("maxmin", "a sentence joins while it fits its chunk better than the worst pair in it"),
    "texttiling": _row("texttiling", "the deepest valleys between blocks of sentences (Hearst), on vectors", counts=True),
    "texttiling_words": _row("texttiling", "the same on the words themselves", "text", True, "cuts_on_words"),
    "divisive": _row("divisive", "splits in two where the squared error falls most, again and again (TreeSeg)", counts=True),
    "optimal": _row("optimal", "the best of all partitions by squared error and a penalty for each break", counts=True),
    "structure": _row("structure", "chapters and headings of the file, else changes of speaker", "text"),
    "fixed": _row("fixed", "so many tokens a chunk, whole sentences", "text"),
    "sliding": _row("sliding", "a window of tokens that moves on by a stride", "text"),
    "sentences": _row("sentences", "sentences packed to a budget, with overlap", "text"),
    "recursive": _row("recursive", "paragraphs, else lines, else sentences within a budget", "text"),
    "hierarchical": _row("hierarchical", "chunks in chunks of 2048, 512 and 128 tokens, as LlamaIndex", "text"),
    "llm": _row("llm", "a language model on an OpenAI-compatible server names the sentences that open topics", "server", True),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decision:
    """The breaks, and why: what the rule saw at each gap between the trusted sentences `index`."""

    breaks: tuple[TopicBreak, ...]
    cuts: list[Cut]
    ruling: Ruling
    index: list[int]

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The chunks as the rule means them, overlapping or in each other; else those between the breaks."""
        if self.ruling.passages:
            return tuple(replace(p, first=self.index[p.first], last=self.index[p.last]) for p in self.ruling.passages)
        if not self.index:
            return ()
        lasts = [b.after_sentence for b in self.breaks]
        return tuple(Passage(a, b) for a, b in zip([0, *(i + 1 for i in lasts)], [*lasts, self.index[-1]], strict=True))


def needs_vectors(rule: str) -> bool:
    return check_rule(rule).needs == "vectors"


def check_rule(rule: str) -> RuleRow:
    """The row of that rule.

    Raises:
        SettingsError: there is none; the message lists the known ones.
    """
    check("topic rule", RULES, rule)
    return RULES[rule]


def find(
    sentences: Sequence[Sentence], vectors: NDArray[np.float32], settings: TopicSettings, chapters: Sequence[float] = ()
) -> tuple[TopicBreak, ...]:
    """The topic breaks of a recording, in order. A break lies at the start of the sentence that opens the new topic.

    Args:
        sentences: all sentences in order; doubtful ones take no part.
        vectors: unit vectors, shape (number of trusted sentences, d), in their order; ignored by rules that need none.
        chapters: where the file's own chapters begin, in seconds.

    Raises:
        ValueError: a vector is not finite, or there are not as many as trusted sentences.
        SettingsError: the rule is unknown, or a number of topics was given to one that cannot keep to it.
    """
    return decide(sentences, vectors, settings, chapters).breaks


def decide(
    sentences: Sequence[Sentence], vectors: NDArray[np.float32], settings: TopicSettings, chapters: Sequence[float] = ()
) -> Decision:
    """The same, with what the rule saw and meant."""
    index, row = trusted(sentences), check_rule(settings.rule)
    if row.needs == "vectors":
        _check_vectors(vectors, len(index))
    if len(index) < 2:
        return Decision((), [], Ruling([], np.zeros(0), "nothing to cut"), index)
    material = Material([sentences[i] for i in index], vectors, chapters)
    wanted = _with_count(material, settings, row)
    rule: Rule = load("topic rule", RULES, settings.rule)
    ruling = rule(material, wanted)
    if wanted.topics_count and settings.rule not in _COUNT_THEMSELVES:
        ruling = _highest(ruling, wanted.topics_count - 1)
    cuts = limited(ruling, material, wanted)
    # A doubtful sentence between two topics stays with the one before it.
    return Decision(tuple(_break(index[cut.after + 1], cut, sentences) for cut in cuts), cuts, ruling, index)


_COUNT_THEMSELVES = {"default", "divisive", "optimal", "llm"}


def _check_vectors(vectors: NDArray[np.float32], count: int) -> None:
    if vectors.shape[0] != count:
        raise ValueError(f"{count} sentences take part, but there are {vectors.shape[0]} vectors")
    if not np.isfinite(vectors).all():
        raise ValueError("a sentence vector holds values that are not finite")


def _with_count(material: Material, settings: TopicSettings, row: RuleRow) -> TopicSettings:
    """The number of topics, given or from the length wanted, at most as many as sentences."""
    said = material.sentences
    count = _asked_for(said, settings)
    if count is None:
        return settings
    if not row.counts:
        able = ", ".join(name for name, other in RULES.items() if other.counts)
        raise SettingsError(f"{settings.rule} cannot make a given number of topics", hint=f"these can: {able}")
    return replace(settings, topics_count=min(max(1, count), len(said)), topic_length_s=None)


def _asked_for(said: Sequence[Sentence], settings: TopicSettings) -> int | None:
    """The number of topics, as given or from the length wanted."""
    if settings.topic_length_s is None:
        return settings.topics_count
    return ceil((said[-1].end - said[0].start) / settings.topic_length_s)


def too_few(sentences: Sequence[Sentence], decision: Decision, settings: TopicSettings) -> list[Finding]:
    """A note where fewer topics were made than asked for: a topic has a sentence at least, and the limits that are set."""
    said = [sentences[i] for i in decision.index]
    asked, made = (_asked_for(said, settings) or 0) if said else 0, len(decision.breaks) + 1
    if made >= asked:
        return []
    message = f"{asked} topics were asked for, {made} could be made of {len(said)} sentences"
    return [Finding("topics_count", message, level="note")]


def _highest(ruling: Ruling, count: int) -> Ruling:
    """So many gaps of the highest scores, for rules that know no other number than their own."""
    scores: Array = ruling.scores
    best = sorted(np.argsort(-scores, kind="stable")[:count].tolist())
    reason = f"among the {count} highest: {ruling.measure}"
    return replace(
        ruling, cuts=[Cut(i, float(np.clip(scores[i], 0, 1)), f"{reason} {scores[i]:.2f}") for i in best], threshold=None
    )


def trusted(sentences: Sequence[Sentence]) -> list[int]:
    """Indices of the sentences that nothing speaks against: only these are embedded and take part in topics."""
    return [i for i, sentence in enumerate(sentences) if not sentence.doubts]


def _break(opening: int, cut: Cut, sentences: Sequence[Sentence]) -> TopicBreak:
    return TopicBreak(opening - 1, sentences[opening].start, cut.strength, (cut.reason,))
