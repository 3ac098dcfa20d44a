"""Where the topic changes: the table of break rules, and the one way to ask them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import ServerError, SettingsError
from segmenter.records import Finding, Passage, Sentence, TopicBreak
from segmenter.settings import TopicSettings
from segmenter.table import Row, check, load
from segmenter.topics.counts import asked_for, filled, highest, shortage
from segmenter.topics.limits import Sizes, limited
from segmenter.topics.material import Cut, Material, Rule, Ruling

FAILED = "topics_failed"  # the finding of a recording whose topic breaks could not be made
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
    """The breaks, and why: what the rule saw at each gap between the trusted sentences `index`.

    `own_passages` are the chunks as the rule means them, where they overlap or lie in each other; else there are none.
    """

    breaks: tuple[TopicBreak, ...]
    cuts: list[Cut]
    ruling: Ruling
    index: list[int]
    own_passages: tuple[Passage, ...] = ()

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The rule's own, else those between the breaks."""
        if self.own_passages or not self.index:
            return self.own_passages
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
        ServerError: the rule needs a server, which cannot be used.
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
    ruling, sizes = rule(material, wanted), Sizes.of(material, wanted)
    if wanted.topics_count and settings.rule not in _COUNT_THEMSELVES:
        ruling = highest(ruling, wanted.topics_count - 1)
    levels = limited(ruling, material, sizes)
    if wanted.topics_count:
        levels = [filled(levels[-1], ruling, sizes, wanted.topics_count)]
    cuts = levels[-1]
    # A doubtful sentence between two topics stays with the one before it.
    breaks = tuple(_break(index[cut.after + 1], cut, sentences) for cut in cuts)
    return Decision(breaks, cuts, ruling, index, _passages(ruling, levels, index))


def _passages(ruling: Ruling, levels: Sequence[Sequence[Cut]], index: Sequence[int]) -> tuple[Passage, ...]:
    """The rule's own, in all sentences instead of the trusted ones."""
    if ruling.passages is None:
        return ()
    ends = [[0, *(cut.after + 1 for cut in cuts), len(index)] for cuts in levels]
    made = ruling.passages([[range(a, b) for a, b in pairwise(places)] for places in ends])
    after = [*index[1:], index[-1] + 1]  # as between breaks, doubtful sentences stay with the passage before them
    return tuple(replace(p, first=index[p.first], last=after[p.last] - 1) for p in made)


_COUNT_THEMSELVES = {"default", "divisive", "optimal", "llm"}


def uncut(sentences: Sequence[Sentence]) -> Decision:
    """No breaks, where a server failed that was to help."""
    index = trusted(sentences)
    return Decision((), [], Ruling([], np.zeros(max(0, len(index) - 1)), "nothing: the server failed"), index)


def failed(error: ServerError) -> Finding:
    """The warning that goes with it."""
    return Finding(FAILED, f"no topic breaks could be made: {error}")


def _check_vectors(vectors: NDArray[np.float32], count: int) -> None:
    if vectors.shape[0] != count:
        raise ValueError(f"{count} sentences take part, but there are {vectors.shape[0]} vectors")
    if not np.isfinite(vectors).all():
        raise ValueError("a sentence vector holds values that are not finite")


def _with_count(material: Material, settings: TopicSettings, row: RuleRow) -> TopicSettings:
    """The number of topics, given or from the length wanted, at most as many as sentences."""
    said = material.sentences
    count = asked_for(said, settings)
    if count is None:
        return settings
    if not row.counts:
        able = ", ".join(name for name, other in RULES.items() if other.counts)
        raise SettingsError(f"{settings.rule} cannot make a given number of topics", hint=f"these can: {able}")
    return replace(settings, topics_count=min(max(1, count), len(said)), topic_length_s=None)


def too_few(sentences: Sequence[Sentence], decision: Decision, settings: TopicSettings) -> list[Finding]:
    """A note where fewer topics were made than asked for, and why."""
    said = [sentences[i] for i in decision.index]
    asked, made = (asked_for(said, settings) or 0) if said else 0, len(decision.breaks) + 1
    if made >= asked:
        return []
    message = f"{asked} topics were asked for, {made} could be made of {len(said)} sentences"
    return [Finding("topics_count", message + shortage(made, len(said), settings), level="note")]


def beside(decision: Decision, settings: TopicSettings) -> list[Finding]:
    """A note where the rule's own chunks overlap or lie in each other, as those that tile a recording cannot."""
    count = len(decision.own_passages)
    if not count:
        return []
    how = "lie in each other" if any(p.parent is not None for p in decision.own_passages) else "overlap"
    message = f"chunks tile the recording; the {count} passages of {settings.rule}, which {how}, are kept beside them as passages"
    return [Finding("passages", message, level="note")]


def trusted(sentences: Sequence[Sentence]) -> list[int]:
    """Indices of the sentences that nothing speaks against: only these are embedded and take part in topics."""
    return [i for i, sentence in enumerate(sentences) if not sentence.doubts]


def _break(opening: int, cut: Cut, sentences: Sequence[Sentence]) -> TopicBreak:
    return TopicBreak(opening - 1, sentences[opening].start, cut.strength, (cut.reason,))
