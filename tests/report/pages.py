"""A browser that is on this machine, and results to look at."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from recorded import of_film

from segmenter.formats import folder
from segmenter.records import Segmentation
from segmenter.report import files

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="module")  # a process may run but one at a time
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


Open = Callable[..., "Page"]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens a run's report; whatever the page complains about or fetches from elsewhere fails the test."""
    complaints: list[str] = []
    contexts = []

    def opened(run: Path, link: str = "", **options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda asked: complaints.append(asked.url) if not asked.url.startswith(("file:", "data:")) else None)
        page.goto((run / "report.html").as_uri() + link)
        page.wait_for_selector("#list .card")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [c for c in complaints if "ERR_FILE_NOT_FOUND" not in c] == []


def until(page: Page, expression: str) -> None:
    """Waits for it to be true; Playwright's own waiting needs eval, which the page's policy forbids."""
    for _ in range(600):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {expression}")


def ready(page: Page) -> Page:
    """The recording has been found and can be played."""
    until(page, "document.querySelector('video, audio').readyState >= 2")
    return page
