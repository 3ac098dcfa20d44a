"""Searching a store: the right passages, filters, budget, and nothing in a question but text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from indexed import SETTINGS, TALK, fill
from wordy import DIMENSION, word_tools

from segmenter.retrieval import gathering
from segmenter.retrieval.records import ALL, Where
from segmenter.retrieval.scoring import Array
from segmenter.retrieval.search import Hit, search, without_repeats
from segmenter.retrieval.stores import STORES, Stamp, Store, writing


@pytest.fixture(params=["faiss", "lancedb"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    pytest.importorskip(STORES[request.param].packages[0])
    with writing(tmp_path / "store", Stamp(request.param, "words", "1", DIMENSION)) as made:
        fill(made, "r1", "r2", folder=tmp_path)
        yield made


def ask(store: Store, question: str, where: Where = ALL, budget: int = 40, most: int | None = None) -> list[Hit]:
    return search(store, question, word_tools(), SETTINGS, where, budget, most)


ONE = Where(recordings=("r1",))


def test_what_was_said_is_found_with_its_words_marked(store: Store) -> None:
    best = ask(store, "Order of pumps", ONE, 8)[0]
    line = next(line for line in best.lines if "order" in line.text)
    assert [line.text[a:b] for a, b in line.marks] == ["order", "pump"]
    assert line.speaker == "Ann"
    assert (line.start, line.end) == (8.0, 12.0)


def test_a_silent_event_is_found_by_words(store: Store) -> None:
    best = ask(store, "car and people", ONE, 6)[0]
    assert best.text == "2 people, 1 car, 14 s"
    assert (best.start, best.end) == (60.0, 74.0)
    assert best.tracks == (1, 2, 3)
    assert best.labels == ("person", "car")
    assert best.chunk == "r1-30000"


def test_a_hit_says_where_it_is(store: Store, tmp_path: Path) -> None:
    best = ask(store, "travel money", ONE, 8)[0]
    assert best.title == "Meeting r1"
    assert best.path == "/films/r1.mp4"
    assert best.link == f"{tmp_path.as_posix()}/report.html#t={best.start:g}"
    assert best.chunk == "r1-12000"


@pytest.mark.parametrize("budget", [1, 5, 12, 25, 40, 500])
def test_the_budget_is_kept_and_nothing_is_paid_for_twice(store: Store, budget: int) -> None:
    hits = ask(store, "pump and budget", budget=budget)
    assert sum(hit.tokens for hit in hits) <= budget
    lines = [(hit.recording, line.start, line.kind) for hit in hits for line in hit.lines]
    assert len(lines) == len(set(lines))


def test_a_great_budget_returns_everything_in_whole_passages(store: Store) -> None:
    hits = ask(store, "pump", ONE, 500)
    assert sum(len(hit.lines) for hit in hits) == len(TALK) + 1


@pytest.mark.parametrize(
    ("where", "allowed"),
    [
        (Where(speakers=("Ben",)), lambda hit: set(hit.speakers) == {"Ben"}),
        (Where(labels=("person",)), lambda hit: "person" in hit.labels),
        (Where(recordings=("r2",)), lambda hit: hit.recording == "r2"),
        (Where(kinds=("event",)), lambda hit: all(line.kind == "event" for line in hit.lines)),
        (Where(after=30.0), lambda hit: hit.end > 30),
        (Where(before=4.0), lambda hit: hit.start < 4),
    ],
)
def test_filters_narrow_what_can_be_found(store: Store, where: Where, allowed: object) -> None:
    hits = ask(store, "pump", where, 500)
    assert hits
    assert all(allowed(hit) for hit in hits)  # type: ignore[operator]


def test_a_passage_never_spans_what_a_filter_has_left_out(store: Store) -> None:
    spans = sorted((hit.start, hit.end) for hit in ask(store, "pump and budget", replace(ONE, speakers=("Ben",)), 500))
    assert spans == [(4.0, 8.0), (16.0, 24.0)]


@pytest.mark.parametrize(
    "where", [Where(speakers=("Nobody",)), Where(labels=("dog",)), Where(kinds=("still",)), Where(after=95.0)]
)
def test_nothing_is_found_where_nothing_counts(store: Store, where: Where) -> None:
    assert ask(store, "pump", where) == []


def test_at_most_k_passages(store: Store) -> None:
    assert len(ask(store, "pump", budget=12, most=1)) == 1


@pytest.mark.parametrize("question", ["", "'; DROP TABLE units; --", "\0", "x OR 1=1", "\u202e", "* NEAR(a b)", "q" * 5000])
def test_a_question_is_only_ever_text(store: Store, question: str) -> None:
    before = store.count()
    assert sum(hit.tokens for hit in ask(store, question)) <= 40
    assert store.count() == before


def test_the_same_question_finds_the_same(store: Store) -> None:
    assert ask(store, "the budget") == ask(store, "the budget")


def test_a_large_store_is_scored_exactly_where_it_is_promising(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for one recording alone, the one with the rare word is the one that is scored, and with the same result."""
    alone = ask(store, "car", ONE, 6)
    monkeypatch.setattr(gathering, "EXACT_LINES", 7)
    found = gathering.gather(store, word_tools().embedder.embed(["car"])[0], ["car"], ALL)
    assert len({line.recording for line in found.lines}) == 1
    assert [hit.lines for hit in ask(store, "car", ALL, 6)] == [hit.lines for hit in alone]


def test_every_line_is_with_its_parent(store: Store) -> None:
    found = gathering.gather(store, np.zeros(DIMENSION, np.float32), [], ALL)
    assert [found.parents.units[i].id for i in found.owner] == [line.parent for line in found.lines]
    assert [line.start for line in found.lines if line.recording == "r1"] == [0, 4, 8, 12, 16, 20, 60]


def test_a_reranker_decides_which_of_the_passages_fill_the_budget(store: Store) -> None:
    def silence_first(question: str, texts: Sequence[str]) -> Array:
        assert question == "pump"
        return np.array([1.0 if "car" in text else 0.0 for text in texts])

    assert "car" not in ask(store, "pump", ONE, 20)[0].text
    hits = search(store, "pump", word_tools(), SETTINGS, ONE, 20, rerank=silence_first)
    assert "car" in hits[0].text
    assert sum(hit.tokens for hit in hits) <= 20


def test_hits_of_nearly_the_same_stretch_are_shown_once(store: Store) -> None:
    hit = ask(store, "pump", ONE, 12)[0]
    near = replace(hit, end=hit.end + 0.1)
    other = replace(hit, recording="r2")
    assert without_repeats([hit, near, other]) == [hit, other]
