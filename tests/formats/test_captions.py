"""What SubRip and WebVTT share: lines of times, tags, and rolling captions."""

from __future__ import annotations

import pytest

from segmenter.formats.captions import Caption, is_time_line, without_repeats
from segmenter.formats.cues import Piece, Tally
from segmenter.formats.markup import pieces, plain


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("00:00:01,000 --> 00:00:02,000", True),
        ("00:01.000-->00:02.000 align:start", True),
        ("-00:00:01,000 --> 00:00:02,000", True),
        ("00:00:xx,000 --> 00:00:02,000", True),
        ("00:00:0x,000 --> 00:00:02,000", True),
        ("00:00:03 -> 00:00:05", True),
        ("1:30 -> 2:45 is the slot", False),
        ("9:00 -> 10:00", False),
        (" " * 1_000_000 + "x ->", False),
        ("one: --> two:", False),
        ("9" * 100_000 + ":00:00,000 --> 00:00:02,000", True),
        ("a --> b", False),
        ("1 --> 2", False),
        ("from 00:01 --> 00:02", False),
        ("00:01 -->", False),
    ],
)
def test_a_line_of_times_is_told_from_text_with_an_arrow(line: str, meant: bool) -> None:
    assert is_time_line(line) is meant


def test_tags_change_voice_and_time_and_are_no_text() -> None:
    found = pieces("<v.loud Ann Lee>Yes <i>in</i>deed</v> and <00:02.500><c.red>then</c><v Bob>No", 1.0, 4.0)
    assert found == (
        Piece(" Yes indeed", speaker="Ann Lee"),
        Piece(" and"),
        Piece(" then", 2.5),
        Piece("No", speaker="Bob"),
    )


def test_a_time_outside_the_caption_or_running_backwards_is_ignored() -> None:
    found = pieces("a <00:09.000>b <00:03.000>c <00:02.000>d", 1.0, 4.0)
    assert found == (Piece(" a b"), Piece(" c d", 3.0))


def test_the_reading_beside_a_character_is_left_out() -> None:
    assert pieces("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>です", 0.0, 1.0) == (Piece("漢字です"),)


@pytest.mark.parametrize("text", ["a < b > c", "<script>alert(1)</script>", "<img src=x>", "</context>", "<|im_end|>", "x <- y"])
def test_what_is_no_tag_of_captions_was_shown_and_stays(text: str) -> None:
    assert plain(text) == text


def rolling(*shown: tuple[str, ...], length: float = 2.0) -> list[Caption]:
    return [Caption(i * length, (i + 1) * length, lines) for i, lines in enumerate(shown)]


def kept(captions: list[Caption]) -> list[str]:
    return [line for caption in without_repeats(captions, Tally()) for line in caption.lines if line.strip()]


def test_lines_that_roll_up_are_kept_once() -> None:
    captions = rolling(("one",), ("one", "two"), ("one", "two", "three"), ("two", "three", "four"))
    assert kept(captions) == ["one", "two", "three", "four"]


def test_lines_that_stand_still_for_a_moment_are_kept_once() -> None:
    captions = rolling((" ", "one"), ("one", " "), ("one", "two<00:05.0><c> more</c>"), ("two more", " "), ("two more", "three"))
    assert kept(captions) == ["one", "two<00:05.0><c> more</c>", "three"]


def test_the_same_line_said_twice_in_rolling_captions_is_kept_twice() -> None:
    captions = rolling(("a",), ("a", "no"), ("no", "no"), ("no", "b"), ("b", "c"))
    assert kept(captions) == ["a", "no", "no", "b", "c"]


@pytest.mark.parametrize(
    "shown",
    [
        (("No.",), ("No.",), ("No.",)),
        (("- Really?",), ("- Really?", "- Yes."), ("So be it.",), ("Good.",)),
        (("Thank you.",), ("Thank you.",), ("Thank you.", "Bye.")),
    ],
)
def test_people_may_repeat_themselves(shown: tuple[tuple[str, ...], ...]) -> None:
    captions = rolling(*shown)
    assert without_repeats(captions, Tally()) == captions


def test_a_repeat_after_a_pause_is_no_rolling() -> None:
    captions = [Caption(i * 4.0, i * 4.0 + 1, lines) for i, lines in enumerate([("a",), ("a", "b"), ("b", "c"), ("c", "d")])]
    assert without_repeats(captions, Tally()) == captions
