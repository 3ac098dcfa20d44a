"""SubRip as it is found: texts and times to the millisecond, however untidy."""

from __future__ import annotations

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


LINES = st.text(alphabet=st.sampled_from("axé,.!&<> 我。"), min_size=1, max_size=20).map(str.strip).filter(bool)
TIMES = st.integers(0, 400_000_000)


@given(st.lists(st.tuples(TIMES, st.integers(0, 100_000), LINES), max_size=8), st.sampled_from(["\n", "\r\n", "\r"]))
def test_texts_and_milliseconds_come_back(cues: list[tuple[int, int, str]], line_end: str) -> None:
    spans = [(f"{clock(start / 1000)} --> {clock((start + length) / 1000)}", text) for start, length, text in cues]
    blocks = [f"{number}\n{times}\n{text}\n" for number, (times, text) in enumerate(spans, start=1)]
    content = "\n".join(blocks).replace("\n", line_end)
    back = [(round(a * 1000), round(b * 1000), " ".join(t.split())) for a, b, t in found(content)]
    assert back == [(start, start + length, " ".join(text.split())) for start, length, text in cues]
