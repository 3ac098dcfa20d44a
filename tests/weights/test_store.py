"""Finding weights: which place wins, and that wrong ones are never handed out."""

from __future__ import annotations

from pathlib import Path

import pytest
from homemade import CONTENT, model_toml, sha256, use_catalogue, web

from segmenter import weights
from segmenter.errors import ModelMissing, SettingsError
from segmenter.weights import store
from segmenter.weights.store import Origin

NOWHERE = web("http://127.0.0.1:9")
FILE = model_toml("yolo26n", {"yolo26n.pt": sha256(CONTENT)}, NOWHERE, ("yolo26n.pt",))
FOLDER = model_toml("fast/base", {"model.bin": sha256(CONTENT), "config.json": sha256(b"{}")}, NOWHERE, ("fast-base",))
CONVERTIBLE = model_toml("slow/base", {"base.pt": sha256(CONTENT)}, '[[model.source]]\nkind = "converted"\nmodel = "fast/base"')


pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    use_catalogue(monkeypatch, FILE + FOLDER + CONVERTIBLE)


def put(path: Path, content: bytes = CONTENT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_a_single_file_is_handed_out_as_the_file(cache: Path) -> None:
    file = put(cache / "yolo26n" / "yolo26n.pt")
    found = weights.locate("yolo26n")
    assert (found.name, found.path, found.sha256) == ("yolo26n", str(file), sha256(CONTENT))


def test_several_files_are_handed_out_as_their_folder(cache: Path) -> None:
    put(cache / "fast" / "base" / "model.bin")
    assert weights.locate("fast/base").path == str(cache / "fast" / "base")


def test_a_short_name_belongs_to_its_family(cache: Path) -> None:
    put(cache / "fast" / "base" / "model.bin")
    assert weights.locate("base", "fast").path == weights.locate("fast/base", "fast").path == weights.locate("fast/base").path


def test_missing_yolo_weights_name_both_ways_out() -> None:
    with pytest.raises(ModelMissing, match=r"segmenter models fetch yolo26n, or use --tracker motion"):
        weights.locate("yolo26n")


def test_other_missing_weights_name_the_command_alone() -> None:
    with pytest.raises(ModelMissing) as caught:
        weights.locate("fast/base")
    assert caught.value.hint == "segmenter models fetch fast/base"


def test_a_changed_file_is_refused_with_both_hashes(cache: Path) -> None:
    file = put(cache / "yolo26n" / "yolo26n.pt", CONTENT[:-1] + b"X")
    with pytest.raises(ModelMissing) as caught:
        weights.locate("yolo26n")
    message = str(caught.value)
    assert str(file) in message
    assert sha256(CONTENT) in message
    assert sha256(CONTENT[:-1] + b"X") in message
    assert "segmenter models fetch yolo26n" in message


def test_a_path_wins_over_a_name(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(cache / "yolo26n" / "yolo26n.pt")
    put(tmp_path / "here" / "yolo26n.pt", b"mine")
    monkeypatch.chdir(tmp_path / "here")
    found = weights.locate("yolo26n.pt")
    assert (found.path, found.sha256, found.source) == ("yolo26n.pt", sha256(b"mine"), "path")


def test_a_folder_without_weights_is_no_path(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(cache / "yolo26n" / "yolo26n.pt")
    put(tmp_path / "here" / "yolo26n" / "notes.txt")
    monkeypatch.chdir(tmp_path / "here")
    assert weights.locate("yolo26n").path == str(cache / "yolo26n" / "yolo26n.pt")


def test_a_folder_is_known_by_its_largest_weights(tmp_path: Path) -> None:
    put(tmp_path / "export" / "net.xml", b"x" * 100)
    put(tmp_path / "export" / "net.bin", b"weights")
    assert weights.locate(str(tmp_path / "export")).sha256 == sha256(b"weights")


@pytest.mark.parametrize("place", ["yolo26n.pt", "yolo26n/yolo26n.pt"])
def test_the_users_folder_wins_over_the_cache_and_is_trusted(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    put(cache / "yolo26n" / "yolo26n.pt")
    mine = put(tmp_path / "mine" / place, b"retrained")
    monkeypatch.setenv("SEGMENTER_MODELS", str(tmp_path / "mine"))
    found = weights.locate("yolo26n")
    assert (found.path, found.sha256, found.source) == (str(mine), sha256(b"retrained"), "SEGMENTER_MODELS")


@pytest.mark.parametrize("place", ["fast/base", "fast-base"])
def test_a_folder_of_the_user_is_found_under_its_usual_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    put(tmp_path / "mine" / place / "model.bin")
    monkeypatch.setenv("SEGMENTER_MODELS", str(tmp_path / "mine"))
    assert weights.locate("fast/base").path == str(tmp_path / "mine" / place)


def test_what_the_users_folder_lacks_comes_from_the_cache(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = put(cache / "yolo26n" / "yolo26n.pt")
    monkeypatch.setenv("SEGMENTER_MODELS", str(tmp_path))
    assert weights.locate("yolo26n").path == str(file)


def test_a_users_folder_that_is_not_there_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGMENTER_MODELS", str(tmp_path / "mistyped"))
    with pytest.raises(SettingsError, match="mistyped"):
        weights.locate("yolo26n")


def test_a_path_that_is_not_there_is_an_error() -> None:
    with pytest.raises(SettingsError, match=r"nowhere/net\.pt"):
        weights.locate("nowhere/net.pt")


def test_converted_weights_have_the_hash_that_was_recorded_when_they_were_made(cache: Path) -> None:
    file = put(cache / "slow" / "base" / "base.pt", b"converted")
    Origin("converted from fast/base", {"base.pt": sha256(b"converted")}).write(file.parent)
    assert weights.locate("slow/base").sha256 == sha256(b"converted")
    put(file, b"changed since")
    with pytest.raises(ModelMissing, match=sha256(b"converted")):
        weights.locate("slow/base")


def test_no_record_makes_downloaded_weights_right(cache: Path) -> None:
    """Only a model that may be converted has hashes beside the catalogue's."""
    file = put(cache / "yolo26n" / "yolo26n.pt", b"forged")
    Origin("anywhere", {"yolo26n.pt": sha256(b"forged")}).write(file.parent)
    with pytest.raises(ModelMissing, match=sha256(CONTENT)):
        weights.locate("yolo26n")


def test_a_damaged_record_is_survived(cache: Path) -> None:
    file = put(cache / "yolo26n" / "yolo26n.pt")
    (file.parent / store.ORIGIN).write_text("{", encoding="utf-8")
    assert weights.locate("yolo26n").source == "cache"


def test_an_installed_package_that_carries_the_files_comes_before_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "carrier" / "__init__.py", b"")
    file = put(tmp_path / "carrier" / "data" / "model.bin")
    monkeypatch.syspath_prepend(tmp_path)
    toml = model_toml("carried", {"model.bin": sha256(CONTENT)}, NOWHERE)
    use_catalogue(monkeypatch, toml.replace("[model.sha256]", 'package = "carrier/data"\n[model.sha256]'))
    found = weights.locate("carried")
    assert (found.path, found.source) == (str(file), "package")
    file.write_bytes(b"damaged")
    with pytest.raises(ModelMissing, match="SHA-256"):
        weights.locate("carried")
