"""The sample recording: its parts agree with each other, and segmenter finds in it what its truth says."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jiwer
import numpy as np
import pytest
from numpy.typing import NDArray
from whisper_normalizer.english import EnglishTextNormalizer

from segmenter import Segmentation, Settings, segment
from segmenter.errors import ModelMissing
from segmenter.media.audio import AudioBlocks
from segmenter.media.frames import VideoFrames
from segmenter.media.probe import probe
from segmenter.records import Finding, Recording

REPOSITORY = Path(__file__).resolve().parent.parent
SAMPLES = REPOSITORY / "samples"
TRUTH: dict[str, Any] = json.loads((SAMPLES / "standup.json").read_text(encoding="utf-8"))
PLAN: dict[str, Any] = tomllib.loads((SAMPLES / "standup.toml").read_text(encoding="utf-8"))
TOPIC_STARTS = [TRUTH["sentences"][topic["first"]]["start"] for topic in TRUTH["topics"]]


def unexpected(finding: Finding) -> None:
    raise AssertionError(finding)


@pytest.fixture(scope="module")
def sample() -> Path:
    """samples/standup.mp4, made anew where one of its parts is newer."""
    if importlib.util.find_spec("ultralytics") is None:
        pytest.skip("the sample's people come from a photograph in the package ultralytics, which is not installed")
    subprocess.run([sys.executable, str(REPOSITORY / "scripts" / "make_sample")], check=True)
    return SAMPLES / "standup.mp4"


@pytest.fixture(scope="module")
def recording(sample: Path) -> Recording:
    return probe(sample, unexpected)


# --- the parts -------------------------------------------------------------------------------------------------


def test_the_truth_is_what_was_planned() -> None:
    lines = [line for topic in PLAN["topic"] for line in topic["lines"]]
    assert [[s["speaker"], s["text"]] for s in TRUTH["sentences"]] == lines
    assert [topic["title"] for topic in TRUTH["topics"]] == [topic["title"] for topic in PLAN["topic"]]
    assert [visit["walks"] for visit in TRUTH["visits"]] == [visit["walks"] for visit in PLAN["visit"]]


def test_sentences_and_visits_are_in_order_inside_the_recording() -> None:
    for spans in (TRUTH["sentences"], TRUTH["visits"]):
        edges = [edge for span in spans for edge in (span["start"], span["end"])]
        assert [0, *edges, TRUTH["duration"]] == sorted({0, *edges, TRUTH["duration"]})


def test_topics_share_out_all_sentences() -> None:
    shared_out = [i for topic in TRUTH["topics"] for i in range(topic["first"], topic["last"] + 1)]
    assert shared_out == list(range(len(TRUTH["sentences"])))


def test_visits_lie_within_a_topic_across_a_change_and_after_the_talk() -> None:
    """So that neither stream can be guessed from the other."""
    within, across, after = ((visit["start"], visit["end"]) for visit in TRUTH["visits"])
    assert TOPIC_STARTS[0] < within[0] < within[1] < TOPIC_STARTS[1]
    assert TOPIC_STARTS[1] < across[0] < TOPIC_STARTS[2] < across[1]
    assert TRUTH["sentences"][-1]["end"] < after[0] < after[1] < TRUTH["duration"]


def test_make_sample_explains_what_it_lacks(tmp_path: Path) -> None:
    """An interpreter that cannot find ultralytics: a line that names the package, and no half-made file."""
    hide = "import importlib.util, runpy, sys; importlib.util.find_spec = lambda *a: None; sys.argv = sys.argv[1:]; "
    code = hide + "runpy.run_path(sys.argv[0], run_name='__main__')"
    command = [sys.executable, "-c", code, str(REPOSITORY / "scripts" / "make_sample"), "-o", str(tmp_path / "film.mp4")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "pip install 'segmenter[vision]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


# --- the film --------------------------------------------------------------------------------------------------


def test_the_film_has_picture_and_sound_of_the_same_length(recording: Recording) -> None:
    assert [(video.codec, video.width_px, video.height_px) for video in recording.video] == [("h264", 640, 360)]
    assert [(audio.codec, audio.channels) for audio in recording.audio] == [("aac", 1)]
    assert recording.title == TRUTH["title"]
    assert recording.video[0].start == recording.audio[0].start == 0
    assert [recording.video[0].end, recording.audio[0].end] == pytest.approx([TRUTH["duration"]] * 2, abs=0.1)


def test_sound_is_heard_in_sentences_alone(recording: Recording) -> None:
    """Every 20 ms: loud somewhere in the first and last 0.15 s of each sentence, quiet in the pauses."""
    sound = np.concatenate([block.samples for block in AudioBlocks(recording, recording.audio[0], unexpected)])
    steps = sound[: len(sound) // 320 * 320].reshape(-1, 320)
    levels = 20 * np.log10(np.sqrt((steps**2).mean(axis=1)) + 1e-9)
    times = (np.arange(len(levels)) + 0.5) * 0.02
    spoken = np.zeros(len(levels), bool)
    for sentence in TRUTH["sentences"]:
        start, end = sentence["start"], sentence["end"]
        spoken |= (times > start - 0.05) & (times < end + 0.05)
        assert levels[(times > start) & (times < start + 0.15)].max() > -40
        assert levels[(times > end - 0.15) & (times < end)].max() > -50
    assert levels[~spoken].max() < -55


def brightness_changes(recording: Recording) -> Iterator[tuple[float, float]]:
    """Each picture's time and the share of its pixels that differ from the empty room's first picture."""
    room: NDArray[np.int16] | None = None
    for frame in VideoFrames(recording, recording.video[0], unexpected):
        picture = frame.image.astype(np.int16)
        room = picture if room is None else room
        yield frame.time, float((np.abs(picture - room).max(axis=2) > 40).mean())


def test_somebody_is_in_the_picture_during_visits_alone(recording: Recording) -> None:
    """Counted in pixels, without any detector: each edge within 0.2 s, as a nose alone is too few pixels."""
    seen = [time for time, share in brightness_changes(recording) if share > 0.0005]
    for visit in TRUTH["visits"]:
        inside = [time for time in seen if visit["start"] - 1 <= time <= visit["end"] + 1]
        assert inside[0] == pytest.approx(visit["start"], abs=0.2)
        assert inside[-1] == pytest.approx(visit["end"], abs=0.2)
    assert all(any(v["start"] <= time < v["end"] for v in TRUTH["visits"]) for time in seen)


# --- what segmenter finds in it --------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[("both", "base"), ("motion", "tiny.en")], ids=" ".join)
def found(request: pytest.FixtureRequest, sample: Path) -> Segmentation:
    """Each tracker and each size of Whisper once."""
    tracker, model = request.param
    try:
        return segment(sample, Settings().changed("vision", tracker=tracker).changed("speech", model=model))
    except ModelMissing as missing:
        pytest.skip(str(missing))


def test_the_words_are_understood(found: Segmentation) -> None:
    normal = EnglishTextNormalizer()
    spoken = normal(" ".join(sentence["text"] for sentence in TRUTH["sentences"]))
    assert jiwer.wer(spoken, normal(" ".join(sentence.text for sentence in found.sentences))) < 0.05


def test_the_three_topics_are_found(found: Segmentation) -> None:
    assert [topic.time for topic in found.topic_breaks] == pytest.approx(TOPIC_STARTS[1:], abs=1.5)


def test_the_visits_are_found(found: Segmentation) -> None:
    assert [event.start for event in found.events] == pytest.approx([visit["start"] for visit in TRUTH["visits"]], abs=1.0)
    assert [event.end for event in found.events] == pytest.approx([visit["end"] for visit in TRUTH["visits"]], abs=1.0)


def test_chunks_tile_the_sample_and_cut_no_sentence(found: Segmentation) -> None:
    starts, ends = [chunk.start for chunk in found.chunks], [chunk.end for chunk in found.chunks]
    assert [*starts, found.recording.duration] == [0, *ends]
    assert not [(cut, s) for cut in starts for s in found.sentences if s.start < cut < s.end]


def test_chunks_begin_where_topics_and_visits_do(found: Segmentation) -> None:
    """Within 1.5 s of each change of topic; within a sentence's length of each visit's start, as no sentence is cut."""
    opened = {reason: [c.start for c in found.chunks if reason in c.opened_by] for reason in ("topic", "opens")}
    assert opened["topic"] == pytest.approx(TOPIC_STARTS[1:], abs=1.5)
    assert opened["opens"] == pytest.approx([visit["start"] for visit in TRUTH["visits"]], abs=5.0)
