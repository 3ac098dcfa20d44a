"""What the file itself says: chapters, headings in the transcript, changes of speaker."""

from __future__ import annotations

import re
from bisect import bisect_left

import numpy as np

from segmenter.settings import TopicSettings
from segmenter.topics.material import Cut, Material, Ruling

# "# Budget", "3. Budget", "3.1 Budget", "Chapter 4", "Part II: Budget"
_HEADING = re.compile(r"^(#{1,6}\s+\S|\d+(\.\d+)*[.)]?\s+[A-Z]|(chapter|part|section|item)\s+([0-9]+|[ivxlc]+)\b)", re.IGNORECASE)
_HEADING_WORDS = 10
_SPEAKER, _TITLE, _CHAPTER = 0.4, 0.8, 1.0


def cuts(material: Material, settings: TopicSettings) -> Ruling:  # noqa: ARG001 - one signature for all rules
    """Chapters and headings if there are any, else changes of speaker."""
    marks = {**_headings(material), **_chapters(material)} or _turns(material)
    made = [Cut(i, *marks[i]) for i in sorted(marks)]
    scores = np.zeros(material.gaps)
    for cut in made:
        scores[cut.after] = cut.strength
    return Ruling(made, scores, "rank of the mark in the file", 0.0)


def _chapters(material: Material) -> dict[int, tuple[float, str]]:
    starts = [sentence.start for sentence in material.sentences]
    openings = {bisect_left(starts, at) for at in material.chapters}
    return {i - 1: (_CHAPTER, "a chapter of the file begins") for i in openings if 0 < i < len(starts)}


def _headings(material: Material) -> dict[int, tuple[float, str]]:
    return {
        i - 1: (_TITLE, f"heading: {sentence.text.strip()[:40]}")
        for i, sentence in enumerate(material.sentences)
        if i and _is_heading(sentence.text.strip())
    }


def _is_heading(text: str) -> bool:
    return bool(_HEADING.match(text)) and len(text.split()) <= _HEADING_WORDS and text[-1] not in ".?!"


def _turns(material: Material) -> dict[int, tuple[float, str]]:
    who = [sentence.speaker for sentence in material.sentences]
    return {i: (_SPEAKER, f"{who[i + 1] or 'somebody'} speaks") for i in range(len(who) - 1) if who[i] != who[i + 1]}
