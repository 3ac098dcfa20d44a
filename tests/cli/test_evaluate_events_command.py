"""`segmenter evaluate events`: the figures of real runs, as a table and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_run import make_video
from typer.testing import CliRunner, Result

from segmenter.cli.app import app
from segmenter.errors import SegmenterError

MOTION = ("--tracker", "motion")


def evaluate(place: Path, truth: str, *words: str | Path) -> Result:
    return CliRunner().invoke(app, ["evaluate", "events", str(place / truth), *map(str, words)])


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two recordings, one that is missing, what is true of them, and in `out` what a run has found."""
    place = tmp_path_factory.mktemp("corpus")
    make_video(place / "yard.mp4", 10, (4, 7))
    make_video(place / "wall.mp4", 6, (8, 9))
    truth = {
        "yard.mp4": {"duration": 10.0, "events": [{"start": 4.0, "end": 7.0, "labels": ["car"]}]},
        "wall.mp4": {"duration": 6.0, "events": []},
        "gone.mp4": {"duration": 6.0, "events": [{"start": 1.0, "end": 2.0}]},
    }
    (place / "events.json").write_text(json.dumps(truth), encoding="utf-8")
    (place / "yard.json").write_text(json.dumps({"file": "yard.mp4", **truth["yard.mp4"]}), encoding="utf-8")
    recordings = [str(place / name) for name in ("yard.mp4", "wall.mp4")]
    CliRunner().invoke(app, ["run", *recordings, "--no-speech", "--no-report", *MOTION, "-o", str(place / "out")])
    return place


def test_a_recording_that_fails_does_not_stop_the_others(corpus: Path) -> None:
    done = evaluate(corpus, "events.json", *MOTION, "--json")
    assert done.exit_code == 1
    data = json.loads(done.stdout)
    yard, wall, gone = (data["recordings"][f"{name}.mp4"] for name in ("yard", "wall", "gone"))
    assert (yard["f1_50"], yard["found"], yard["true"], yard["missed_s"] < 1) == (1.0, 1, 1, True)
    assert yard["edge_worst"] <= 0.5
    assert (wall["f1_50"], wall["edge_median"]) == (1.0, None)
    assert "no such file" in gone["error"]
    assert (data["overall"]["f1_50"], data["overall"]["recordings"]) == (1.0, 2)


def test_the_table_has_a_row_a_recording_and_one_for_all(corpus: Path) -> None:
    done = evaluate(corpus, "events.json", "--found", corpus / "out", "--recording", "yard", "--recording", "wall.mp4")
    assert done.exit_code == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[-3:]] == ["yard.mp4", "wall.mp4", "all"]


def test_results_that_are_there_are_not_made_again(corpus: Path) -> None:
    looked = evaluate(corpus, "yard.json", *MOTION, "--json")
    read = evaluate(corpus, "yard.json", "--found", corpus / "out", "--json")
    figures = [json.loads(done.stdout)["overall"] for done in (looked, read)]
    assert figures[0] == pytest.approx(figures[1], abs=0.001)


def test_tracks_are_measured_against_true_ones(corpus: Path) -> None:
    """The tracks of a run are its own truth."""
    pytest.importorskip("motmetrics")
    CliRunner().invoke(app, ["export", str(corpus / "out" / "yard"), "--format", "mot"])
    (corpus / "mot").mkdir()
    (corpus / "out" / "yard" / "sightings.mot.txt").rename(corpus / "mot" / "yard.txt")
    done = evaluate(corpus, "yard.json", "--found", corpus / "out", "--mot", corpus / "mot", "--json")
    data = json.loads(done.stdout)
    for row in (data["recordings"]["yard.mp4"]["tracks"], data["overall"]["tracks"]):
        assert (row["mota"], row["idf1"], row["switches"]) == (1.0, 1.0, 0)
        assert row["motp"] == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["events.json", "--recording", "street"], "no recording 'street'"),
        (["events.json", "--overlap", "half"], "no shares"),
        (["events.json", "--overlap", "1.5"], "no shares"),
        (["events.json", "--found", "mo"], "no folder of a run"),
        (["yard.mp4"], "no file of true events"),
        (["nowhere.json"], "no such file"),
    ],
)
def test_wrong_use_is_told(corpus: Path, words: list[str], what: str) -> None:
    done = evaluate(corpus, *words)
    assert isinstance(done.exception, SegmenterError)
    assert what in str(done.exception)
