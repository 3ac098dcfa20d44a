"""One line for a chunk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from segmenter.formats.title import shorten, title
from segmenter.records import Chunk


def chunk(text: str, labels: tuple[str, ...] = ()) -> Chunk:
    return Chunk("c", 0.0, 1.0, "idle", text, None, (), (), labels, (), ("start",), ("end",))


def test_what_is_said_comes_before_what_is_seen_and_the_kind() -> None:
    assert title(chunk("The budget\nwas agreed.", ("car",))) == "The budget was agreed."
    assert title(chunk(" ", ("car", "person"))) == "car, person"
    assert title(chunk("")) == "idle"


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two…"),
        ("one two three", 8, "one two…"),
        ("one twothree", 8, "one two…"),
        ("abcdefghij", 5, "abcd…"),
        ("a bcdefghij", 6, "a bcd…"),
        ("我们同意了预算", 7, "我们同…"),
        ("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 4, "👨‍👩‍👧…"),
        ("cafe\u0301 cafe\u0301", 5, "cafe\u0301…"),
    ],
)
def test_a_long_text_is_cut_at_a_word_or_between_characters(text: str, columns: int, expected: str) -> None:
    assert shorten(text, columns) == expected


@given(st.text(), st.integers(2, 80))
def test_a_title_fits_and_is_the_beginning_of_the_text(text: str, columns: int) -> None:
    short = shorten(text, columns)
    assert cell_len(short, unicode_version="latest") <= columns
    assert short == text or text.startswith(short.removesuffix("…"))
