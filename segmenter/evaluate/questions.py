"""Transcripts with questions whose evidence is known: read from JSON Lines, and what strategies need of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segmenter.evaluate.corpus import sentences_of
from segmenter.evaluate.lines import rows
from segmenter.records import Sentence
from segmenter.retrieval.lexical import terms
from segmenter.retrieval.pieces import sizes
from segmenter.retrieval.tools import Tools

FORM = '{"id": "a", "sentences": [{"text": "Hello."}, ...], "queries": [{"text": "Who?", "evidence": [[0, 2], ...]}, ...]}'


@dataclass(frozen=True, slots=True)
class Question:
    """`evidence`: the sentences that answer it, (first, last), both inclusive; `answer`: in words, where that is known."""

    text: str
    kind: str
    evidence: tuple[tuple[int, int], ...]
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A transcript and the questions asked about it."""

    id: str
    language: str
    sentences: tuple[Sentence, ...]
    questions: tuple[Question, ...]


def read(path: Path) -> Iterator[Asked]:
    """One JSON object a line, gzip or not: id, language, sentences (text, speaker, start, end), queries (text, evidence).

    Raises:
        BadInput: a line is no such object, or evidence is not inside the recording.
    """
    return rows(path, "transcript with questions", FORM, asked_of)


def asked_of(row: dict[str, Any]) -> Asked:
    sentences, _ = sentences_of(row)
    return Asked(
        str(row["id"]),
        str(row.get("language", "")),
        sentences,
        tuple(_question(query, len(sentences)) for query in row.get("queries", ())),
    )


def _question(query: dict[str, Any], count: int) -> Question:
    evidence = tuple((first, last) for first, last in query["evidence"])
    if not evidence or any(not (type(a) is int and type(b) is int and 0 <= a <= b < count) for a, b in evidence):
        raise ValueError("evidence must be spans of sentences of the recording")
    return Question(str(query["text"]), str(query.get("kind", "")), evidence, str(query.get("answer") or ""))


class Material:
    """A transcript with its word-pieces, terms and vectors, each made once, when first asked for."""

    def __init__(self, asked: Asked, tools: Tools) -> None:
        self.asked, self.tools = asked, tools

    @property
    def texts(self) -> list[str]:
        return [sentence.text for sentence in self.asked.sentences]

    @cached_property
    def tokens(self) -> list[int]:
        return self.tools.pieces(self.texts)

    @cached_property
    def sizes(self) -> list[int]:
        """What there is to read, where word-pieces miss most of it; see `pieces.sizes`."""
        return sizes(self.texts, self.tokens)

    @cached_property
    def terms(self) -> list[list[str]]:
        return [terms(text, self.asked.language) for text in self.texts]

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        return self.tools.embedder.embed(self.texts)

    @cached_property
    def question_vectors(self) -> NDArray[np.float32]:
        return self.tools.embedder.embed([question.text for question in self.asked.questions])

    def joined(self, first: int, last: int) -> str:
        return " ".join(self.texts[first : last + 1])


def scopes(materials: Sequence[Material], together: bool) -> list[list[Material]]:
    """What is searched at once: each recording alone, or all of one language."""
    if not together:
        return [[one] for one in materials]
    languages = dict.fromkeys(one.asked.language for one in materials)
    return [[one for one in materials if one.asked.language == language] for language in languages]
