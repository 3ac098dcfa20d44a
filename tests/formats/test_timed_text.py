"""Plain text with times, as meeting tools export it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.formats import timed_text
from segmenter.formats.cues import Tally

OTTER = "Jane Doe  0:15  \nGood morning.\n\nUnknown Speaker  0:19  \nHello, Jane.\n\n0:25\nShall we?\n\nTranscribed by https://otter.ai\n"
TEAMS = "Jane Doe   0:15\nGood morning.\n\nBen O'Neil (Guest)   0:19\nHello, Jane.\n\n0:25\nShall we?\n"
REV = "Jane Doe (00:15):\nGood morning.\n\nBen (00:19):\nHello, Jane.\n\n(00:25)\nShall we?\n"
REV_NEWS = "Jane Doe: (00:15)\nGood morning.\n\nBen: (00:19)\nHello, Jane.\n\n(00:25) Shall we?\n"
DESCRIPT = "[00:00:15] Jane Doe: Good morning.\n[00:00:19] Ben: Hello, Jane.\n[00:00:25] Jane Doe: Shall we?\n"
MARKDOWN = (
    "# Weekly\n\n**Jane Doe:** [00:00:15] Good morning.\n\n**Ben:** [00:00:19] Hello, Jane.\n\n**Ben:** [00:00:25] Shall we?"
)
TACTIQ = "00:00:15 Jane Doe: Good morning.\n00:00:19 Ben: Hello, Jane.\n00:00:25 Ben: Shall we?\n"
WEBEX = "Jane Doe 00:00:15\nGood morning.\n\nBen 00:00:19\nHello, Jane.\n\nBen 00:00:25\nShall we?\n"
FATHOM = "0:15 - Jane Doe (Acme)\n  Good morning.\n\n0:19 - Ben\n  Hello, Jane.\n\n0:25 - Ben\n  Shall we?\n"
FIREFLIES = "Jane Doe - 00:15\nGood morning.\n\nBen - 00:19\nHello, Jane.\n\nBen - 00:25\nShall we?\n"
GRAIN = "Jane Doe: 00:00:15\nGood morning.\nBen: 00:00:19\nHello, Jane.\nBen: 00:00:25\nShall we?\n"
TLDV = "[00:00:15] Jane Doe: Good morning.\n[00:00:19] Ben: Hello, Jane.\n[00:00:25] Cy: Shall we?\n"
TEAMS_COPIED = (
    "Jane Doe started transcription\n\nJane Doe\n15 seconds\n0:15\nGood morning.\n\nBen\n0 Minuten 19 Sekunden\n0:19\n"
    "Hello, Jane.\n\nBen\n0 minutes 25 seconds\n0:25\nShall we?\n\nJane Doe stopped transcription\n"
)
COPIED = "0:15\nGood morning.\n0:19\nHello, Jane.\n0:25\nShall we?\n"


def read(text: str, tally: Tally | None = None) -> list[tuple[float, str | None, str]]:
    cues = timed_text.read(text, Tally() if tally is None else tally)
    return [(cue.start, cue.pieces[0].speaker, cue.text.strip()) for cue in cues]


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        (OTTER, ["Jane Doe", "Unknown Speaker", None]),
        (TEAMS, ["Jane Doe", "Ben O'Neil (Guest)", None]),
        (REV, ["Jane Doe", "Ben", None]),
        (REV_NEWS, ["Jane Doe", "Ben", None]),
        (DESCRIPT, ["Jane Doe", "Ben", "Jane Doe"]),
        (MARKDOWN, ["Jane Doe", "Ben", "Ben"]),
        (TACTIQ, ["Jane Doe", "Ben", "Ben"]),
        (COPIED, [None, None, None]),
        (WEBEX, ["Jane Doe", "Ben", "Ben"]),
        (FATHOM, ["Jane Doe (Acme)", "Ben", "Ben"]),
        (FIREFLIES, ["Jane Doe", "Ben", "Ben"]),
        (GRAIN, ["Jane Doe", "Ben", "Ben"]),
        (TLDV, ["Jane Doe", "Ben", "Cy"]),
        (TEAMS_COPIED, ["Jane Doe", "Ben", "Ben"]),
    ],
    ids=[
        "Otter",
        "Teams",
        "Rev",
        "Rev, news",
        "Descript",
        "Markdown",
        "one line",
        "copied",
        "Webex",
        "Fathom",
        "Fireflies",
        "Grain",
        "tl;dv",
        "Teams, copied",
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_times_names_and_text_of_each_tool(text: str, speakers: list[str | None], line_end: str) -> None:
    text = text.replace("\n", line_end)
    assert timed_text.recognises(text)
    said = ["Good morning.", "Hello, Jane.", "Shall we?"]
    assert read(text) == list(zip([15.0, 19.0, 25.0], speakers, said, strict=True))


def test_meet_tells_a_time_every_five_minutes_and_names_below_it() -> None:
    text = "Weekly (2026-11-30)\nAttendees\nJane, Ben\n\n00:00:00\n\nJane: Good morning.\nBen: Hello.\n\n"
    text += "00:05:00\n\nJane: The roof.\n\nTranscription ended after 00:05:30\n"
    tally = Tally()
    assert read(text, tally) == [(0.0, "Jane", "Good morning."), (0.0, "Ben", "Hello."), (300.0, "Jane", "The roof.")]
    assert tally["transcript_stray_text"] == 1


def test_zoom_s_saved_captions_have_the_time_of_day() -> None:
    tally = Tally()
    text = "[Jane Doe] 23:59:58\nGood morning.\n\n[Ben] 00:00:03\nHello.\n"
    assert read(text, tally) == [(0.0, "Jane Doe", "Good morning."), (5.0, "Ben", "Hello.")]
    assert tally["transcript_time_of_day"] == 2


@pytest.mark.parametrize(("before", "after"), [(" AM", " PM"), (" am", " pm"), ("AM", "PM"), (" a.m.", " p.m.")])
def test_zoom_s_saved_captions_with_halves_of_the_day(before: str, after: str) -> None:
    text = f"[Jane Doe] 11:59:58{before}\nGood morning.\n\n[Ben] 12:00:03{after}\nHello.\n\n[Jane Doe] 1:00:00{after}\nSo.\n"
    assert read(text) == [(0.0, "Jane Doe", "Good morning."), (5.0, "Ben", "Hello."), (3602.0, "Jane Doe", "So.")]


@pytest.mark.parametrize("line", ["Meeting ended after 00:07:12", "Jane Doe stopped transcription"])
def test_what_the_tool_says_about_itself_is_no_speech(line: str) -> None:
    tally = Tally()
    assert read(f"Jane Doe  0:15\nGood morning.\n{line}\n", tally) == [(15.0, "Jane Doe", "Good morning.")]
    assert not +tally


@pytest.mark.parametrize("said", ["Lunch - 12:30", "3 seconds", "We met at 00:00:40", "It took\n2 minutes"])
def test_what_only_looks_like_a_head_of_another_tool_stays_text(said: str) -> None:
    text = f"Jane  0:15\nGood morning.\n{said}\n\nBen  0:40\nYes.\n"
    assert read(text)[0] == (15.0, "Jane", f"Good morning. {said}".replace("\n", " "))


def test_sentences_behind_a_time_are_no_names() -> None:
    text = "0:15 Good morning\nto all of you.\n0:19 and so we\nbegin.\n0:25 with the roof\nnow.\n"
    assert [speaker for _, speaker, _ in read(text)] == [None] * 3


def test_a_time_of_day_a_little_before_the_one_above_is_not_the_next_day() -> None:
    text = "[Jane] 10:04:15\nGood morning.\n\n[Ben] 10:04:14\nHello.\n\n[Jane] 10:04:20\nSo.\n"
    assert read(text) == [(1.0, "Jane", "Good morning."), (0.0, "Ben", "Hello."), (6.0, "Jane", "So.")]


@pytest.mark.parametrize("said", ["10:30 is fine.", "We meet at 10:30", "Note: this matters.", "The song (3:20) is long."])
def test_what_looks_like_a_time_or_a_name_in_a_text_stays_there(said: str) -> None:
    assert read(f"Jane  0:15\nGood morning.\n{said}\n\nBen  0:40\nYes.\n")[0] == (15.0, "Jane", f"Good morning. {said}")


def test_nobody_speaks_on_until_the_next_time_comes_much_later() -> None:
    cues = timed_text.read("Jane  0:00\nGood morning, everybody.\n\nBen  9:00\nYes.\n", Tally())
    assert cues[0].end == 6.0
    assert 540.0 < cues[1].end < 541.0


@pytest.mark.parametrize("text", ["", "no times here", "The song (3:20) is long.", "We met at 10:30\nand left.", "0:15"])
def test_other_texts_are_not_taken_for_transcripts(text: str) -> None:
    assert not timed_text.recognises(text)


def test_times_that_run_backwards_keep_their_text_and_end_no_earlier_than_they_start() -> None:
    cues = timed_text.read("A  9:00\none\nB  0:10\ntwo\nA  9:00\nthree\nB  0:10\n", Tally())
    assert [(cue.start, cue.text.strip()) for cue in cues] == [(540.0, "one"), (10.0, "two"), (540.0, "three")]
    assert all(cue.start <= cue.end for cue in cues)


@pytest.mark.parametrize("filler", [" ", "(", "a", "0:", "[", "*", "a:"])
def test_a_line_of_a_million_characters_is_read(filler: str) -> None:
    """In time that grows with its length alone; else it would take hours."""
    line = filler * (1_000_000 // len(filler))
    cues = timed_text.read(f"Jane  0:15\n{line}\nBen  0:20\nYes.\n", Tally())
    assert cues[-1].text.strip() == "Yes."
    assert "".join(cue.text for cue in cues[:-1]).strip() == line.replace("**", "").strip()


@given(st.text(st.sampled_from("0123456789:.[]() \n\tab*#-–"), max_size=200))
def test_no_text_is_invented_and_no_time_is_wrong(text: str) -> None:
    cues = timed_text.read(text, Tally())
    assert all(0 <= cue.start <= cue.end for cue in cues)
    assert not Counter("".join(cue.text for cue in cues).replace(" ", "")) - Counter(text)
