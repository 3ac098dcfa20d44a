"""What each program of the Whisper family writes: times, words and text, none of them lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from segmenter.formats import whisper_json
from segmenter.formats.cues import Tally, words


def timed(data: Any, tally: Tally | None = None) -> list[tuple[str, float, float, float | None]]:
    cues = whisper_json.read(json.dumps(data), Tally() if tally is None else tally)
    return [(w.text, round(w.start, 6), round(w.end, 6), w.probability) for cue in cues for w in words(cue)]


def token(text: str, start: int, end: int, sure: float = 0.5) -> dict[str, Any]:
    return {"text": text, "offsets": {"from": start, "to": end}, "p": sure}


def test_whisper_cpp_s_tokens_are_words_with_times() -> None:
    tokens = [token("[_BEG_]", 0, 0), token(" How", 1500, 1700), token(" un", 4000, 4200, 0.25), token("real", 4200, 4600, 0.75)]
    tokens += [token("?", 4600, 4700, 0.1), token("[_TT_250]", 5000, 5000)]
    segment = {"offsets": {"from": 0, "to": 5000}, "text": " How unreal?", "tokens": tokens}
    assert timed({"transcription": [segment]}) == [(" How", 1.5, 1.7, 0.5), (" unreal?", 4.0, 4.7, 0.5)]


def test_tokens_of_a_script_without_blanks_stay_words() -> None:
    tokens = [token("我们", 0, 400), token("走", 400, 800), token("。", 800, 900)]
    segment = {"offsets": {"from": 0, "to": 1000}, "text": "我们走。", "tokens": tokens}
    assert [w[:3] for w in timed({"transcription": [segment]})] == [("我", 0.0, 0.2), ("们", 0.2, 0.4), ("走。", 0.4, 0.9)]


def test_whisper_cpp_s_clock_times_are_read_where_milliseconds_are_missing() -> None:
    segment = {"timestamps": {"from": "00:00:01,500", "to": "00:00:03,000"}, "text": " Hallo."}
    assert timed({"transcription": [segment]}) == [(" Hallo.", 1.5, 3.0, None)]


def test_a_segment_a_token_gives_whole_words() -> None:
    said = [
        (" And", 0, 300),
        (" so", 300, 600),
        (" un", 600, 800),
        ("believ", 800, 1000),
        ("able", 1000, 1100),
        (".", 1100, 1200),
    ]
    found = [{"offsets": {"from": a, "to": b}, "text": text} for text, a, b in said]
    assert [w[:3] for w in timed({"transcription": found})] == [
        (" And", 0.0, 0.3),
        (" so", 0.3, 0.6),
        (" unbelievable.", 0.6, 1.2),
    ]


def podcast(*said: tuple[str, float, float | None], speaker: str | None = None) -> dict[str, Any]:
    found = [
        {"startTime": start, "body": body, "speaker": speaker} | ({"endTime": end} if end else {}) for body, start, end in said
    ]
    return {"version": "1.0.0", "segments": found}


def test_a_podcast_s_words_without_blanks_stay_apart_and_marks_join_the_word_before() -> None:
    found = timed(
        podcast(("We", 0, 0.1), ("sold", 0.1, 0.2), (".", 0.2, 0.3), ("Good", 1, 1.2), (",", 1.2, 1.3), ("so", 1.3, 1.5))
    )
    assert [w[0] for w in found] == [" We", " sold.", " Good,", " so"]


def test_a_podcast_without_ends_lasts_until_the_next_segment_starts() -> None:
    found = timed(podcast(("Hello.", 0.5, None), ("Fifteen letters.", 2, None)))
    assert [w[:3] for w in found] == [(" Hello.", 0.5, 2.0), (" Fifteen", 2.0, 2.501961), (" letters.", 2.501961, 3.066667)]


def test_whole_phrases_are_never_glued() -> None:
    found = [{"start": i, "end": i + 1, "text": text} for i, text in enumerate(["Right", "Yes", "No.", " And so", "we go"])]
    assert [w[0] for w in timed(found)] == [" Right", " Yes", " No.", " And", " so", " we", " go"]


WORDS = [("Hello", 0.0, 0.5), ("there", 0.5, 0.8), ("Dr", 1.0, 1.2), ("Smith", 1.2, 1.5), ("How", 1.8, 2.0), ("so", 2.0, 2.2)]
BESIDE = [{"word": word, "start": start, "end": end} for word, start, end in WORDS]
MARKED = [" Hello", " there,", " Dr.", " Smith.", " ¿How", " so?"]


def test_openai_s_words_alone_have_the_punctuation_of_the_text() -> None:
    found = timed({"text": "Hello there, Dr. Smith. ¿How so?", "words": BESIDE})
    assert [(w[0], w[1], w[2]) for w in found] == [
        (shown, start, end) for shown, (_, start, end) in zip(MARKED, WORDS, strict=True)
    ]


def test_openai_s_words_stay_as_they_are_where_the_text_tells_others() -> None:
    assert [w[0] for w in timed({"text": "Something else.", "words": BESIDE[:2]})] == [" Hello", " there"]


@pytest.mark.parametrize("key", ["words", "word_segments"])
def test_words_beside_the_segments_give_their_times(key: str) -> None:
    segments = [{"start": 0.0, "end": 1.6, "text": " Hello there, Dr. Smith."}, {"start": 1.6, "end": 2.6, "text": " ¿How so?"}]
    found = timed({"segments": segments, key: BESIDE})
    assert [(w[0], w[1], w[2]) for w in found] == [
        (shown, start, end) for shown, (_, start, end) in zip(MARKED, WORDS, strict=True)
    ]


def test_a_segment_that_tells_other_words_costs_the_times_of_its_own_alone() -> None:
    segments = [{"start": 0.0, "end": 1.6, "text": " Hello my Doctor."}, {"start": 1.8, "end": 2.6, "text": " How so?"}]
    tally = Tally()
    found = timed({"segments": segments, "words": BESIDE}, tally)
    assert [w[0] for w in found] == [" Hello", " my", " Doctor.", " How", " so?"]
    assert found[3:] == [(" How", 1.8, 2.0, None), (" so?", 2.0, 2.2, None)]
    assert tally["transcript_word_times"] == 1


def test_hugging_face_s_chunks() -> None:
    chunks = [{"timestamp": [0.0, 2.0], "text": " Hello."}, {"timestamp": [2.0, None], "text": " Fifteen letters"}]
    assert [w[:3] for w in timed({"chunks": chunks, "text": ""})][:2] == [(" Hello.", 0.0, 2.0), (" Fifteen", 2.0, 2.5)]
