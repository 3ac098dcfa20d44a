"""The page in a real browser: what a reader does with it, and that it never runs what a recording says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pages import Open, ready, until
from pages import browser as browser
from pages import film_run as film_run
from pages import open_page as open_page
from recorded import SAID, found, long_talk, of_film

from segmenter import Segmentation
from segmenter.formats import folder
from segmenter.records import Finding, Sentence
from segmenter.report import files

if TYPE_CHECKING:
    from playwright.sync_api import Page

REPOSITORY = Path(__file__).resolve().parents[2]
SERIOUS = ("serious", "critical")

Run = tuple[Segmentation, Path]


def now(page: Page) -> float:
    return float(page.locator("#lanes").get_attribute("aria-valuenow") or "nan")


def click_timeline(page: Page, time: float, duration: float) -> None:
    box = page.locator("#lanes").bounding_box()
    assert box
    page.mouse.click(box["x"] + 78 + (box["width"] - 86) * time / duration, box["y"] + 40)


# --- playing and moving about ------------------------------------------------------------------------------------


class TestFollowing:
    def test_it_plays_and_the_current_chunk_and_sentence_follow(self, film_run: Run, open_page: Open) -> None:
        page = ready(open_page(film_run[1], "#t=3"))
        page.click("#play")
        until(page, "document.getElementById('now-sentence').textContent.startsWith('A new rubber seal')")
        assert now(page) > 3.9
        assert page.locator("#play").get_attribute("aria-label") == "Pause"
        page.keyboard.press("Space")  # on the button itself: pressed, and no more
        until(page, "document.querySelector('video').paused")

    def test_a_click_on_the_timeline_seeks_there(self, film_run: Run, open_page: Open) -> None:
        result, run = film_run
        page = ready(open_page(run))
        for chunk in result.chunks:
            middle = (chunk.start + chunk.end) / 2
            click_timeline(page, middle, result.recording.duration)
            until(page, f"document.querySelector('h2').textContent === {json.dumps(chunk.title)}")
            assert now(page) == pytest.approx(middle, abs=0.1)
            assert page.evaluate("document.querySelector('video').currentTime") == pytest.approx(middle, abs=0.1)
            assert page.locator(".card[aria-current] .title").inner_text() == chunk.title

    def test_a_title_and_a_sentence_in_the_list_seek(self, film_run: Run, open_page: Open) -> None:
        result, run = film_run
        page = ready(open_page(run))
        page.click(f"button.title >> text={result.chunks[-2].title}")
        assert now(page) == pytest.approx(result.chunks[-2].start, abs=0.05)
        page.click("button.title >> nth=0")
        page.click("a.said >> nth=0")
        assert now(page) == pytest.approx(SAID[0].start, abs=0.05)

    def test_a_link_opens_at_its_time(self, film_run: Run, open_page: Open) -> None:
        for link in ("#t=11.5", "#t=0:11.5", "#t=11.5,14", "#t=npt:11.5"):
            page = ready(open_page(film_run[1], link))
            assert now(page) == pytest.approx(11.5, abs=0.05)
            assert "summer picnic" in page.inner_text("#now-sentence")

    def test_hovering_a_boundary_says_why_it_is_there(self, film_run: Run, open_page: Open) -> None:
        result, run = film_run
        page = open_page(run)
        moved = next(b for b in result.boundaries if b.moved_from is not None)
        box = page.locator("#lanes").bounding_box()
        assert box
        page.mouse.move(box["x"] + 78 + (box["width"] - 86) * moved.time / result.recording.duration, box["y"] + 120)
        tip = page.inner_text("#tip")
        assert "comes into view" in tip
        assert f"strength {moved.strength:.2f}" in tip
        assert f"from 0:{moved.moved_from:04.1f}" in tip

    def test_without_the_recording_all_but_playing_works(self, open_page: Open, tmp_path: Path) -> None:
        result = of_film(tmp_path)
        run = folder.write(result, tmp_path / "out", files.writers())
        Path(result.recording.path).unlink()
        page = open_page(run)
        page.wait_for_selector(".missing")
        click_timeline(page, 11, result.recording.duration)
        assert "summer picnic" in page.inner_text("#now-sentence")


class TestKeyboard:
    def test_arrows_and_brackets_move(self, film_run: Run, open_page: Open) -> None:
        result, run = film_run
        page = ready(open_page(run))
        page.keyboard.press("ArrowRight")
        assert now(page) == pytest.approx(5, abs=0.05)
        page.keyboard.press("Shift+ArrowLeft")
        assert now(page) == pytest.approx(4, abs=0.05)
        page.keyboard.press("0")
        seen = []
        for _ in result.chunks[1:]:
            page.keyboard.press("]")
            seen.append(now(page))
        inner = [b.time for b in result.boundaries if b.time > 4]
        assert seen[: len(inner)] == pytest.approx(inner[: len(seen)], abs=0.06)
        page.keyboard.press("[")
        assert now(page) == pytest.approx([b.time for b in result.boundaries if b.time < seen[-1] - 0.05][-1], abs=0.06)

    def test_space_plays_and_pauses(self, film_run: Run, open_page: Open) -> None:
        page = ready(open_page(film_run[1]))
        page.keyboard.press("Space")
        until(page, "!document.querySelector('video').paused && document.querySelector('video').currentTime > 0.3")
        page.keyboard.press("Space")
        until(page, "document.querySelector('video').paused")

    def test_the_search_field_keeps_its_own_keys(self, film_run: Run, open_page: Open) -> None:
        page = ready(open_page(film_run[1]))
        page.keyboard.press("/")
        page.keyboard.type("a [0] b")
        assert page.input_value("#search") == "a [0] b"
        assert now(page) == 0
        page.keyboard.press("Escape")
        assert page.input_value("#search") == ""

    def test_zooming_keeps_the_place(self, film_run: Run, open_page: Open) -> None:
        page = ready(open_page(film_run[1], "#t=11"))
        before = page.evaluate("document.getElementById('head').style.transform")
        page.keyboard.press("+")
        until(page, "document.querySelector('#overview div').offsetWidth < 0.6 * document.getElementById('overview').clientWidth")
        assert page.evaluate("document.getElementById('head').style.transform") == before


# --- finding -----------------------------------------------------------------------------------------------------


class TestFinding:
    def test_words_are_found_as_they_are_typed(self, film_run: Run, open_page: Open) -> None:
        result, run = film_run
        page = open_page(run)
        page.locator("#search").press_sequentially("PICNIC")
        fitting = [c.title for c in result.chunks if "picnic" in c.text]
        assert page.locator(".card .title").all_inner_texts() == fitting
        assert page.inner_text("#count") == f"{len(fitting)} of {len(result.chunks)} chunks"
        assert "picnic" in page.locator("mark").first.inner_text().lower()
        page.fill("#search", "nowhere to be found")
        assert page.inner_text("#count") == "No chunk fits."

    def test_kind_label_and_speaker_narrow_the_list(self, film_run: Run, open_page: Open) -> None:
        result, run = film_run
        page = open_page(run)

        def listed() -> list[str]:
            return page.locator(".card .title").all_inner_texts()

        page.select_option("#label", "car")
        assert listed() == [c.title for c in result.chunks if "car" in c.labels]
        page.select_option("#label", "")
        page.select_option("#speaker", "ben")
        assert listed() == [c.title for c in result.chunks if "ben" in c.speakers]
        page.select_option("#speaker", "")
        page.click("#kinds >> text=both")
        assert listed() == [c.title for c in result.chunks if c.kind == "both"]
        page.click("#kinds >> text=both")
        assert len(listed()) == len(result.chunks)

    def test_doubtful_sentences_are_marked(self, film_run: Run, open_page: Open) -> None:
        page = open_page(film_run[1], "#t=8")
        assert page.locator("a.said.doubtful").inner_text().startswith("Thanks for watching")
        assert "doubtful" in page.locator("#now-sentence").get_attribute("class").split()  # type: ignore[union-attr]

    def test_the_run_is_told(self, film_run: Run, open_page: Open) -> None:
        page = open_page(film_run[1])
        page.click("#tab-run")
        told = page.inner_text("#run")
        for words in ("1 sentence is doubtful", "tiny.en", "abababababab", "h264 video, 640 × 360 px", "vision", "1 changed"):
            assert words in told
        page.click("#run a[href^='#t=']")
        until(page, "Math.abs(document.querySelector('video').currentTime - 7.5) < 0.05")


# --- any reader, any recording -----------------------------------------------------------------------------------


class TestLooks:
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["desk", "phone"])
    def test_axe_finds_no_serious_fault(self, film_run: Run, open_page: Open, scheme: str, size: tuple[int, int]) -> None:
        axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
        page = open_page(film_run[1], "#t=8", color_scheme=scheme, viewport={"width": size[0], "height": size[1]})
        for tab in ("run", "chunks"):
            page.click(f"#tab-{tab}")
            faults = axe.Axe().run(page).response["violations"]
            assert [(f["id"], f["nodes"][0]["html"]) for f in faults if f["impact"] in SERIOUS] == []

    def test_dark_and_light_differ_and_can_be_switched(self, film_run: Run, open_page: Open) -> None:
        page = open_page(film_run[1], color_scheme="dark")
        colour = "getComputedStyle(document.body).backgroundColor"
        dark = page.evaluate(colour)
        page.click("#theme")
        light = page.evaluate(colour)
        assert sum(map(int, dark[4:-1].split(","))) < 150 < 600 < sum(map(int, light[4:-1].split(",")))

    def test_a_phone_needs_no_scrolling_sideways(self, film_run: Run, open_page: Open) -> None:
        page = open_page(film_run[1], viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.locator(".card").last.scroll_into_view_if_needed()
        assert page.locator(".card").last.is_visible()


HOSTILE = (
    Sentence("<script>document.title = 'taken'</script><img src=x onerror=alert(1)> </script><!--", 1, 3, "<b>eve</b>", "en"),
    Sentence("w" * 10_000, 4, 6, None, "en"),
    Sentence("\u202eשלום עולם, זה מבחן\u202c مرحبا بالعالم", 7, 9, None, "he"),
    Sentence("{{ 7 * 7 }} ]]> &amp; \u2028 \u0000 end", 10, 13, None, "en"),
)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_hostile_transcript_is_shown_as_text(open_page: Open, tmp_path: Path, width: int) -> None:
    """Markup, endless words, right-to-left: letters on a page, and nothing runs or overflows."""
    result = of_film(tmp_path)
    name = '"><script>document.title = "taken"</script>.mp4'
    recording = replace(result.recording, path=str(tmp_path / name.replace("/", "_")), title="<svg onload=alert(1)>")
    Path(result.recording.path).rename(recording.path)
    bad = replace(found(recording, HOSTILE), health=(Finding("x", "<iframe src=javascript:alert(1)>", 1.0),))
    page = open_page(folder.write(bad, tmp_path / "out", files.writers()), viewport={"width": width, "height": 800})
    ready(page)
    assert page.title() == "<svg onload=alert(1)> · segmenter"
    assert page.evaluate("document.querySelectorAll('iframe, svg[onload], img[onerror], b b').length") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate("location.hash = '#t=1.5'")
    until(page, "document.getElementById('now-sentence').textContent !== ''")
    assert page.text_content("#now-sentence") == HOSTILE[0].text
    page.fill("#search", "<script>")
    assert page.locator("mark").first.inner_text() == "<script>"


def test_ten_hours_stay_quick(open_page: Open, tmp_path: Path) -> None:
    """5,000 sentences in 10 hours: the figures are printed (pytest -s); cards exist for what is in sight alone."""
    result = long_talk()
    run = folder.write(result, tmp_path, files.writers())
    page = open_page(run)
    painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    took = page.evaluate(
        """async () => {
            const times = [];
            for (const time of [3600, 18000, 35000, 7]) {
                const began = performance.now();
                location.hash = `#t=${time}`;
                const drawn = (done) => requestAnimationFrame(() => setTimeout(done));
                await new Promise((done) => addEventListener('hashchange', () => drawn(done), {once: true}));
                times.push(performance.now() - began);
            }
            return Math.max(...times);
        }"""
    )
    size = (run / "report.html").stat().st_size
    print(f"\nten hours: {size / 1e6:.2f} MB, first paint {painted:.0f} ms, slowest seek {took:.0f} ms")  # noqa: T201
    assert size < 3_000_000
    assert now(page) == pytest.approx(7, abs=0.1)
    assert page.locator(".card").count() < 40
    for time in (18_000, 30_000, 7):
        page.evaluate(f"location.hash = '#t={time}'")
        page.wait_for_timeout(100)
        card, scroller = (page.locator(name).bounding_box() for name in (".card.open", "#scroll"))
        assert card
        assert scroller
        assert 0 <= card["y"] - scroller["y"] < scroller["height"] - 100  # its head is in sight
    page.fill("#search", "sentence 4999 ")
    assert page.locator(".card").count() == 1
