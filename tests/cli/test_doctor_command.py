"""`segmenter doctor`: it tells the truth, quickly, and names what mends."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from segmenter.cli import doctor
from segmenter.cli.app import app
from segmenter.cli.models import default_models
from segmenter.weights import catalogue


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "250")


@pytest.fixture
def mine(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the user's with a file for every default model."""
    assert not cache.exists()
    for model in map(catalogue.find, default_models()):
        file = tmp_path / "mine" / model.name / model.main
        file.parent.mkdir(parents=True)
        file.write_bytes(b"")
    monkeypatch.setenv("SEGMENTER_MODELS", str(tmp_path / "mine"))
    return tmp_path / "mine"


def _without(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    def missing(name: str) -> str:
        if name == package:
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(doctor, "version", missing)


@pytest.mark.usefixtures("mine")
def test_the_main_job_can_run_with_all_weights() -> None:
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == "The main job can run."


@pytest.mark.usefixtures("cache")
def test_missing_weights_stop_the_main_job_and_name_the_command() -> None:
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 3
    for name in default_models():
        assert f"segmenter models fetch {name}" in done.stdout


def test_without_yolo_the_main_job_runs_on_movement(mine: Path) -> None:
    (mine / "yolo26n" / "yolo26n.pt").unlink()
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == "The main job can run with --tracker motion."


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(("package", "extra", "code"), [("faster-whisper", "speech", 3), ("ultralytics", "vision", 0)])
def test_a_missing_package_names_its_extra(monkeypatch: pytest.MonkeyPatch, package: str, extra: str, code: int) -> None:
    _without(monkeypatch, package)
    done = CliRunner().invoke(app, ["doctor"])
    assert f"{package} is missing" in done.stdout
    assert f"pip install 'segmenter[{extra}]'" in done.stdout
    assert done.exit_code == code


def test_versions_are_those_that_are_installed() -> None:
    states = {line.subject: line.state for line in doctor.packages()}
    assert f"av {version('av')}" in states["packages"]
    assert "pytest" not in " ".join(states.values())


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("SEGMENTER_CACHE", str(tmp_path / "file"))
    assert "SEGMENTER_CACHE" in doctor.cache().mend


def test_a_missing_decoder_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "DECODERS", ("h264", "no-such-codec"))
    assert doctor.decoders().state == "h264; missing: no-such-codec"


def test_torch_is_not_loaded_to_be_told() -> None:
    code = "import sys; from segmenter.cli.doctor import *; [*packages(), device(), decoders()]; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.usefixtures("cache")
def test_a_folder_of_the_users_that_is_not_there_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGMENTER_MODELS", str(tmp_path / "gone"))
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 3
    (row,) = (line for line in done.stdout.splitlines() if line.startswith("SEGMENTER_MODELS"))
    assert "gone: no such folder" in row
    assert "unset it to use the cache" in row
