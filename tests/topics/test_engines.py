"""Which engine runs the embedder, and that its vectors do not depend on it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from segmenter import weights
from segmenter.errors import ModelMissing, SettingsError
from segmenter.kit import Kit
from segmenter.settings import Settings
from segmenter.topics import engines

pytest.importorskip("openvino", reason="OpenVINO is not installed: pip install 'segmenter[openvino]'")
from segmenter.topics.openvino_embedder import OpenVinoEmbedder, exported

TEXTS = ["One.", "Quite another sentence, and a longer one.", "Ein Satz auf Deutsch.", "今天开会。", "The pump leaks. " * 200, ""]


@pytest.fixture(scope="module")
def folder() -> str:
    try:
        return weights.locate("all-MiniLM-L6-v2").path
    except ModelMissing as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory, folder: str) -> Path:
    """A cache with nothing but the exported model in it."""
    place = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEGMENTER_CACHE", str(place))
        exported(folder)
    return place


def test_both_engines_give_the_same_vectors(folder: str, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGMENTER_CACHE", str(own_cache))
    by_torch, by_openvino = (engines.local(folder, engine).embed(TEXTS) for engine in ("torch", "openvino"))
    assert by_openvino.dtype == np.float32
    assert by_openvino == pytest.approx(by_torch, abs=1e-4)
    assert OpenVinoEmbedder(folder).embed([]).shape == (0, 384)


def test_it_is_exported_once_and_nothing_is_left_beside_it(folder: str, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGMENTER_CACHE", str(own_cache))
    before = {path: path.stat().st_mtime_ns for path in own_cache.rglob("*")}
    assert exported(folder).is_file()
    assert {path: path.stat().st_mtime_ns for path in own_cache.rglob("*")} == before
    assert {path.name for path in own_cache.rglob("*") if path.is_file()} == {"model.xml", "model.bin"}


def test_once_exported_torch_is_not_imported(folder: str, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGMENTER_CACHE", str(own_cache))
    program = (
        "import sys; from segmenter.topics.engines import local;"
        f"local({folder!r}, 'openvino').embed(['One.']); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("platform", "driver", "installed", "engine"),
    [
        ("linux", None, True, "openvino"),
        ("linux", "cuda", True, "torch"),
        ("linux", None, False, "torch"),
        ("darwin", None, True, "torch"),
    ],
)
def test_openvino_is_taken_where_there_is_nothing_faster(
    monkeypatch: pytest.MonkeyPatch, platform: str, driver: str | None, installed: bool, engine: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(engines, "find_library", lambda name: name if name == driver else None)
    monkeypatch.setattr(engines, "find_spec", lambda _name: object() if installed else None)
    assert engines.fastest() == engine


def test_where_nothing_can_be_kept_torch_embeds(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SEGMENTER_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(engines, "fastest", lambda: "openvino")
    assert engines.local(folder).embed(["One."]).shape == (1, 384)
    with pytest.raises(OSError, match="file"):
        engines.local(folder, "openvino")


def test_an_unknown_engine_is_refused(folder: str) -> None:
    with pytest.raises(SettingsError, match="engine"):
        engines.local(folder, "abacus")


def test_a_wrong_engine_is_told_before_any_work() -> None:
    with pytest.raises(SettingsError, match="embedding engine"):
        Kit(Settings().changed("topics", engine="abacus"))
