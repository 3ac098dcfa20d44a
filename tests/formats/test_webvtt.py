"""WebVTT both ways: what is written reads back, here and with a reader that is not ours."""

from __future__ import annotations

import html
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import webvtt as independent
from hypothesis import given
from hypothesis import strategies as st

from segmenter.formats import webvtt
from segmenter.formats.cues import Cue, Tally
from segmenter.formats.text import clean
from segmenter.records import Chunk, Sentence


def cues(text: str, tally: Tally | None = None) -> list[Cue]:
    return webvtt.read(text, Tally() if tally is None else tally)


def found(text: str) -> list[tuple[float, float, str]]:
    return [(cue.start, cue.end, cue.text) for cue in cues(text)]


def chunk(start: float, end: float, text: str, labels: tuple[str, ...] = ()) -> Chunk:
    return Chunk("c", start, end, "talk" if text else "event", text, None, (), (), labels, (), ("start",), ("end",))


# --- reading ------------------------------------------------------------------------------------------------------


def test_comments_styles_names_and_settings_are_no_speech() -> None:
    text = (
        "WEBVTT - Meeting\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE\na secret\n\n"
        "intro\n00:01.000 --> 00:02.000 align:start\nFirst.\n\nNOTE one\nmore\n\n"
        "name\n01:00:03.000 --> 100:00:04.000\n<v Ann>Second &amp; last.\n\nNOTE the end\n"
    )
    tally = Tally()
    first, second = cues(text, tally)
    assert (first.start, first.end, first.text) == (1.0, 2.0, " First.")
    assert (second.start, second.end, second.text) == (3603.0, 360004.0, " Second & last.")
    assert second.pieces[0].speaker == "Ann"
    assert +tally == {}


def test_text_that_no_times_stand_above_is_counted() -> None:
    tally = Tally()
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nFirst.\n\nlost\n\n00:03.000 --> 00:04.000\nSecond.\n\nlost too"
    assert [cue.text for cue in cues(text, tally)] == [" First.", " Second."]
    assert tally["transcript_stray_text"] == 2


def test_a_name_right_after_text_belongs_to_the_next_cue() -> None:
    text = "WEBVTT\n\n1\n00:01.000 --> 00:02.000\nFirst.\n2\n00:03.000 --> 00:04.000\nSecond."
    assert found(text) == [(1, 2, " First."), (3, 4, " Second.")]


def test_without_an_empty_line_a_cue_keeps_its_last_line() -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nFirst.\n00:03.000 --> 00:04.000\nSecond."
    assert found(text) == [(1, 2, " First."), (3, 4, " Second.")]


def test_webex_names_the_speaker_in_the_identifier() -> None:
    text = 'WEBVTT\n\n1 "Jane Doe" (123)\n00:01.000 --> 00:02.000\nFirst.\n\n2 "Jo" (4)\n00:03.000 --> 00:04.000\nSecond.\n'
    assert [(c.text, c.pieces[0].speaker) for c in cues(text)] == [(" First.", "Jane Doe"), (" Second.", "Jo")]


def test_teams_metadata_are_an_object_a_cue() -> None:
    said = [{"speakerName": "Jane Doe", "spokenText": "3 < 4 & so.", "spokenLanguage": "en-us"}, {"spokenText": "{x}"}]
    blocks = [f"00:0{i}.000 --> 00:0{i}.900\n{json.dumps(one)}" for i, one in enumerate(said)]
    tally = Tally()
    found = cues("\n\n".join(["WEBVTT", *blocks, "00:05.000 --> 00:06.000\n{not json}\n"]), tally)
    assert [(c.text, c.pieces[0].speaker) for c in found] == [(" 3 < 4 & so.", "Jane Doe"), (" {x}", None), (" {not json}", None)]


# --- writing ------------------------------------------------------------------------------------------------------


def test_a_transcript_is_written_as_the_specification_says(tmp_path: Path) -> None:
    sentences = [
        Sentence("Shall we <start> & go?", 0.0, 1.5, "Ann > Bob"),
        Sentence("a --> b\n\nc", 3599.9996, 3599.9996),
        Sentence("", 3600.0, 3601.0),
        Sentence("Far.", 360_000.001, 360_001.0),
    ]
    webvtt.write_transcript(sentences, tmp_path / "t.vtt")
    assert (tmp_path / "t.vtt").read_bytes().decode() == (
        "WEBVTT\n\n"
        "00:00:00.000 --> 00:00:01.500\n<v Ann &gt; Bob>Shall we &lt;start&gt; &amp; go?\n\n"
        "01:00:00.000 --> 01:00:00.001\na --&gt; b c\n\n"
        "100:00:00.001 --> 100:00:01.000\nFar.\n"
    )


def test_chapters_tile_with_a_title_each(tmp_path: Path) -> None:
    path = tmp_path / "c.vtt"
    webvtt.write_chapters([chunk(0, 5, "Budget & pay."), chunk(5, 5, "", ("car", "person")), chunk(5, 9.5, "")], path)
    assert [(c.start, c.end, html.unescape(c.text)) for c in independent.read(str(path)).captions] == [
        ("00:00:00.000", "00:00:05.000", "Budget & pay."),
        ("00:00:05.000", "00:00:05.001", "car, person"),
        ("00:00:05.000", "00:00:09.500", "event"),
    ]


def test_nothing_said_is_a_valid_file_without_cues(tmp_path: Path) -> None:
    webvtt.write_transcript([], tmp_path / "t.vtt")
    assert independent.read(str(tmp_path / "t.vtt")).captions == []


# --- both ways ----------------------------------------------------------------------------------------------------

TRICKY = "ab é我。<>&;/vi.{}\\-0123:\n\r\t\u2028\x1b\u00a0\u200d\ufeff"
TEXTS = st.text(max_size=30) | st.text(alphabet=st.sampled_from(TRICKY), max_size=30)
SENTENCES = st.lists(
    st.builds(
        lambda text, start, length, speaker: Sentence(text, start / 1000, (start + length) / 1000, speaker),
        TEXTS,
        st.integers(0, 400_000_000),
        st.integers(0, 100_000),
        st.none() | TEXTS,
    ),
    max_size=5,
)


def shown(text: str | None) -> str | None:
    return clean(text or "").strip(" ") or None


@given(SENTENCES)
def test_what_is_written_reads_back_to_the_millisecond(sentences: list[Sentence]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "t.vtt")
        webvtt.write_transcript(sentences, path)
        content = path.read_bytes().decode("utf-8")
    said = [s for s in sentences if shown(s.text)]
    expected = [(ms := round(s.start * 1000), max(round(s.end * 1000), ms + 1), shown(s.text), shown(s.speaker)) for s in said]
    ours = [(c.start, c.end, c.text, {p.speaker for p in c.pieces}) for c in cues(content)]
    assert [(round(a * 1000), round(b * 1000), text.strip(" "), *voices) for a, b, text, voices in ours] == expected
    theirs = [(c.start_time.in_milliseconds(), c.end_time.in_milliseconds()) for c in independent.from_string(content).captions]
    assert theirs == [e[:2] for e in expected]


@given(SENTENCES)
def test_another_reader_finds_the_same_text(sentences: list[Sentence]) -> None:
    said = [Sentence(s.text.replace("\ufeff", ""), s.start, s.end) for s in sentences]
    with TemporaryDirectory() as folder:
        path = Path(folder, "t.vtt")
        webvtt.write_transcript(said, path)
        theirs = [html.unescape(caption.raw_text) for caption in independent.read(str(path)).captions]
    assert theirs == [shown(s.text) for s in said if shown(s.text)]
