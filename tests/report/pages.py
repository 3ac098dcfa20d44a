"""A browser that is on this machine, and results to look at."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from recorded import of_film

from segmenter.formats import folder
from segmenter.records import Segmentation
from segmenter.report import files

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium or Chrome here (on Debian: apt install chromium)")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=list(_ARGUMENTS))
        yield running
        running.close()


@pytest.fixture(scope="session")
def film_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Segmentation, Path]:
    """The small film's result and the folder that it was written to, with its report."""
    place = tmp_path_factory.mktemp("film")
    result = of_film(place)
    return result, folder.write(result, place / "out", files.writers())
