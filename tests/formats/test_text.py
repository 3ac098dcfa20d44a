"""Bytes become text that is safe to keep, and what was assumed about them is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.errors import BadInput
from segmenter.formats.text import clean, decode

RUSSIAN = "Бюджет был согласован. Следующий пункт: приём на работу новых людей."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_names_the_encoding_and_is_no_text(encoding: str) -> None:
    assert decode(RUSSIAN.encode(encoding), "x") == (RUSSIAN, None)


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        (RUSSIAN, "cp1251", "cp1251"),
        ("予算は承認されました。次の議題は採用です。", "shift_jis", "cp932"),
        ("Zażółć gęślą jaźń. Następny punkt: zatrudnienie.", "cp1250", "cp1250"),
        ("Grüße aus Köln. Über die Straße führt eine Brücke.", "latin-1", "cp1252"),
        ("It’s a “test” — naïve café", "cp1252", "cp1252"),
    ],
)
def test_an_unmarked_encoding_is_guessed_and_said(text: str, encoding: str, name: str) -> None:
    decoded, finding = decode(text.encode(encoding), "x")
    assert decoded == text
    assert finding is not None
    assert finding.level == "warning"
    assert name in finding.message


def test_a_few_broken_bytes_in_utf8_do_not_change_the_rest() -> None:
    decoded, finding = decode(RUSSIAN.encode() + b" \xff end", "x")
    assert decoded == RUSSIAN + " \ufffd end"
    assert finding is not None
    assert "UTF-8" in finding.message
    assert finding.message.endswith(": 1")


def test_the_start_of_a_file_may_end_inside_a_character() -> None:
    start = "Grüße ü".encode()[:-1]
    assert decode(start, "x", whole=False) == ("Grüße ", None)
    assert decode(start, "x")[1] is not None


@pytest.mark.parametrize(("data", "message"), [(b"\x1f\x8b\x08rest", "gzip"), (b"\x00\x00\x00\x20ftypisom\xff", "binary")])
def test_what_is_no_text_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        decode(data, "x")


def test_clean_text_is_one_line_without_control_characters() -> None:
    assert clean("a\r\n b\u2028c\x1b[31m\x00\x85d") == "a b c[31m d"
    assert clean("half \ud83d a pair") == "half \ufffd a pair"
    assert clean("10\u00a0km 👩\u200d👧") == "10\u00a0km 👩\u200d👧"


@given(st.text() | st.text(alphabet=st.sampled_from("a \x00\x1b\x1c\x85\r\n\t\u2028\ud800")))
def test_clean_text_is_safe_and_cleaning_it_again_changes_nothing(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert len(f"x{cleaned}x".splitlines()) == 1
    assert "  " not in cleaned
    assert clean(cleaned) == cleaned


@given(st.binary())
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        text, _ = decode(data, "x")
    except BadInput:
        return
    assert isinstance(text, str)
