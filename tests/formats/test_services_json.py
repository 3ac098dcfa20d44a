"""The JSON of speech services: one small answer of each, as their references describe it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.errors import BadInput
from segmenter.formats import services_json, transcripts, whisper_json
from segmenter.formats.cues import Tally
from segmenter.records import Finding


def items(start: type, **named: Any) -> list[dict[str, Any]]:
    said = [
        ("Good", 1.0, 1.4, "a"),
        ("day", 1.5, 1.9, "a"),
        (".", None, None, "a"),
        ("Yes", 2.0, 2.4, "b"),
        (".", None, None, "b"),
    ]
    return [
        ({} if at is None else {"start_time": start(at), "end_time": start(end)})
        | {"type": named["mark"] if at is None else named["word"], "alternatives": [{"content": text, "confidence": start(0.9)}]}
        | ({named["speaker"]: who} if "speaker" in named else {})
        for text, at, end, who in said
    ]


SAID = [("Good", 1.0, 1.4, "a"), ("day.", 1.5, 1.9, "a"), ("Yes.", 2.0, 2.4, "b")]
AMAZON = {"items": items(str, word="pronunciation", mark="punctuation"), "language_code": "en-GB"}
NAMED = [{"start_time": str(at), "end_time": str(end), "speaker_label": who} for _, at, end, who in SAID]

ANSWERS: dict[str, Any] = {
    "AssemblyAI": {
        "language_code": "en_uk",
        "audio_duration": 3,
        "words": [{"text": w, "start": 1000 * a, "end": 1000 * b, "confidence": 0.9, "speaker": s} for w, a, b, s in SAID],
        "utterances": None,
    },
    "Deepgram": {
        "results": {
            "channels": [
                {
                    "detected_language": "en",
                    "alternatives": [
                        {
                            "transcript": "Good day. Yes.",
                            "words": [
                                {"word": w.lower(), "punctuated_word": w, "start": a, "end": b, "confidence": 0.9, "speaker": s}
                                for w, a, b, s in SAID
                            ],
                        }
                    ],
                }
            ]
        }
    },
    "Amazon Transcribe": {"results": AMAZON | {"speaker_labels": {"segments": [{"items": NAMED}]}}},
    "Amazon Transcribe, newer": {
        "results": {
            "items": items(str, word="pronunciation", mark="punctuation", speaker="speaker_label"),
            "language_code": "en-US",
        }
    },
    "Google, v1": {
        "response": {
            "results": [
                {
                    "languageCode": "en-us",
                    "alternatives": [
                        {
                            "transcript": "Good day. Yes.",
                            "words": [
                                {"word": w, "startTime": f"{a}s", "endTime": f"{b}s", "confidence": 0.9, "speakerTag": s}
                                for w, a, b, s in SAID
                            ],
                        }
                    ],
                }
            ]
        }
    },
    "Azure, batch": {
        "recognizedPhrases": [
            {
                "speaker": who,
                "locale": "en-US",
                "offsetInTicks": shown[0][1] * 1e7,
                "durationInTicks": (shown[-1][2] - shown[0][1]) * 1e7,
                "nBest": [
                    {
                        "display": " ".join(w for w, *_ in shown),
                        "displayWords": [
                            {"displayText": w, "offsetInTicks": a * 1e7, "durationInTicks": (b - a) * 1e7} for w, a, b, _ in shown
                        ],
                    }
                ],
            }
            for who, shown in (("a", SAID[:2]), ("b", SAID[2:]))
        ]
    },
    "Azure, fast": {
        "phrases": [
            {
                "speaker": who,
                "locale": "en-US",
                "offsetMilliseconds": shown[0][1] * 1000,
                "durationMilliseconds": (shown[-1][2] - shown[0][1]) * 1000,
                "text": " ".join(w for w, *_ in shown),
                "words": [
                    {"text": w, "offsetMilliseconds": a * 1000, "durationMilliseconds": (b - a) * 1000} for w, a, b, _ in shown
                ],
            }
            for who, shown in (("a", SAID[:2]), ("b", SAID[2:]))
        ]
    },
    "Rev": {
        "monologues": [
            {
                "speaker": who,
                "elements": [
                    element
                    for w, a, b, _ in shown
                    for element in (
                        {"type": "text", "value": w.strip("."), "ts": a, "end_ts": b, "confidence": 0.9},
                        {"type": "punct", "value": "." if w.endswith(".") else " "},
                    )
                ],
            }
            for who, shown in (("a", SAID[:2]), ("b", SAID[2:]))
        ]
    },
    "ElevenLabs": {
        "language_code": "eng",
        "words": [
            word
            for w, a, b, s in SAID
            for word in (
                {"text": w, "start": a, "end": b, "type": "word", "speaker_id": s},
                {"text": " ", "start": b, "end": b, "type": "spacing", "speaker_id": s},
            )
        ],
    },
}
SPEECHMATICS = {
    "metadata": {"transcription_config": {"language": "en"}},
    "results": [
        {**item, "alternatives": [item["alternatives"][0] | {"speaker": item["who"]}]}
        for item in items(float, word="word", mark="punctuation", speaker="who")
    ],
}
ANSWERS["Speechmatics"] = SPEECHMATICS
WITHOUT_LANGUAGE = ("Rev",)


def read(path: Path, data: Any) -> tuple[transcripts.Transcript, list[Finding]]:
    path.write_text(json.dumps(data), encoding="utf-8")
    findings: list[Finding] = []
    return transcripts.read_all(path, None, findings.append), findings


@pytest.mark.parametrize("name", ANSWERS)
def test_words_times_speakers_and_language_of_each_service(name: str, tmp_path: Path) -> None:
    found, findings = read(tmp_path / "answer.json", ANSWERS[name])
    assert [(w.text.strip(), round(w.start, 6), round(w.end, 6), w.speaker) for w in found.words] == SAID
    assert findings == []
    assert found.language == (None if name in WITHOUT_LANGUAGE else "en")


def test_google_v1_repeats_all_words_with_their_speakers_in_the_last_result(tmp_path: Path) -> None:
    plain = [{"word": w, "startTime": f"{a}s", "endTime": f"{b}s"} for w, a, b, _ in SAID]
    tagged = [{**word, "speakerTag": 1 if at < 2 else 2} for at, word in enumerate(plain)]
    results = [{"alternatives": [{"words": words}]} for words in (plain[:2], plain[2:], tagged)]
    found, _ = read(tmp_path / "google.json", {"results": results})
    assert [(w.text.strip(), w.speaker) for w in found.words] == [
        ("Good", "Speaker 1"),
        ("day.", "Speaker 1"),
        ("Yes.", "Speaker 2"),
    ]


def test_google_results_with_equally_many_words_are_all_kept(tmp_path: Path) -> None:
    said = (("one", 0), ("two", 1)), (("three", 5), ("four", 6))
    results = [
        {"alternatives": [{"words": [{"word": w, "startTime": f"{t}s", "endTime": f"{t + 1}s"} for w, t in r]}]} for r in said
    ]
    found, _ = read(tmp_path / "google.json", {"results": results})
    assert [w.text.strip() for w in found.words] == ["one", "two", "three", "four"]


def test_a_word_without_a_time_takes_none_of_its_neighbours_along(tmp_path: Path) -> None:
    times = ((None, 400), (500, 800), (900, None))
    words = [
        {"text": w, "start": a, "end": b, "confidence": 0.9} for w, (a, b) in zip(("Good", "day", "all"), times, strict=True)
    ]
    found, _ = read(tmp_path / "a.json", {"words": words})
    assert [w.text.strip() for w in found.words] == ["Good", "day", "all"]
    assert (found.words[1].start, found.words[1].end) == (0.5, 0.8)


def test_an_opening_mark_belongs_to_the_word_behind_it(tmp_path: Path) -> None:
    said = ("¿", "punctuation"), ("Qué", "word"), ("?", "punctuation"), ("¡", "punctuation"), ("Sí", "word"), ("!", "punctuation")
    results = [
        {"type": kind, "start_time": 0.1 * i, "end_time": 0.1 * i + 0.1, "alternatives": [{"content": text}]}
        for i, (text, kind) in enumerate(said)
    ]
    found, _ = read(tmp_path / "s.json", {"results": results})
    assert [w.text.strip() for w in found.words] == ["¿Qué?", "¡Sí!"]


def test_google_without_times_of_words(tmp_path: Path) -> None:
    results = [{"alternatives": [{"transcript": t}], "resultEndTime": e} for t, e in (("Good day.", "2.5s"), (" Yes.", "4s"))]
    found, _ = read(tmp_path / "google.json", {"results": results})
    assert (found.words[0].start, found.words[-1].start, found.words[-1].end) == (0.0, 2.5, 4.0)
    assert all(word.probability is None for word in found.words)


def test_two_channels_take_turns_and_are_two_speakers(tmp_path: Path) -> None:
    first = [{"word": "hi", "start": 0.0, "end": 0.4}, {"word": "well", "start": 3.0, "end": 3.4}]
    second = [{"word": "yes", "start": 1.0, "end": 1.4}]
    channels = [{"alternatives": [{"words": words}]} for words in (first, second)]
    found, _ = read(tmp_path / "call.json", {"results": {"channels": channels}})
    assert [(w.text.strip(), w.speaker) for w in found.words] == [
        ("hi", "Channel 0"),
        ("yes", "Channel 1"),
        ("well", "Channel 0"),
    ]


def test_ideographs_are_joined_without_blanks(tmp_path: Path) -> None:
    words = [{"text": t, "start": 1000 * i, "end": 1000 * i + 900, "confidence": 0.9} for i, t in enumerate(("羊猫", "狗。"))]
    found, _ = read(tmp_path / "zh.json", {"language_code": "zh", "words": words})
    assert "".join(word.text for word in found.words) == "羊猫狗。"


@pytest.mark.parametrize(("named", "code"), [("english", "en"), ("German", "de"), ("pt-BR", "pt"), ("eng", "en"), ("und", None)])
def test_languages_by_name_become_codes(named: str, code: str | None) -> None:
    assert whisper_json.language(json.dumps({"language": named, "segments": []})) == code


JUNK = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["start", "text", "words", "items"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.data())
def test_whatever_is_of_another_type_is_left_out_or_refused(data: st.DataObject) -> None:
    answer = json.loads(json.dumps(ANSWERS[data.draw(st.sampled_from(list(ANSWERS)))]))
    places: list[tuple[Any, Any]] = []
    waiting = [answer]
    while waiting:
        part = waiting.pop()
        inner = list(part.items() if isinstance(part, dict) else enumerate(part)) if isinstance(part, dict | list) else []
        places += [(part, key) for key, _ in inner]
        waiting += [value for _, value in inner]
    for part, key in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=3)):
        part[key] = data.draw(JUNK)
    text = json.dumps(answer)
    try:
        cues = whisper_json.read(text, Tally())
    except BadInput:
        return
    whisper_json.language(text)
    assert all(0 <= cue.start <= cue.end for cue in cues)


def test_an_unknown_object_is_no_service_s() -> None:
    assert services_json.service({"results": [], "words": "none"}) is None
    assert services_json.service([1]) is None


def test_teams_entries() -> None:
    entry = {"text": "Good morning.", "speakerDisplayName": "Jane Doe", "spokenLanguageTag": "en-us"}
    data = {
        "type": "Transcript",
        "entries": [entry | {"startOffset": "00:00:01.5000000", "endOffset": "00:00:03.0000000"}, entry],
    }
    tally = Tally()
    (cue,) = whisper_json.read(json.dumps(data), tally)
    assert (cue.start, cue.end, cue.text, cue.pieces[0].speaker) == (1.5, 3.0, " Good morning.", "Jane Doe")
    assert tally["transcript_bad_segment"] == 1
    assert whisper_json.language(json.dumps(data)) == "en"
