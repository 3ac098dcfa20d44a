"""The JSON that Whisper programs write, with the times of their words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.errors import BadInput
from segmenter.formats import whisper_json
from segmenter.formats.cues import Cue, Tally, words

WORDS = [
    {"word": " Good", "start": 1.1, "end": 1.4, "probability": 0.9},
    {"word": " day.", "start": 1.5, "end": 1.9, "probability": 0.8},
]
SEGMENT = {"id": 0, "start": 1.0, "end": 2.0, "text": " Good day.", "words": WORDS}


def read(data: Any, tally: Tally | None = None) -> list[Cue]:
    return whisper_json.read(data if isinstance(data, str) else json.dumps(data), Tally() if tally is None else tally)


def timed(data: Any, tally: Tally | None = None) -> list[tuple[str, float, float, float | None]]:
    return [(w.text, w.start, w.end, w.probability) for cue in read(data, tally) for w in words(cue)]


@pytest.mark.parametrize(
    "data",
    [
        {"text": " Good day.", "segments": [SEGMENT], "language": "en"},
        [SEGMENT],
        json.dumps(SEGMENT) + "\n" + json.dumps(SEGMENT | {"start": 3, "end": 3, "text": " "}) + "\n",
    ],
    ids=["object", "list", "lines"],
)
def test_word_times_are_taken_as_they_are(data: Any) -> None:
    assert timed(data) == [(" Good", 1.1, 1.4, 0.9), (" day.", 1.5, 1.9, 0.8)]


def test_whisperx_has_speakers_scores_and_words_without_blanks_or_times() -> None:
    aligned = [
        {"word": "In", "start": 0.1, "end": 0.2, "score": 0.7, "speaker": "SPEAKER_01"},
        {"word": "2014"},
        {"word": "we", "start": 1.2, "end": 1.5, "score": 0.6},
    ]
    data = {"segments": [{"start": 0.0, "end": 2.0, "text": " In 2014 we", "words": aligned, "speaker": "SPEAKER_00"}]}
    assert timed(data) == [(" In", 0.1, 0.2, 0.7), (" 2014", 0.2, 1.2, None), (" we", 1.2, 1.5, 0.6)]
    speakers = [word.speaker for cue in read(data) for word in words(cue)]
    assert speakers == ["SPEAKER_01", "SPEAKER_00", "SPEAKER_00"]


def test_whisper_cpp_counts_in_milliseconds() -> None:
    segment = {
        "timestamps": {"from": "00:00:00,500", "to": "00:00:01,500"},
        "offsets": {"from": 500, "to": 1500},
        "text": " And so",
    }
    assert timed({"result": {"language": "en"}, "transcription": [segment]}) == [
        (" And", 0.5, pytest.approx(0.5 + 4 / 7), None),
        (" so", pytest.approx(0.5 + 4 / 7), 1.5, None),
    ]


def test_pieces_of_one_word_stay_together_in_the_text() -> None:
    parts = [{"word": " well", "start": 0.0, "end": 0.5}, {"word": "-known", "start": 0.5, "end": 1.0}]
    assert [w[0] for w in timed([{"start": 0, "end": 1, "text": " well-known", "words": parts}])] == [" well", "-known"]


@pytest.mark.parametrize(
    "wrong",
    [
        [{"word": " Good", "start": 0.2, "end": 0.5}, {"word": " day.", "start": 5.0, "end": 9.9}],
        [{"word": " Good", "start": 1.5, "end": 1.6}, {"word": " day.", "start": 1.1, "end": 1.2}],
        [{"word": " Bad", "start": 1.1, "end": 1.4}],
        [{"word": " Good", "start": 1.1, "end": 1.4}],
        [{"word": None, "start": 1.1, "end": 1.4}, 7],
    ],
    ids=["outside", "backwards", "another text", "half of the text", "no words"],
)
def test_words_that_do_not_agree_with_their_segment_are_spread_and_counted(wrong: list[Any]) -> None:
    tally = Tally()
    assert timed([SEGMENT | {"words": wrong}], tally) == [(" Good", 1.0, 1.5, None), (" day.", 1.5, 2.0, None)]
    assert tally["transcript_word_times"] == 1


@pytest.mark.parametrize(
    "segment",
    [
        {"start": 3.0, "text": "No end."},
        {"start": 4.0, "end": 5.0},
        {},
        None,
        5,
        {"start": 3, "end": 4, "text": 42},
    ],
)
def test_segments_that_cannot_be_used_are_left_out_and_counted(segment: Any) -> None:
    tally = Tally()
    assert len(read([segment, SEGMENT], tally)) == 1
    assert tally["transcript_bad_segment"] == 1


def test_numbers_written_as_strings_and_very_long_numbers_are_read() -> None:
    text = '[{"id": ' + "9" * 10_000 + ', "start": "1.5", "end": "00:00:02,500", "text": "A."}]'
    assert [(cue.start, cue.end, cue.text) for cue in read(text)] == [(1.5, 2.5, " A.")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"segments": [{"start": 1', "invalid JSON"),
        ('{"segments": []}\nDone in 3 s', "invalid JSON"),
        ('{"segments":' + "[" * 200_000, "nested"),
        ('{"text": "a"}', "segments"),
        ('{"segments": {"0": {}}}', "segments"),
        ("42", "segments"),
    ],
)
def test_what_is_no_transcript_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read(text)


@pytest.mark.parametrize("bad", ["not json", "", '{"start": 4, "text": "cut o', "[" * 100_000])
def test_a_damaged_line_of_json_lines_costs_its_own_segment_alone(bad: str) -> None:
    lines = [json.dumps({"start": i, "end": i + 1, "text": f"No. {i}"}) for i in range(2)]
    tally = Tally()
    assert [cue.text for cue in read("\n".join([lines[0], bad, lines[1]]), tally)] == [" No. 0", " No. 1"]
    assert tally["transcript_bad_segment"] == bool(bad)


@given(
    st.lists(
        st.tuples(st.integers(0, 10**7), st.integers(0, 10**5), st.lists(st.text("abé.,'", min_size=1, max_size=5), min_size=1)),
        max_size=5,
    )
)
def test_texts_words_and_milliseconds_come_back(segments: list[tuple[int, int, list[str]]]) -> None:
    data: list[dict[str, Any]] = []
    for start, length, texts in segments:
        edges = [(start + length * i // len(texts)) / 1000 for i in range(len(texts) + 1)]
        said = [{"word": f" {t}", "start": a, "end": b} for t, a, b in zip(texts, edges, edges[1:], strict=False)]
        data.append({"start": edges[0], "end": edges[-1], "text": "".join(f" {t}" for t in texts), "words": said})
    expected = [(w["word"], w["start"], w["end"], None) for segment in data for w in segment["words"]]
    assert timed({"segments": data}) == expected
