"""What many tests need: where the shared recordings with known truth lie."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import hypothesis
import pytest
from homemade import cache as cache
from homemade import site as site
from openai_server import server as server

hypothesis.settings.register_profile("untimed", deadline=None)  # a busy machine is no failure
hypothesis.settings.load_profile("untimed")

REPOSITORY = Path(__file__).resolve().parent.parent


def shared_folder() -> Path | None:
    """The folder of recordings with known truth, from SEGMENTER_SHARED or beside the repository; a stranger's clone has none."""
    folder = Path(os.environ.get("SEGMENTER_SHARED", REPOSITORY.parent / "shared"))
    return folder if (folder / "data").is_dir() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The `data` folder with recordings of known truth; the test is skipped where it is absent."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("the recordings with known truth are not here: set SEGMENTER_SHARED to their folder")
    return folder / "data"


def hostile_folder() -> Path | None:
    """The damaged, odd and malicious inputs among the shared data, or None."""
    folder = shared_folder()
    return folder / "data" / "hostile" if folder and (folder / "data" / "hostile").is_dir() else None


@pytest.fixture(scope="session")
def maker(shared: Path) -> ModuleType:
    """The module that makes hostile inputs which are not stored, and watches what is opened."""
    spec = importlib.util.spec_from_file_location("make_hostile", shared / "hostile" / "make_hostile.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
