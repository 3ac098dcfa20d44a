"""What SubRip and WebVTT share: lines of times, and tags."""

from __future__ import annotations

import pytest

from segmenter.formats.captions import is_time_line
from segmenter.formats.cues import Piece
from segmenter.formats.markup import pieces, plain, without_braces


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


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Tom &amp; Jerry said &quot;hi&quot; &#39;now&#39;&nbsp;&#x21;", "Tom & Jerry said \"hi\" 'now'\u00a0!"),
        ("I &lt;3 you, R&D, Q&A &copy that, AT&T;", "I <3 you, R&D, Q&A &copy that, AT&T;"),
        ("<span class='x'>a</span> <em>b</em> <strong>c</strong>", "a b c"),
    ],
)
def test_characters_that_stand_for_others_are_read_in_every_format(line: str, shown: str) -> None:
    assert [piece.text for piece in pieces(line, 0.0, 1.0)] == [f" {shown}"]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("{\\an8}{\\pos(10,20)}Up here.\\NSecond", "Up here. Second"),
        ("{i}a{/i} {y:i}b {Y:b,i}c {C:$0000FF}d", "a b c d"),
        ("a\\hb", "a b"),
        ("{here} {1} {x:y} C:\\New \\n", "{here} {1} {x:y} C:\\New \\n"),
    ],
)
def test_tags_in_braces_are_no_text(line: str, shown: str) -> None:
    assert without_braces(line) == shown


@pytest.mark.parametrize("text", ["a < b > c", "<script>alert(1)</script>", "<img src=x>", "</context>", "<|im_end|>", "x <- y"])
def test_what_is_no_tag_of_captions_was_shown_and_stays(text: str) -> None:
    assert plain(text) == text
