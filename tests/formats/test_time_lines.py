"""Lines of times as tools, translators and accidents write them, and what people say about times."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.formats.time_lines import times
from segmenter.timeline import clock, parse_time


@pytest.mark.parametrize(
    "line",
    [
        "00:00:01,000 --> 00:00:03,500",
        "00:00:01,000-->00:00:03,500",
        "00:00:01.000->00:00:03.500",
        "00: 00: 01,000 --> 00: 00: 03,500",
        "00: 00: 01,000 -> 00: 00: 03,500",
        "00 : 00 : 01 , 000 --> 00 : 00 : 03 , 500",
        "00:00:01, 000 --> 00:00:03, 500",
        "00:00:01,000 -- > 00:00:03,500",
        "00:00:01,000 - -> 00:00:03,500",
        "00:00:01,000 –> 00:00:03,500",
        "00:00:01,000 —> 00:00:03,500",
        "00:00:01,000 ---> 00:00:03,500",
        "00:00:01,000 → 00:00:03,500",
        "00:00:01,000 => 00:00:03,500",
        "00:00:01,000 --&gt; 00:00:03,500",
        "00:00:01,000 -> 00:00:03,500 X1:10 X2:20",
        "０0：００：０１，０００ －－＞ ００：００：０３，５００",
        "٠٠:٠٠:٠١٫٠٠٠ --> ٠٠:٠٠:٠٣٫٥٠٠",
        "\u200f00:00:01,000 --> 00:00:03,500\u200f",
        "0:00:01.000,0:00:03.500",
        "00:00:01,000 - 00:00:03,500",
        "01,000 --> 03,500",
        "00:01.000 --> 00:03.500 align:start position:0%",
    ],
)
def test_the_times_are_read_however_they_are_written(line: str) -> None:
    start, end = times(line) or ("", "")
    assert (parse_time(start), parse_time(end)) == (1.0, 3.5)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("00:00:03,000 -->", ("00:00:03,000", "")),
        ("00:00:03,000 --> ", ("00:00:03,000", "")),
        (" --> 00:00:09,000", ("", "00:00:09,000")),
        ("–> 00:00:09,000", ("", "00:00:09,000")),
        ("00:00:03,000 ->", ("00:00:03,000", "")),
        ("-->", ("", "")),
        ("00:00:03,000 --> ??", ("00:00:03,000", "?")),
        ("xx --> 00:00:03,000", ("?", "00:00:03,000")),
    ],
)
def test_a_time_that_is_missing_or_damaged_leaves_a_line_of_times(line: str, told: tuple[str, str]) -> None:
    assert times(line) == told


@pytest.mark.parametrize(
    "line",
    [
        "",
        "9:00 -> 10:00",
        "9:00 - 10:00",
        "9:00, 10:00",
        "1:30 -> 2:45 is the slot",
        "10:30 -->",
        "-> 10:30",
        "1 --> 2",
        "1500 --> 3000",
        "3.5 -> 4.5",
        "from 00:00:01,000 --> 00:00:03,000",
        "A --> B",
        "->",
        "- Really?",
        "2024",
        "-",
        "— 10:30",
        "\u0664 \u2192 \u0665",
        "00:00:15 Jane: Good morning.",
        "00:00:15 and 00:00:20",
    ],
)
def test_what_is_said_about_times_is_text(line: str) -> None:
    assert times(line) is None


@pytest.mark.parametrize("filler", [" ", "-", "1", "1:", "1: ", "٠", "->", "– "])
def test_a_line_of_a_million_characters_is_told_quickly(filler: str) -> None:
    """In time that grows with its length alone; else it would take hours."""
    line = filler * (1_000_000 // len(filler))
    assert times(line + ">") is None
    assert times(line + " x") is None


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.sampled_from([" --> ", "-->", " -> ", " — > ", "，", "\t"]))
def test_the_right_times_are_found_in_any_line_that_is_told(start: int, end: int, joint: str) -> None:
    told = times(clock(start / 1000) + joint + clock(end / 1000))
    assert told in (None, (clock(start / 1000), clock(end / 1000)))
