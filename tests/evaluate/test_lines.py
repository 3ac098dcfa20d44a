"""What somebody reads whose corpus has another form than it should."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from asked import CORPUS, write

from segmenter.errors import BadInput
from segmenter.evaluate import corpus, own, questions


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([{"id": "a", "queries": []}], r"line 1 is no transcript with questions: 'sentences' is missing \(a line is \{"),
        ([CORPUS[0], {"sentences": []}], r"line 2 is .*: 'id' is missing"),
        ([{**CORPUS[0], "queries": [{"evidence": [[0, 0]]}]}], r"'text' is missing"),
        ([{**CORPUS[0], "queries": [{"text": "?", "evidence": [3]}]}], r"wrong type"),
        ([{**CORPUS[0], "sentences": ["Hello."]}], r"wrong type"),
        ([[1, 2]], "it is no JSON object"),
    ],
)
def test_the_line_and_what_is_missing_are_named(tmp_path: Path, lines: list[dict[str, object]], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        list(questions.read(write(tmp_path / "bad.jsonl", lines)))


def test_other_readers_show_their_own_form(tmp_path: Path) -> None:
    path = write(tmp_path / "bad.jsonl", [{"recording": "x"}, {"id": "a", "sentences": []}])
    with pytest.raises(BadInput, match=r"line 1 is no transcript with known topics: 'sentences' is missing .*boundaries"):
        list(corpus.read(path))
    for reader, form in ((own.asked, "queries"), (own.known, "cuts")):
        (tmp_path / "bad.jsonl").write_text(json.dumps({"id": "a"}), encoding="utf-8")
        with pytest.raises(BadInput, match=rf"'sentences' is missing .*\"{form}\""):
            reader(path)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.jsonl", b"{", r"line 1 is .*no JSON \(.* at character 2\)"),
        ("a.jsonl", b"\xff\xfe", "neither UTF-8 text nor gzip"),
        ("a.jsonl.gz", b'{"id": 1}', "neither UTF-8 text nor gzip"),
        ("a.jsonl.gz", gzip.compress(b'{"id": 1}' * 99, mtime=0)[:-9], "neither UTF-8 text nor gzip"),
    ],
)
def test_damaged_files_are_told(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInput, match=message):
        list(questions.read(tmp_path / name))
