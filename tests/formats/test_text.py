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


SUBTITLE = "1\n00:00:01,000 --> 00:00:03,000\n{}\n\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("said", [RUSSIAN, "Ça va très bien.", "一人一人、一つ一つ。今日は晴れです。", "Ā"])
def test_utf16_without_a_mark_is_told_by_its_zero_bytes(encoding: str, said: str) -> None:
    text = SUBTITLE.format(said)
    decoded, finding = decode(text.encode(encoding), "x")
    assert decoded == text
    assert finding is not None
    assert (finding.level, encoding.upper() in finding.message) == ("note", True)
    assert decode(text.encode(encoding)[:-1], "x", whole=False)[0] == text[:-1]


@pytest.mark.parametrize(("encoding", "said"), [("iso2022_jp", "今日は晴れです。"), ("iso2022_kr", "오늘은 날씨가 좋아요.")])
def test_iso_2022_is_told_by_its_escape_sequences(encoding: str, said: str) -> None:
    text = SUBTITLE.format(said)
    decoded, finding = decode(text.encode(encoding), "x")
    assert decoded == text
    assert finding is not None
    assert finding.level == "note"


def test_broken_iso_2022_is_told() -> None:
    decoded, finding = decode(SUBTITLE.format("今日は").encode("iso2022_jp").replace(b"\x1b(B", b"\x7f\x1b(B"), "x")
    assert "今日は" in decoded
    assert finding is not None
    assert finding.level == "warning"


@pytest.mark.parametrize("text", ["Hel\0lo.", "\x1b[31mred\x1b[0m", "\x1b$ é"])
def test_a_stray_zero_byte_or_escape_is_no_other_encoding(text: str) -> None:
    assert decode(SUBTITLE.format(text).encode(), "x") == (SUBTITLE.format(text), None)


@pytest.mark.parametrize("data", [b"\0" * 100, b"\x01\0\x02\0" * 100, bytes(range(256)) * 4])
def test_binary_data_are_no_utf16(data: bytes) -> None:
    with pytest.raises(BadInput, match="binary"):
        decode(data + b"\xff", "x")


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


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("\u200b\u200eHello there.\u200f", "Hello there."),
        ("\u202aBye.\u202c \u2060\ufeff", "Bye. "),
        ("the bud\u200bget", "the budget"),
        ("ខ្ញុំ\u200bទៅ", "ខ្ញុំ\u200bទៅ"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_marks_that_nobody_sees_are_no_text(text: str, cleaned: str) -> None:
    """But the joiners of letters, and what divides words in scripts without blanks, are."""
    assert clean(text) == cleaned


@given(st.text() | st.text(alphabet=st.sampled_from("a \u200b\u200e\u0e01\x00\x1b\x1c\x85\r\n\t\u2028\ud800")))
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
