"""`segmenter search`: what people and machines read of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from indexed import fill
from typer.testing import CliRunner
from wordy import DIMENSION, word_tools

from segmenter.cli.app import app
from segmenter.cli.search import marked
from segmenter.errors import NotAFile, SettingsError
from segmenter.retrieval import finder
from segmenter.retrieval.stores import Stamp, writing


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("faiss")
    with writing(tmp_path / "store", Stamp("faiss", "words", "1", DIMENSION)) as made:
        fill(made, "r1", "r2", folder=Path("out"))
    monkeypatch.setattr(finder, "tools_of", lambda _: word_tools())
    return tmp_path / "store"


def run(store: Path, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["search", *arguments, "--store", str(store)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def hits(store: Path, *arguments: str) -> list[dict[str, object]]:
    found = json.loads(run(store, *arguments, "--json"))["hits"]
    assert isinstance(found, list)
    return found


def test_machines_get_every_hit_with_its_lines(store: Path) -> None:
    found = hits(store, "new pump", "--budget", "8", "--recording", "r1")
    assert found[0]["recording"] == "r1"
    assert found[0]["link"] == f"out/report.html#t={found[0]['start']:g}"
    assert "pump" in str(found[0]["text"])


def test_people_get_a_panel_a_passage_and_what_it_costs(store: Path) -> None:
    shown = run(store, "car", "--budget", "6", "--recording", "Meeting r1")
    assert "Meeting r1  1:00-1:14" in shown
    assert "[2 people, 1 car, 14 s]" in shown
    assert "1 passage, 6 tokens" in shown


def test_the_best_moment_of_a_longer_passage_is_named(store: Path) -> None:
    [hit] = hits(store, "car", "--recording", "r1")
    assert (hit["start"], hit["best"], hit["chunk"]) == (0.0, 60.0, "r1-30000")
    assert "Meeting r1  0:00-1:14, best at 1:00" in run(store, "car", "--recording", "r1")


def test_each_turn_and_each_event_begins_with_its_time(store: Path) -> None:
    shown = run(store, "car", "--recording", "r1")
    assert "0:04  Ben: Its bearing must be replaced." in shown
    assert "1:00  [2 people, 1 car, 14 s]" in shown


@pytest.mark.parametrize("name", ["r2", "Meeting r2", "r2.mp4"])
def test_a_recording_has_several_names(store: Path, name: str) -> None:
    assert {hit["recording"] for hit in hits(store, "pump", "--recording", name)} == {"r2"}


def test_filters_are_taken_together(store: Path) -> None:
    found = hits(store, "pump", "--speaker", "Ben", "--after", "0:10", "--before", "20", "-k", "1")
    assert [hit["speakers"] for hit in found] == [["Ben"]]


def test_nothing_found_is_said(store: Path) -> None:
    assert "nothing found with these filters" in run(store, "pump", "--label", "dog")


@pytest.mark.parametrize("words", ["[red]x[/red]", "\x1b[2J", "'; DROP TABLE units; --"])
def test_hostile_words_are_only_words(store: Path, words: str) -> None:
    assert "\x1b[2J" not in run(store, words)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--recording", "r9"], "no recording 'r9'"), (["--kind", "chunk"], "nothing of kind 'chunk'")],
)
def test_what_is_not_there_is_named(store: Path, arguments: list[str], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        run(store, "pump", *arguments)


def test_no_store_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(NotAFile, match="segmenter index"):
        run(tmp_path / "nowhere", "pump")


def test_matches_are_bold_and_nothing_reaches_the_terminal() -> None:
    shown = marked("a \x1b[31mpump\n!", [(7, 11)])
    assert "\x1b" not in shown.plain
    assert [shown.plain[span.start : span.end] for span in shown.spans] == ["pump"]
