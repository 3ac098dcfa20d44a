"""What the file itself says: chapters and headings, else who speaks; talk that begins with a number is no heading."""

from __future__ import annotations

import numpy as np
import pytest

from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import decide
from segmenter.topics.curve import curve

NONE = np.empty((0, 0), np.float32)


def said(*lines: str, speakers: str = "") -> list[Sentence]:
    who = [*speakers] or [None] * len(lines)
    return [Sentence(text, 3.0 * i, 3.0 * i + 2, speaker) for i, (text, speaker) in enumerate(zip(lines, who, strict=True))]


def headings(line: str) -> list[str]:
    decision = decide(said("Before.", line, "After."), NONE, TopicSettings(rule="structure"))
    return [b.reasons[0] for b in decision.breaks]


@pytest.mark.parametrize(
    "line",
    [
        "# Budget", "### the budget of next year", "3. Budget", "3) Budget of next year", "3.1 Budget of next year",
        "2.1.4. Travel", "3 Budget and Travel", "Chapter 4", "chapter 4", "CHAPTER IV", "Part II: the budget",
        "Part Two", "Section 3 Results",
        "item 4: the printer", "Section 3 – results", "3. Übersicht", "4. Бюджет на год", "2. 预算",
    ],
)  # fmt: skip
def test_a_heading(line: str) -> None:
    assert headings(line) == [f"heading: {line}"]


@pytest.mark.parametrize(
    "line",
    [
        "3 of them were broken last week", "20 people came to the workshop", "item 4 on the list is the printer",
        "part one is done I think", "3. of them", "20 Americans came to the workshop", "3 Wochen lang war es kalt",
        "chapter two was the best one", "Section 3 was left out", "Part I think we can leave out", "3.5 million were lost",
        "I have 3. Budget is next", "2 Uhr 30 war es", "# ", "3.", "12:30 Lunch", "Chapter 4 is the last one, and it is good.",
        "1. Take the pump out.", "Participation II", "3.1 Budget and then a line that goes on and on and on",
    ],
)  # fmt: skip
def test_no_heading(line: str) -> None:
    assert headings(line) == []


def test_lines_with_numbers_leave_the_turns_of_speakers_alone() -> None:
    lines = ("We look at the numbers", "Okay", "3 of them were broken", "20 people came", "item 4 on the list is the printer")
    decision = decide(said(*lines, speakers="ABAAB"), NONE, TopicSettings(rule="structure"))
    assert [b.after_sentence for b in decision.breaks] == [0, 1, 3]
    assert decision.breaks[0].reasons == ("B speaks",)


def test_a_gap_without_a_mark_says_so_and_has_no_rank() -> None:
    lines = said("Hello.", "3. Budget", "It is spent.")
    found = curve(decide(lines, NONE, TopicSettings(rule="structure")), lines)
    assert found is not None
    assert found.missed == (-0.8, None)
    assert found.otherwise == "no chapter or heading begins here"
