"""`segmenter models`: what it prints and how it ends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from homemade import CONTENT, Site, model_toml, sha256, use_catalogue, web
from typer.testing import CliRunner

from segmenter.cli.app import app
from segmenter.cli.models import default_models
from segmenter.weights import catalogue

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def net(cache: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalogue with one model that can be fetched and one that cannot; where the former will lie."""
    (site.folder / "net.pt").write_bytes(CONTENT)
    hashes = {"net.pt": sha256(CONTENT)}
    use_catalogue(
        monkeypatch, model_toml("net", hashes, web(site.address)) + model_toml("gone", hashes, web(f"{site.address}/gone"))
    )
    monkeypatch.setenv("COLUMNS", "120")
    return cache / "net" / "net.pt"


def row(output: str, name: str) -> str:
    return next(line for line in output.splitlines() if line.startswith(name))


def test_list_tells_what_is_here_and_what_is_missing(net: Path) -> None:
    assert CliRunner().invoke(app, ["models", "fetch", "net"]).exit_code == 0
    done = CliRunner().invoke(app, ["models", "list"])
    assert done.exit_code == 0
    assert re.fullmatch(r"net +a test +2 MB +MIT +cache *", row(done.stdout, "net"))
    assert row(done.stdout, "gone").split()[-1] == "missing"
    assert str(net.parents[1]) in done.stdout


def test_list_shows_damage(net: Path) -> None:
    CliRunner().invoke(app, ["models", "fetch", "net"])
    net.write_bytes(b"rust")
    assert "SHA-256" in row(CliRunner().invoke(app, ["models", "list"]).stdout, "net")


def test_fetch_goes_on_after_a_failure_and_says_so(net: Path) -> None:
    done = CliRunner().invoke(app, ["models", "fetch", "gone", "net"])
    assert done.exit_code == 3
    assert net.is_file()
    assert "gone could not be fetched" in done.stderr
    assert done.stdout == ""


@pytest.mark.usefixtures("net")
def test_fetch_all_means_the_whole_catalogue(site: Site) -> None:
    assert CliRunner().invoke(app, ["models", "fetch", "--all"]).exit_code == 3
    assert site.seen == ["/net.pt", "/gone/net.pt"]


@pytest.mark.usefixtures("net")
def test_verify_is_content_with_what_is_right_or_missing() -> None:
    CliRunner().invoke(app, ["models", "fetch", "net"])
    done = CliRunner().invoke(app, ["models", "verify"])
    assert done.exit_code == 0
    assert f"net: right: SHA-256 {sha256(CONTENT)}" in done.stdout
    assert "gone: missing" in done.stdout


def test_verify_finds_a_damaged_file(net: Path) -> None:
    CliRunner().invoke(app, ["models", "fetch", "net"])
    net.write_bytes(b"rust")
    done = CliRunner().invoke(app, ["models", "verify"])
    assert done.exit_code == 3
    assert sha256(b"rust") in done.stdout
    assert sha256(CONTENT) in done.stdout


def test_the_defaults_are_in_the_catalogue() -> None:
    assert {catalogue.find(name).name for name in default_models()} == set(default_models())


def test_the_script_fetches_the_defaults() -> None:
    script = (REPOSITORY / "scripts" / "run").read_text(encoding="utf-8")
    assert re.findall(r"models fetch ([^;\n]+)", script) == [" ".join(default_models()[:2]), default_models()[2]]
