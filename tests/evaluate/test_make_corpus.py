"""The script that makes corpora from others: single topics, stretches, chains, and our own recordings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from segmenter.evaluate.corpus import known_of

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "make_corpus"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Three recordings of twelve sentences, `A0.` to `C11.`, with topics of five and seven sentences."""
    rows = [
        {
            "id": name,
            "language": "en",
            "sentences": [{"text": f"{name}{i}.", "start": i, "end": i + 1} for i in range(12)],
            "boundaries": {"coarse": [4], "fine": []},
        }
        for name in "ABC"
    ]
    path = tmp_path / "c.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def made(kind: str, *arguments: str | Path) -> list[dict[str, Any]]:
    done = subprocess.run([sys.executable, SCRIPT, kind, *arguments], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def texts(row: dict[str, Any]) -> list[str]:
    return [sentence["text"].rstrip(".") for sentence in row["sentences"]]


def test_each_topic_stands_alone(corpus: Path) -> None:
    rows = made("topics", corpus, "--sentences", "6", "9")
    assert [texts(row) for row in rows] == [[f"{name}{i}" for i in range(5, 12)] for name in "ABC"]
    assert all(known_of(row).boundaries == {"coarse": ()} and known_of(row).timed for row in rows)


def test_stretches_keep_their_breaks(corpus: Path) -> None:
    rows = made("stretches", corpus, "--sentences", "3", "8", "--count", "30")
    assert rows == made("stretches", corpus, "--sentences", "3", "8", "--count", "30")
    for row in rows:
        said = texts(row)
        assert 3 <= len(said) <= 8
        assert row["boundaries"]["coarse"] == [i for i, text in enumerate(said[:-1]) if text[1:] == "4"]


def test_chains_break_where_one_recording_ends(corpus: Path) -> None:
    for row in made("chains", corpus, "--parts", "2", "3", "--count", "20"):
        said = texts(row)
        assert row["boundaries"]["coarse"] == [i for i in range(len(said) - 1) if said[i][0] != said[i + 1][0]]
        assert len(row["boundaries"]["coarse"]) in (1, 2)
        assert not known_of(row).timed


def test_our_own_recordings_as_written_and_as_heard(tmp_path: Path) -> None:
    sentences = [{"text": f"{i}.", "start": i * 2.0, "end": i * 2 + 1.5, "speaker": "A"} for i in range(4)]
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"language": "en", "sentences": sentences, "breaks": [1]}), encoding="utf-8")
    (row,) = made("written", path)
    assert known_of(row).boundaries == {"coarse": (1,)}
    assert made("heard", path, "--results", tmp_path / "out") == [{"recording": str(tmp_path / "out" / "talk"), "cuts": [4.0]}]
