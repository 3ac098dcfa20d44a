"""The page of real runs in a real browser, chunk by chunk."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pages import Open, ready, until
from pages import browser as browser
from pages import open_page as open_page

from segmenter import load
from segmenter.timeline import clock

if TYPE_CHECKING:
    from playwright.sync_api import Page

REPOSITORY = Path(__file__).resolve().parents[2]


def segmented(out: Path, recording: Path, *options: str) -> Path:
    done = subprocess.run(
        [sys.executable, "-m", "segmenter", "run", str(recording), "--tracker", "motion", "-o", str(out), *options],
        capture_output=True,
        text=True,
    )
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return out / recording.stem


def test_a_real_run_of_the_sample(open_page: Open, tmp_path: Path) -> None:
    sample = REPOSITORY / "samples" / "standup.mp4"
    if not sample.is_file():
        pytest.skip("the sample is not made yet: scripts/make_sample")
    run = segmented(tmp_path, sample, "--whisper", "tiny.en")
    walk_through(ready(open_page(run)), run)


def test_a_real_run_of_a_meeting(open_page: Open, shared: Path, tmp_path: Path) -> None:
    truth = json.loads((shared / "multimodal" / "meeting_with_visits.json").read_text(encoding="utf-8"))
    cues = [f"{clock(s['start'])} --> {clock(s['end'])}\n<v {s['speaker']}>{s['text']}" for s in truth["sentences"]]
    (tmp_path / "said.vtt").write_text("\n\n".join(["WEBVTT", *cues]), encoding="utf-8")
    meeting = shared / "multimodal" / "meeting_with_visits.mp4"
    run = segmented(tmp_path, meeting, "--transcript", str(tmp_path / "said.vtt"))
    walk_through(ready(open_page(run)), run)


def walk_through(page: Page, run: Path) -> None:
    """Every chunk by the keyboard, the player with it; a still that is there; a search for a title's first word."""
    result = load(run)
    for chunk in result.chunks[1:]:
        page.keyboard.press("]")
        until(page, f"document.getElementById('now-title').textContent === {json.dumps(chunk.title)}")
        assert page.evaluate("document.querySelector('video').currentTime") == pytest.approx(chunk.start, abs=0.1)
    listed = json.loads((run / "stills" / "stills.json").read_text(encoding="utf-8"))
    named = {f"chunk-{i:04}.jpg" for i in range(1, len(result.chunks) + 1)}
    named |= {f"event-{event.id:04}{which}.jpg" for event in result.events for which in ("", "-opens")}
    assert named <= set(listed)
    assert all((run / "stills" / still["file"]).is_file() for still in listed.values())
    pictures = [str(image.get_attribute("src")) for image in page.locator(".card img").all()]
    assert pictures
    assert all(picture.startswith("data:image/jpeg;base64,") for picture in pictures)
    word = result.chunks[0].title.split(",")[0]
    page.fill("#search", word)
    assert page.locator(".card .title").first.inner_text() == result.chunks[0].title
