"""The catalogue that is shipped: complete, safe, and in agreement with what the libraries themselves say."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from segmenter.errors import SettingsError
from segmenter.weights import catalogue
from segmenter.weights.catalogue import Converted, PyPI, Web

MODELS = tuple(catalogue.known().values())


def test_the_models_that_the_program_promises_are_known() -> None:
    promised = {f"{backend}/{size}" for backend in ("faster-whisper", "openai-whisper") for size in ("tiny.en", "base")}
    assert promised | {"all-MiniLM-L6-v2", "yolo26n", "yolo11n"} <= set(catalogue.known())


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_every_file_has_a_hash_and_stays_in_its_folder(model: catalogue.Model) -> None:
    for file, sha in model.sha256.items():
        assert re.fullmatch(r"[0-9a-f]{64}", sha)
        assert not Path(file).is_absolute()
        assert ".." not in Path(file).parts


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_sources_are_pinned(model: catalogue.Model) -> None:
    for source in model.source:
        match source:
            case Web():
                assert source.url.startswith("https://")
                assert "{file}" in source.url
                assert "/main/{" not in source.url
            case PyPI():
                assert all(re.fullmatch(r"[\w.-]+==[\w.]+", package) for package in source.packages)
            case Converted():
                assert source.model in catalogue.known()


def test_names_are_unique() -> None:
    names = [name for model in MODELS for name in (model.name, *model.also)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("size", ["tiny.en", "base"])
def test_openai_hashes_are_those_that_the_package_whisper_asks_for(size: str) -> None:
    spec = find_spec("whisper")
    if spec is None or spec.origin is None:
        pytest.skip("openai-whisper is not installed")
    model = catalogue.find(f"openai-whisper/{size}")
    assert model.sha256[model.main] in Path(spec.origin).read_text(encoding="utf-8")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"yolo26n.*yolo11n"):
        catalogue.find("yolo99")
