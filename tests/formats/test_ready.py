"""Ready transcripts of podcasts and meeting tools: names, languages, and sentences with interpolated times marked as such."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from segmenter import Settings, segment
from segmenter.formats import folder, transcripts
from segmenter.records import Finding, Sentence
from segmenter.settings import SpeechSettings
from segmenter.speech.understanding import understand_ready


def read(path: Path, content: str) -> tuple[transcripts.Transcript, tuple[Sentence, ...]]:
    path.write_text(content, encoding="utf-8")
    findings: list[Finding] = []
    found = transcripts.read_all(path, None, findings.append)
    assert findings == []
    return found, understand_ready(found.words, SpeechSettings(), found.language)


def test_a_podcast_s_transcript_word_by_word(tmp_path: Path) -> None:
    said = [("Ann", 0.5, "Good"), ("Ann", 0.9, "morning."), ("Ben", 1.6, "Hello,"), ("Ben", 2.0, "Ann.")]
    segments = [{"speaker": who, "startTime": at, "endTime": at + 0.4, "body": word} for who, at, word in said]
    _, sentences = read(tmp_path / "podcast.json", json.dumps({"version": "1.0.0", "segments": segments}))
    assert [(s.text, s.speaker) for s in sentences] == [("Good morning.", "Ann"), ("Hello, Ann.", "Ben")]
    assert [(s.start, round(s.end, 6)) for s in sentences] == [(0.5, 1.3), (1.6, 2.4)]


def test_sentences_one_a_line(tmp_path: Path) -> None:
    lines = [{"text": "Good morning.", "start": 0.5, "end": 1.5}, {"text": "Hello.", "start": 2, "end": 2.5}]
    _, sentences = read(tmp_path / "said.jsonl", "\n".join(map(json.dumps, lines)))
    assert [(s.text, s.start, s.end) for s in sentences] == [("Good morning.", 0.5, 1.5), ("Hello.", 2.0, 2.5)]


MEETING = """WEBVTT

1
00:00:01.000 --> 00:00:04.000
Jane Doe: Good morning. Shall we

2
00:00:04.000 --> 00:00:06.000
Jane Doe: begin now?

3
00:00:06.500 --> 00:00:08.000
Ben O'Neil (Guest): Yes: the roof.
"""


def test_names_before_a_colon_are_speakers(tmp_path: Path) -> None:
    _, sentences = read(tmp_path / "meeting.vtt", MEETING)
    assert [(s.speaker, s.text) for s in sentences] == [
        ("Jane Doe", "Good morning."),
        ("Jane Doe", "Shall we begin now?"),
        ("Ben O'Neil (Guest)", "Yes: the roof."),
    ]


def test_cut_anew_into_sentences_with_interpolated_times(tmp_path: Path) -> None:
    """Where a sentence ends inside a cue its time follows from the characters; such words have no probability."""
    _, (first, second, _) = read(tmp_path / "meeting.vtt", MEETING)
    assert first.start == 1.0
    assert 1.0 < first.end == second.start < 4.0
    assert {word.probability for word in (*first.words, *second.words)} == {None}


def test_a_colon_alone_makes_no_speaker(tmp_path: Path) -> None:
    text = MEETING.replace("Jane Doe: ", "").replace("Ben O'Neil (Guest)", "Note")
    _, sentences = read(tmp_path / "talk.vtt", text)
    assert {s.speaker for s in sentences} == {None}
    assert sentences[-1].text == "Note: Yes: the roof."


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("whisper.json", json.dumps({"segments": [{"start": 0, "end": 1, "text": " Guten Tag."}], "language": "de"})),
        (
            "cpp.json",
            json.dumps(
                {"result": {"language": "de"}, "transcription": [{"offsets": {"from": 0, "to": 900}, "text": " Guten Tag."}]}
            ),
        ),
        ("auto.vtt", "WEBVTT\nKind: captions\nLanguage: de-AT\n\n00:00.000 --> 00:01.000\nGuten Tag.\n"),
    ],
)
def test_the_language_of_the_file_is_handed_on(tmp_path: Path, name: str, content: str) -> None:
    found, (sentence,) = read(tmp_path / name, content)
    assert (found.language, sentence.language, sentence.text) == ("de", "de", "Guten Tag.")


def test_a_transcript_s_own_speakers_are_written_as_turns(tmp_path: Path) -> None:
    path = tmp_path / "meeting.txt"
    path.write_text("Jane Doe  0:01\nGood morning. Shall we begin?\n\nBen  0:04\nYes.\n", encoding="utf-8")
    settings = Settings().changed("topics", rule="structure")
    found = segment(path, settings)
    assert [(turn.speaker, turn.start) for turn in found.turns] == [("Jane Doe", 1.0), ("Ben", 4.0)]
    assert [sentence.speaker for sentence in found.sentences] == ["Jane Doe", "Jane Doe", "Ben"]
    lines = (folder.write(found, tmp_path / "out") / "speakers.rttm").read_text(encoding="utf-8").splitlines()
    assert [line.split()[7] for line in lines] == ["Jane_Doe", "Ben"]
