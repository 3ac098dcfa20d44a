"""What is installed: every room, the data beside the code, and only versions that are pinned."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
SCRIPTS = [REPOSITORY / "scripts" / name for name in ("setup", "run", "test")] + [REPOSITORY / ".ci" / "run"]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_room_is_packaged() -> None:
    rooms = {".".join(init.parent.relative_to(REPOSITORY).parts) for init in (REPOSITORY / "segmenter").rglob("__init__.py")}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == rooms | {"segmenter.models"}


def test_every_dependency_is_pinned() -> None:
    lines = (REPOSITORY / "scripts" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {normal(line.partition("==")[0]) for line in lines if "==" in line}
    extras = PROJECT["project"]["optional-dependencies"].values()
    wanted = [line for lines in (PROJECT["project"]["dependencies"], *extras) for line in lines]
    names = {normal(re.split(r"[^\w.-]", line)[0]) for line in wanted}
    assert names - {"segmenter"} <= pinned


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.name)
def test_scripts_are_executable_and_stop_at_the_first_error(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "\nset -euo pipefail\n" in text
    assert script.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(script)], check=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel, unpacked: what a user gets."""
    try:
        if int(version("setuptools").partition(".")[0]) < 77:
            pytest.skip("setuptools is older than building needs")
    except PackageNotFoundError:
        pytest.skip("setuptools is not installed")
    source, built, site = (tmp_path_factory.mktemp(name) for name in ("source", "built", "site"))
    for name in ("segmenter", "models"):
        shutil.copytree(REPOSITORY / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, source)
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(built),
        str(source),
    ]
    subprocess.run(build, check=True, capture_output=True)
    shutil.unpack_archive(next(built.glob("*.whl")), site, "zip")
    return site


def test_a_wheel_carries_the_catalogue(wheel: Path) -> None:
    code = "from segmenter.weights import catalogue as c; print(c.__file__, *c.known())"
    done = subprocess.run([sys.executable, "-c", code], cwd=wheel, capture_output=True, text=True, check=True)
    where, *names = done.stdout.split()
    assert Path(where).is_relative_to(wheel)
    assert "yolo26n" in names


def test_a_wheel_carries_all_data(wheel: Path) -> None:
    data = {p.name for p in (REPOSITORY / "models").iterdir() if p.suffix in (".toml", ".yaml", ".md")}
    assert data <= {p.name for p in (wheel / "segmenter" / "models").iterdir()}
    assert (wheel / "segmenter" / "py.typed").is_file()
    assets = {p.name for p in (REPOSITORY / "segmenter" / "report" / "assets").iterdir()}
    assert assets == {p.name for p in (wheel / "segmenter" / "report" / "assets").iterdir()}
    assert not (wheel / "models").exists()
