"""Terms in many languages, and BM25 against its formula."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.retrieval.lexical import K1, B, Lexicon, matches, terms

DOCUMENTS = [["pump", "worn", "pump"], ["lunch"], ["pump", "new"], []]


def by_hand(query: list[str], document: list[str]) -> float:
    typical = sum(map(len, DOCUMENTS)) / len(DOCUMENTS)
    score = 0.0
    for term in query:
        holding = sum(term in one for one in DOCUMENTS)
        times = document.count(term)
        rarity = log(1 + (len(DOCUMENTS) - holding + 0.5) / (holding + 0.5))
        score += rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * len(document) / typical)) if times else 0.0
    return score


def test_bm25_is_the_formula() -> None:
    found = Lexicon(DOCUMENTS).scores(["pump", "new", "unknown"])
    assert found == pytest.approx([by_hand(["pump", "new"], document) for document in DOCUMENTS])


def test_only_the_terms_asked_for_are_needed() -> None:
    assert Lexicon(DOCUMENTS, {"pump"}).scores(["pump"]) == pytest.approx(Lexicon(DOCUMENTS).scores(["pump"]))


def test_rare_terms_are_those_that_few_documents_have() -> None:
    lexicon = Lexicon([["the", "pump"], *[["the"]] * 40])
    assert lexicon.rare(["the", "pump", "unknown"]) == {"pump"}


def test_shares_are_of_the_greatest_and_nothing_without_a_match() -> None:
    lexicon = Lexicon(DOCUMENTS)
    assert lexicon.shares(["pump"]).max() == 1
    assert lexicon.shares(["unknown"]).tolist() == [0, 0, 0, 0]
    assert Lexicon([]).shares(["pump"]).shape == (0,)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The pumps are running.", "en", ["the", "pump", "are", "run"]),
        ("Die Häuser laufen", "de", ["die", "haus", "lauf"]),
        ("讨论预算", "zh", ["讨论", "论预", "预算"]),
        ("OK 预算", "zh", ["ok", "预算"]),
        ("ไทย", "th", ["ไท", "ทย"]),
        ("हिन्दी", "hi", ["हिन्द"]),  # the vowel signs belong to the word
        ("ＡＢＣ １２", "", ["abc", "12"]),
        ("", "en", []),
    ],
)
def test_terms(text: str, language: str, expected: list[str]) -> None:
    assert terms(text, language) == expected


@given(st.text(max_size=60), st.sampled_from(["", "en", "zh", "th", "ar", "xx"]))
def test_any_text_has_terms_without_blanks(text: str, language: str) -> None:
    assert all(term and not any(c.isspace() for c in term) for term in terms(text, language))


@pytest.mark.parametrize(
    ("text", "language", "question", "expected"),
    [
        ("They decided on the budgets in 2020", "en", "budget 2020", ["budgets", "2020"]),
        ("我们讨论了预算问题", "zh", "讨论预算", ["讨论", "预算"]),
        ("Nothing here", "en", "budget", []),
    ],
)
def test_matches_are_marked_in_the_text_as_it_is(text: str, language: str, question: str, expected: list[str]) -> None:
    assert [text[a:b] for a, b in matches(text, language, set(terms(question, language)))] == expected


@given(st.text(max_size=60), st.text(max_size=20))
def test_marks_rise_and_lie_in_the_text(text: str, question: str) -> None:
    edges = [edge for mark in matches(text, "en", set(terms(question, "en"))) for edge in mark]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)
