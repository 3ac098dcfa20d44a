"""On what weights run: exported once, whole, and with the same detections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from street import located, photograph

from segmenter.errors import ModelMissing, PackageMissing, SettingsError
from segmenter.settings import VisionSettings
from segmenter.vision import engine
from segmenter.vision.detector import Detection, Detector

pytest.importorskip("ultralytics")
SETTINGS = VisionSettings(image_size_px=320)  # half the usual size: a bus this near is seen in small pictures too
BFLOAT16 = 0.1  # of confidence: OpenVINO computes in bfloat16 where the CPU can, with three significant digits


@pytest.fixture(scope="module")
def weights_path() -> Path:
    return located("yolo26n")


@pytest.fixture(scope="module")
def torch_engine(weights_path: Path) -> Detector:
    return Detector(weights_path, replace(SETTINGS, engine="torch"))


@pytest.fixture(scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache for this module's exports: one takes some seconds."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEGMENTER_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="module")
def openvino_engine(weights_path: Path, own_cache: Path) -> Detector:  # noqa: ARG001 - the cache is where it exports to
    pytest.importorskip("openvino")
    return Detector(weights_path, replace(SETTINGS, engine="openvino"))


def partner(detection: Detection, others: list[Detection], image: NDArray[np.uint8]) -> Detection | None:
    """What another engine sees there: the same label, and no edge a pixel away."""
    height, width = image.shape[:2]
    scale = np.array([width, height, width, height])
    near = [o for o in others if o.label == detection.label and np.abs((corners(o) - corners(detection)) * scale).max() < 1.0]
    return near[0] if near else None


def corners(detection: Detection) -> NDArray[np.float64]:
    box = detection.box
    return np.array([box.left, box.top, box.right, box.bottom])


@pytest.mark.parametrize("shape", [(540, 405), (240, 405), (540, 120)], ids=str)
def test_openvino_sees_what_torch_sees_to_the_pixel(
    torch_engine: Detector, openvino_engine: Detector, shape: tuple[int, int]
) -> None:
    """In upright, flat and narrow pictures: the export takes any shape."""
    image = photograph()[-shape[0] :, : shape[1]]
    ours, theirs = openvino_engine.detect(image), torch_engine.detect(image)
    for some, others in ((ours, theirs), (theirs, ours)):
        sure = [d for d in some if d.confidence >= 0.5]
        assert sure
        for detection in sure:
            same = partner(detection, others, image)
            assert same is not None
            assert same.confidence == pytest.approx(detection.confidence, abs=BFLOAT16)


def test_the_same_picture_gives_the_same_numbers_every_time(openvino_engine: Detector) -> None:
    assert openvino_engine.detect(photograph()) == openvino_engine.detect(photograph())


@pytest.mark.usefixtures("openvino_engine")
def test_weights_are_exported_once_and_nothing_is_left_lying(weights_path: Path, own_cache: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in own_cache.rglob("*")}
    folder, findings = engine.exported(weights_path, SETTINGS.image_size_px)
    assert {path: path.stat().st_mtime_ns for path in own_cache.rglob("*")} == before
    assert not findings
    assert {path.suffix for path in folder.iterdir()} == {".xml", ".bin", ".yaml"}
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert list(folder.parent.parent.iterdir()) == [folder.parent]


def test_auto_falls_back_to_torch_and_says_so(weights_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = replace(engine.ENGINES["openvino"], packages=("openvino_that_is_not_there",))
    monkeypatch.setitem(engine.ENGINES, "openvino", missing)
    path, findings = engine.best(weights_path, 320)
    assert path == weights_path
    assert [(f.code, f.level) for f in findings] == [("slow_engine", "note")]
    assert "segmenter[openvino]" in findings[0].message
    with pytest.raises(PackageMissing):
        engine.load(weights_path, replace(SETTINGS, engine="openvino"))


@pytest.mark.usefixtures("cache")
def test_weights_that_cannot_be_exported_are_told_with_their_own_name(tmp_path: Path) -> None:
    pytest.importorskip("openvino")
    damaged = tmp_path / "damaged.pt"
    damaged.write_bytes(b"not weights at all")
    with pytest.raises(ModelMissing, match=r"damaged\.pt: no export to OpenVINO.*take the engine torch") as told:
        engine.exported(damaged, 320)
    assert told.value.path == damaged
    assert engine.best(damaged, 320)[0] == damaged
    assert not [path for path in (tmp_path / "cache" / "engines").rglob("*") if path.is_file()]


def test_other_formats_keep_the_engine_they_were_made_for(tmp_path: Path) -> None:
    """They are opened as they are, under every setting."""
    for name in engine.ENGINES:
        with pytest.raises(ModelMissing, match="no such weights"):
            engine.load(tmp_path / "model.onnx", replace(SETTINGS, engine=name))


def test_an_unknown_engine_is_answered_with_the_known_ones(weights_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"'coreml'.*auto, torch, openvino"):
        engine.load(weights_path, replace(SETTINGS, engine="coreml"))
