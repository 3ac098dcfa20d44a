"""The report beside the other files of a run: whole or not at all, and made again for finished runs."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from pages import film_run as film_run
from recorded import SAID, film, found, of_film
from typer.testing import CliRunner

from segmenter import Segmentation
from segmenter.cli.app import app
from segmenter.errors import SegmenterError
from segmenter.formats import folder, stills_json
from segmenter.records import Recording
from segmenter.report import files, page, waveform
from segmenter.report.data import sources
from segmenter.report.shots import shots

Run = tuple[Segmentation, Path]


def data_of(run: Path) -> dict[str, object]:
    text = (run / "report.html").read_text(encoding="utf-8")
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert match
    made = json.loads(match[1])
    assert isinstance(made, dict)
    return made


class TestWaveform:
    def test_it_is_loud_where_the_tone_sounds(self, film_run: Run) -> None:
        peaks = waveform.peaks(film_run[0].recording).astype(float)
        assert len(peaks) == pytest.approx(film_run[0].recording.duration * 20, abs=1)
        half = len(peaks) // 2
        assert peaks[2 : half - 2].min() > 100
        assert peaks[half + 3 :].max() < 20

    def test_ten_hours_are_bounded(self, film_run: Run) -> None:
        long = replace(film_run[0].recording, duration=36_000.0)
        assert len(waveform.peaks(long)) == 60_000

    def test_none_without_the_file_or_without_sound(self, film_run: Run) -> None:
        recording = film_run[0].recording
        assert len(waveform.peaks(replace(recording, path="/nowhere/film.mp4"))) == 0
        assert len(waveform.peaks(replace(recording, audio=()))) == 0


class TestPage:
    def test_it_loads_nothing_and_runs_only_its_own_script(self, film_run: Run) -> None:
        text = (film_run[1] / "report.html").read_text(encoding="utf-8")
        assert not re.findall(r"(?:src|href)=[\"']?(?:https?:)?//", text)
        assert not re.findall(r"\son[a-z]+=|\sstyle=|javascript:|@import|url\(", text.split('id="data"')[0])
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
        assert policy
        assert policy[1].startswith("default-src &#39;none&#39;; script-src &#39;sha256-")
        assert "unsafe" not in policy[1]

    def test_markup_of_a_recording_stays_text(self, film_run: Run) -> None:
        evil = "</script><script>alert(1)</script>"
        said = [replace(SAID[0], text=evil, speaker=evil), *SAID[1:]]
        recording = replace(film_run[0].recording, title=evil)
        text = page.render(found(recording, said), {"all": evil})
        assert evil not in text
        assert text.count("</script>") == 2

    def test_stills_are_inside_until_they_are_too_many(
        self, film_run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        result, run = film_run
        assert str(data_of(run)["chunks"]).count("data:image/jpeg;base64,") == len(result.chunks)
        monkeypatch.setattr(page, "_EMBEDDED_BYTES", 1000)
        many = folder.write(result, tmp_path, files.writers())
        assert str(data_of(many)["chunks"]).count("'stills/chunk-") == len(result.chunks)

    def test_the_same_input_gives_the_same_page(self, film_run: Run) -> None:
        result, run = film_run
        again = folder.write(result, run.parent.parent / "again", files.writers())
        assert (again / "report.html").read_bytes() == (run / "report.html").read_bytes()

    def test_where_the_recording_is_looked_for(self) -> None:
        assert sources("/r/my film.mp4", Path("/r/out/film")) == ["../../my%20film.mp4", "my%20film.mp4"]
        assert sources("/r/a#b?.mp4", Path("/r")) == ["a%23b%3F.mp4"]
        assert sources("/r/caf\udce9.wav", Path("/r")) == ["caf%E9.wav"]

    def test_a_transcript_alone_has_a_page_too(self, tmp_path: Path) -> None:
        alone = found(Recording("/r/said.srt", "0" * 16, 20.0, "counted"), events=())
        run = folder.write(alone, tmp_path, files.writers())
        assert data_of(run)["media"] == {"kind": "", "sources": [os.path.relpath("/r/said.srt", run), "said.srt"]}
        assert [path.name for path in (run / "stills").iterdir()] == ["stills.json"]


class TestFolder:
    def test_what_fails_midway_leaves_the_earlier_report(self, tmp_path: Path) -> None:
        result = of_film(tmp_path)
        run = folder.write(result, tmp_path / "out", files.writers())
        before = (run / "report.html").read_bytes()

        def full(_: Segmentation, path: Path) -> None:
            path.write_text("half")
            raise OSError(28, "No space left on device")

        with pytest.raises(SegmenterError, match="No space left on device"):
            folder.write(result, tmp_path / "out", {**files.writers(), "report.html": full})
        with pytest.raises(SegmenterError, match="No space left on device"):
            folder.add(result, run, {"report.html": full})
        assert (run / "report.html").read_bytes() == before
        assert [p.name for p in (tmp_path / "out").iterdir()] == ["film"]

    def test_a_run_without_a_report_leaves_no_old_one(self, tmp_path: Path) -> None:
        result = of_film(tmp_path)
        run = folder.write(result, tmp_path / "out", files.writers())
        folder.write(result, tmp_path / "out")
        assert {p.name for p in run.iterdir()} == set(folder.WRITERS)


class TestCommand:
    def test_report_makes_the_page_of_a_finished_run_again(self, tmp_path: Path) -> None:
        result = of_film(tmp_path)
        run = folder.write(result, tmp_path / "out")
        (run / "notes.txt").write_text("mine")
        done = CliRunner().invoke(app, ["report", str(run)])
        assert (done.exit_code, done.stdout) == (0, f"{run / 'report.html'}\n")
        assert set(stills_json.read(run / "stills")) == {shot.name for shot in shots(result)}
        assert (run / "contact.jpg").is_file()
        assert (run / "notes.txt").read_text() == "mine"

    def test_where_the_recording_is_gone_its_stills_stay(self, tmp_path: Path) -> None:
        result = of_film(tmp_path)
        run = folder.write(result, tmp_path / "out", files.writers())
        Path(result.recording.path).unlink()
        done = CliRunner().invoke(app, ["report", str(run)])
        assert done.exit_code == 0
        assert "is gone" in done.stderr
        assert str(data_of(run)["chunks"]).count("data:image/jpeg;base64,") == len(result.chunks)

    def test_a_damaged_recording_gives_a_page_without_pictures(self, tmp_path: Path) -> None:
        result = of_film(tmp_path)
        Path(result.recording.path).write_bytes(b"not a film" * 1000)
        run = folder.write(result, tmp_path / "out", files.writers())
        assert [path.name for path in (run / "stills").iterdir()] == ["stills.json"]
        assert data_of(run)["waveform"] == ""

    def test_one_wrong_folder_does_not_stop_the_others(self, tmp_path: Path) -> None:
        run = folder.write(of_film(tmp_path), tmp_path / "out")
        done = CliRunner().invoke(app, ["report", str(tmp_path / "nowhere"), str(run)])
        assert done.exit_code == 1
        assert "no folder of a run" in done.stderr
        assert (run / "report.html").is_file()

    def test_run_writes_a_report_unless_told_not_to(self, tmp_path: Path) -> None:
        recording = str(film(tmp_path / "film.mp4"))
        for more, expected in (([], True), (["--no-report"], False)):
            command = ["run", recording, "--no-speech", "--tracker", "motion", "-o", str(tmp_path / "out"), *more]
            assert CliRunner().invoke(app, command).exit_code == 0
            assert (tmp_path / "out" / "film" / "report.html").exists() == expected
            assert (tmp_path / "out" / "film" / "stills").exists() == expected
