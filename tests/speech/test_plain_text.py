"""A text without times: its sentences in order, and who says them."""

from __future__ import annotations

from pathlib import Path

import pytest

from segmenter.errors import BadInput
from segmenter.records import Finding
from segmenter.settings import SpeechSettings
from segmenter.speech import plain_text


def read(path: Path, content: str, language: str | None = None) -> tuple[list[tuple[str, str | None]], list[Finding]]:
    path.write_text(content, encoding="utf-8")
    findings: list[Finding] = []
    found = plain_text.read(path, SpeechSettings(language=language), findings.append)
    assert [(s.start, s.end) for s in found] == [(i, i + 1) for i in range(len(found))]
    assert {s.language for s in found} == {language}
    return [(s.text, s.speaker) for s in found], findings


def test_sentences_go_over_lines_and_end_with_paragraphs(tmp_path: Path) -> None:
    found, findings = read(tmp_path / "a.txt", "A heading\n\nIt is one\nsentence. And\r\nanother one\n \n\nThe end.\n")
    assert [text for text, _ in found] == ["A heading", "It is one sentence.", "And another one", "The end."]
    assert [(finding.code, finding.level) for finding in findings] == [("no_times", "note")]


def test_names_in_front_of_lines_are_speakers(tmp_path: Path) -> None:
    found, _ = read(tmp_path / "a.txt", "Anna: Good morning. Shall we?\nBen: Yes.\n\nAnna: Then let us\nbegin.\nBen: Fine.\n")
    assert found == [
        ("Good morning.", "Anna"),
        ("Shall we?", "Anna"),
        ("Yes.", "Ben"),
        ("Then let us begin.", "Anna"),
        ("Fine.", "Ben"),
    ]


def test_a_colon_alone_makes_no_speaker(tmp_path: Path) -> None:
    found, _ = read(tmp_path / "a.txt", "Note: it rains.\nIt is cold.\nWarning: it snows.\n")
    assert {speaker for _, speaker in found} == {None}


def test_the_given_language_says_where_sentences_end(tmp_path: Path) -> None:
    content = "Das war am 3. Oktober in Bonn. Danach war Ruhe."
    assert [text for text, _ in read(tmp_path / "a.txt", content, "de")[0]] == [content[:30], content[31:]]


def test_chinese_has_sentences_without_blanks(tmp_path: Path) -> None:
    assert [text for text, _ in read(tmp_path / "a.txt", "今天下雨。我们在家。\n明天去公园。", "zh")[0]] == [
        "今天下雨。",
        "我们在家。",
        "明天去公园。",
    ]


@pytest.mark.parametrize("content", [b" \n\n", b"\x00\x01\xff\x00"])
def test_nothing_to_read_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(BadInput):
        plain_text.read(tmp_path / "a.txt", SpeechSettings(), lambda _: None)
