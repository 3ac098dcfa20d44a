"""The table of retrieval strategies: how a transcript is cut, what is embedded of it, and how it is searched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from segmenter.errors import SettingsError
from segmenter.evaluate.cutting import Cutter, by_rule, fixed
from segmenter.evaluate.joined import Joined
from segmenter.evaluate.searchers import ChunkSearcher, Rank, Searcher, SentenceSearcher, reciprocal_ranks, summed, three_seats
from segmenter.retrieval.scoring import Scope
from segmenter.settings import RetrievalSettings


@dataclass(frozen=True, slots=True)
class Strategy:
    about: str
    build: Callable[[Joined, RetrievalSettings], Searcher]


def _chunks(
    about: str, cut: Cutter, words: float = 0.0, representation: str = "plain", parents: Cutter | None = None
) -> Strategy:
    fuse = summed(words) if words else None
    return Strategy(about, lambda joined, _: ChunkSearcher(joined, cut, representation, fuse, parents))


WORDS = 0.4  # of BM25 beside a cosine of 1, where chunks are ranked by both


def _fixed() -> dict[str, Strategy]:
    found = {}
    for size in (128, 256, 512):
        for name, overlap in (("", 0.0), ("_overlap", 0.15)):
            about = f"{size} word-pieces, whole sentences" + (", 15 % said again" if overlap else "")
            found[f"fixed{size}{name}"] = _chunks(about, fixed(size, overlap))
            found[f"fixed{size}{name}_words"] = _chunks(f"{about}; cosine and BM25", fixed(size, overlap), WORDS)
    return found


def _topics() -> dict[str, Strategy]:
    rows = ((f"topics{size}", f"the default topic rule, at most {size} tokens", size) for size in (128, 256, 512))
    sized = {name: _chunks(about, by_rule("default", granularity="fine", max_tokens=size)) for name, about, size in rows}
    return {"topics": _chunks("the default topic rule as it is", by_rule("default")), **sized}


def _own(about: str, rank: Rank = Scope.scores, **changes: Any) -> Strategy:
    return Strategy(about, lambda joined, settings: SentenceSearcher(joined, replace(settings, **changes), rank))


STRATEGIES: Mapping[str, Strategy] = {
    "default": _own("parents smoothed over time, single sentences that stand out in front"),
    "seats": _own("the same, simpler: the three best sentences, then all by the smoothed score", rank=three_seats),
    "contextual": _own("the default with contextual parents", representation="contextual"),
    "parents128": _own("the default with parents of 128 word-pieces", parent_tokens=128),
    "parents512": _own("the default with parents of 512 word-pieces", parent_tokens=512),
    **_fixed(),
    "sentence": _chunks("one sentence each", fixed(1)),
    "sentence_words": _chunks("one sentence each; cosine and BM25", fixed(1), WORDS),
    "packed256": _chunks("sentences packed to 256 tokens, the last one said again", by_rule("sentences")),
    "sliding256": _chunks("a window of 256 tokens that moves on by 128", by_rule("sliding")),
    "recursive256": _chunks("paragraphs, lines, sentences within 256 tokens", by_rule("recursive")),
    "percentile": _chunks("distances above the 95th percentile", by_rule("percentile")),
    "maxmin": _chunks("a sentence joins while it fits its chunk", by_rule("maxmin")),
    **_topics(),
    "parent_child": _chunks(
        "children of 64 word-pieces; half of a parent of 256 brings the rest", fixed(64), parents=fixed(256)
    ),
    "contextual256": _chunks("fixed 256, speakers and neighbours' key words in front", fixed(256), representation="contextual"),
    "late128": _chunks("fixed 128 from token vectors of a longer context", fixed(128), representation="late"),
    "hybrid256": Strategy(
        "fixed 256, cosine and BM25 fused by their ranks",
        lambda joined, _: ChunkSearcher(joined, fixed(256), fuse=reciprocal_ranks),
    ),
}  # fmt: skip


def strategy(name: str) -> Strategy:
    """Raises:
    SettingsError: there is none; the message lists the known ones.
    """
    if name not in STRATEGIES:
        raise SettingsError(f"there is no retrieval strategy called {name!r}", hint=f"choose one of: {', '.join(STRATEGIES)}")
    return STRATEGIES[name]
