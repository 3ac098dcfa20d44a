"""SubRip as it is found: texts and times to the millisecond, however untidy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.formats import srt
from segmenter.formats.cues import Tally
from segmenter.timeline import clock


def found(text: str, tally: Tally | None = None) -> list[tuple[float, float, str]]:
    return [(cue.start, cue.end, cue.text) for cue in srt.read(text, Tally() if tally is None else tally)]


def test_a_plain_file() -> None:
    text = "1\n00:00:01,000 --> 00:00:03,500\nThe budget\nwas agreed.\n\n2\n01:00:04,000 --> 01:00:06,007\n<i>Next</i>.\n"
    assert found(text) == [(1.0, 3.5, " The budget was agreed."), (3604.0, 3606.007, " Next.")]


def test_a_blank_line_inside_a_caption_does_not_end_it() -> None:
    assert found("1\n00:01,0 --> 00:02,0\nOne\n\ntwo\n\n2\n00:03,0 --> 00:04,0\nThree") == [(1, 2, " One two"), (3, 4, " Three")]


def test_a_number_is_text_unless_it_stands_before_times() -> None:
    text = "1\n00:01,0 --> 00:02,0\nThe year\n2024\n\n2\n00:03,0 --> 00:04,0\n42"
    assert found(text) == [(1, 2, " The year 2024"), (3, 4, " 42")]


def test_ideographs_join_over_a_line_end_without_a_blank() -> None:
    assert found("1\n00:01,0 --> 00:02,0\n我们，\n同意\n") == [(1, 2, "我们，同意")]
    assert found("1\n00:01,0 --> 00:02,0\n我们\nagree\n") == [(1, 2, "我们 agree")]


def test_positions_for_players_are_no_text() -> None:
    assert found("1\n00:01,0 --> 00:02,0 X1:0\n{\\an8}Up {here}\n") == [(1, 2, " Up {here}")]


def test_a_caption_with_malformed_times_is_skipped_with_its_text() -> None:
    tally = Tally()
    assert found("1\n00:00:01:5 --> 00:02,0\nBad.\n\n2\n00:03,0 --> 00:04,0\nGood.\n", tally) == [(3, 4, " Good.")]
    assert tally["transcript_bad_time"] == 1


def test_damaged_digits_and_short_arrows_are_times_all_the_same() -> None:
    tally = Tally()
    damaged = "1\n00:00:0x,000 --> 00:00:02,000\nBad.\n\n2\n00:00:03 -> 00:00:05\nShort.\n\n3\n00:06,0 --> 00:07,0\nGood.\n"
    assert found(damaged, tally) == [(3, 5, " Short."), (6, 7, " Good.")]
    assert tally["transcript_bad_time"] == 1


def test_a_missing_time_is_taken_from_the_neighbours_and_told() -> None:
    tally = Tally()
    text = (
        "1\n00:01,0 --> 00:03,0\nThis is the first\n\n2\n00:00:03,000 -->\nsentence of two.\n\n3\n00:06,0 --> 00:08,0\nNext.\n\n"
    )
    text += "4\n--> 00:00:09,500\nNo start.\n\n5\n00:00:20,000 --> \nNo end."
    assert found(text, tally) == [
        (1, 3, " This is the first"),
        (3, 6, " sentence of two."),
        (6, 8, " Next."),
        (8, 9.5, " No start."),
        (20, 21.75, " No end."),
    ]
    assert +tally == {"transcript_missing_time": 3}


def test_without_both_times_a_caption_is_left_out_and_counted() -> None:
    tally = Tally()
    assert found("1\n-->\nLost.\n\n2\n00:03,0 --> 00:04,0\nGood.\n", tally) == [(3, 4, " Good.")]
    assert tally["transcript_bad_time"] == 1


@pytest.mark.parametrize(
    ("above", "count"),
    [("", 0), ("1\n", 0), ("\n\n1\n\n", 0), ("\ufeff\ufeff1\n", 0), ("Season 1\n\n1\n", 1), ("00:xx\nLost.\n\n1\n", 1)],
)
def test_text_above_the_first_line_of_times_is_counted(above: str, count: int) -> None:
    tally = Tally()
    assert found(f"{above}00:03,0 --> 00:04,0\nGood.\n", tally) == [(3, 4, " Good.")]
    assert +tally == ({"transcript_stray_text": count} if count else {})


@pytest.mark.parametrize("line_end", ["\r\r\n", "\r\n", "\r"])
def test_every_system_s_line_ends(line_end: str) -> None:
    text = "1\n00:01,0 --> 00:02,0\nOne.\n\n2\n00:03,0 --> 00:04,0\nTwo.\n"
    assert found(text.replace("\n", line_end)) == [(1, 2, " One."), (3, 4, " Two.")]


LINES = st.text(alphabet=st.sampled_from("axé,.!&<> 我。"), min_size=1, max_size=20).map(str.strip).filter(bool)
TIMES = st.integers(0, 400_000_000)


@given(st.lists(st.tuples(TIMES, st.integers(0, 100_000), LINES), max_size=8), st.sampled_from(["\n", "\r\n", "\r"]))
def test_texts_and_milliseconds_come_back(cues: list[tuple[int, int, str]], line_end: str) -> None:
    spans = [(f"{clock(start / 1000)} --> {clock((start + length) / 1000)}", text) for start, length, text in cues]
    blocks = [f"{number}\n{times}\n{text}\n" for number, (times, text) in enumerate(spans, start=1)]
    content = "\n".join(blocks).replace("\n", line_end)
    back = [(round(a * 1000), round(b * 1000), " ".join(t.split())) for a, b, t in found(content)]
    assert back == [(start, start + length, " ".join(text.split())) for start, length, text in cues]
