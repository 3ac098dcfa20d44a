"""What a run has seen is kept, so that other event settings cost no second look."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_run import make_video
from typer.testing import CliRunner, Result

from segmenter.cli.app import app


def run(place: Path, *words: str | Path, out: str, recording: str = "yard.mp4") -> Result:
    """Without sound and report."""
    given = [place / recording, "--no-speech", "--no-report", *words, "-o", place / out]
    return CliRunner().invoke(app, ["run", *map(str, given)])


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recording and, in `segments`, what a run made of it."""
    place = tmp_path_factory.mktemp("yard")
    make_video(place / "yard.mp4", 12, (4, 8))
    assert run(place, "--tracker", "motion", out="segments").exit_code == 0
    return place


KEPT = "segments/yard/sightings.jsonl.gz"


def result(folder: Path) -> dict[str, list[dict[str, object]]]:
    data: dict[str, list[dict[str, object]]] = json.loads((folder / "yard" / "segments.json").read_text("utf-8"))
    return data


def test_read_back_they_give_the_same_events_and_are_kept_again(yard: Path) -> None:
    done = run(yard, "--sightings", yard / KEPT, out="again")
    assert done.exit_code == 0, done.stderr
    first, again = result(yard / "segments"), result(yard / "again")
    assert first["events"]
    assert all(first[part] == again[part] for part in ("events", "chunks", "boundaries", "recording"))
    assert "nobody looked" in done.stderr
    assert (yard / "again" / "yard" / "sightings.jsonl.gz").read_bytes() == (yard / KEPT).read_bytes()


def test_a_changed_setting_changes_the_events_without_a_look(yard: Path) -> None:
    """No weights are needed either, though the settings name a tracker that has some."""
    (yard / "long.toml").write_text("[vision]\nmax_event_s = 2\nweights = 'none-of-that-name'\n", encoding="utf-8")
    done = run(yard, "--config", yard / "long.toml", "--sightings", yard / KEPT, out="cut")
    assert done.exit_code == 0, done.stderr
    events = result(yard / "cut")["events"]
    assert len(events) > 1
    assert [event["continues"] for event in events] == [None, *range(1, len(events))]


def test_those_of_another_recording_are_used_with_a_warning(yard: Path) -> None:
    make_video(yard / "street.mp4", 12, (2, 4))
    done = run(yard, "--sightings", yard / KEPT, out="street", recording="street.mp4")
    assert done.exit_code == 0
    assert "warning: the sightings were made from another file" in done.stderr


def test_broken_ones_are_an_error_and_leave_the_results_as_they_were(yard: Path) -> None:
    before = (yard / "segments" / "yard" / "segments.json").read_bytes()
    (yard / "broken.jsonl").write_text('{"sightings":1,"recording":"","tracker":"","rate_hz":5}\n[0]\n[0]\n', encoding="utf-8")
    done = run(yard, "--sightings", yard / "broken.jsonl", out="segments")
    assert done.exit_code == 1
    assert "broken.jsonl: line 3" in done.stderr
    assert (yard / "segments" / "yard" / "segments.json").read_bytes() == before


def test_one_file_of_sightings_belongs_to_one_recording(yard: Path) -> None:
    other = yard / "other.mp4"
    other.write_bytes((yard / "yard.mp4").read_bytes())
    assert run(yard, other, "--sightings", yard / KEPT, out="two").exit_code == 2


def test_who_does_not_want_them_has_none(yard: Path) -> None:
    run(yard, "--tracker", "motion", "--no-sightings", out="bare")
    assert {path.name for path in (yard / "bare" / "yard").iterdir()} >= {"segments.json"}
    assert not (yard / "bare" / "yard" / "sightings.jsonl.gz").exists()
    done = CliRunner().invoke(app, ["export", str(yard / "bare" / "yard"), "--format", "mot"])
    assert done.exit_code == 1
    assert "kept no sightings" in done.stderr


def test_exported_as_mot_text_and_read_back_the_events_are_the_same(yard: Path) -> None:
    done = CliRunner().invoke(app, ["export", str(yard / "segments" / "yard"), "--format", "mot,coco,events-csv"])
    assert done.exit_code == 0, done.stderr
    mot, coco, table = map(Path, done.stdout.splitlines())
    assert json.loads(coco.read_text("utf-8"))["annotations"]
    assert len(table.read_text("utf-8").splitlines()) == 1 + len(result(yard / "segments")["events"])
    run(yard, "--sightings", mot, out="mot")
    times = [[(event["start"], event["end"]) for event in result(yard / out)["events"]] for out in ("segments", "mot")]
    assert times[0] == times[1]
