"""Windows: all speech in them once, never across a hole, cut in gaps, whatever the pieces they come from."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sounds import blocks_of, samples_of

from segmenter import timeline
from segmenter.media.audio import SAMPLE_RATE_HZ, AudioBlock
from segmenter.settings import SpeechSettings
from segmenter.speech.transcriber import Window
from segmenter.speech.vad import DOUBTED_FRAMES, FRAME_S, FRAME_SAMPLES, Piece, VoiceActivity
from segmenter.speech.windows import gather, windows

VOICE = np.ones(100_000, np.float32)
SETTINGS = SpeechSettings()
SECOND = round(1 / FRAME_S)  # frames, about


def pieces(voice: list[float], size: int, start: float = 0.0, run: int = 0) -> list[Piece]:
    """Pieces of `size` frames; each sample is its own number, so that a window shows which ones it has."""
    samples = np.arange(len(voice) * FRAME_SAMPLES, dtype=np.float32)
    return [
        Piece(
            run,
            start + i * FRAME_S,
            samples[i * FRAME_SAMPLES : (i + size) * FRAME_SAMPLES],
            np.array(voice[i : i + size], np.float32),
        )
        for i in range(0, len(voice), size)
    ]


def talk(*seconds: float) -> list[float]:
    """Voice for the first so many seconds, silence for the next, and so on."""
    return [p for i, s in enumerate(seconds) for p in [0.05 if i % 2 else 0.95] * round(s / FRAME_S)]


def spans(found: list[Window]) -> list[tuple[float, float]]:
    return [(round(w.span.start, 1), round(w.span.end, 1)) for w in found]


def made(*seconds: float) -> list[tuple[float, float]]:
    return spans(list(windows(pieces(talk(*seconds), 480), SETTINGS)))


def test_where_nobody_speaks_there_is_no_window() -> None:
    assert made(0, 100) == []
    assert made() == []


def test_short_speech_is_one_window_with_some_sound_around() -> None:
    assert made(0, 5, 3, 5) == [(4.8, 8.2)]


def test_a_long_pause_ends_a_window() -> None:
    assert made(5, 1.8, 5, 2.5, 5) == [(0, 12.0), (14.1, 19.3)]


def test_a_full_window_is_cut_in_its_longest_gap() -> None:
    """Gaps of 0.5, 1.0 and 0.3 s; the one of 1.0 s is the longest that leaves 15 s."""
    assert made(12, 1.5, 4, 0.5, 4, 1.0, 3, 0.3, 6)[0] == (0, 22.2)


def test_without_a_gap_behind_the_least_length_an_earlier_one_is_taken() -> None:
    assert made(8, 0.5, 25) == [(0, 8.2), (8.3, 33.5)]


def test_an_endless_speaker_is_cut_where_the_voice_is_weakest_in_the_last_half() -> None:
    voice = talk(70)
    voice[18 * SECOND : 18 * SECOND + 3] = [0.6] * 3
    found = list(windows(pieces(voice, 480), SETTINGS))
    assert found[0].span.end == pytest.approx((18 * SECOND + 1) * FRAME_S)
    assert all(a.span.end == b.span.start for a, b in pairwise(found))
    assert all(14 - FRAME_S <= timeline.length(w.span) <= 28 for w in found[:-1])


def test_no_window_reaches_across_a_hole() -> None:
    broken = pieces(talk(5), 480) + pieces(talk(5), 480, start=5.5, run=1)
    found = list(windows(broken, SETTINGS))
    assert [w.start for w in found] == [0.0, 5.5]


def test_the_padding_of_neighbours_shares_a_short_gap() -> None:
    first, second = windows(pieces(talk(20, 0.32, 20), 480), SETTINGS)
    assert first.span.end == pytest.approx(second.span.start)


@pytest.mark.parametrize("size", [7, 100_000])
def test_a_beginning_that_is_doubted_for_long_is_heard_too(size: int) -> None:
    """However the sound comes: of a pause of 30 s only what tells its level is kept."""
    voice = [*talk(0, 30), *[0.4] * 9, *talk(3)]
    (window,) = windows(pieces(voice, size), SETTINGS)
    begins = round(30 / FRAME_S) * FRAME_S
    assert [(span.start, span.end) for span in window.speech] == [pytest.approx((begins, len(voice) * FRAME_S))]
    assert window.start == pytest.approx(begins - SETTINGS.pad_s)


def test_a_short_doubt_lies_in_the_padding() -> None:
    (window,) = windows(pieces([*talk(0, 30), *[0.4] * 2, *talk(3)], 480), SETTINGS)
    sure = (round(30 / FRAME_S) + 2) * FRAME_S
    assert window.speech[0].start == pytest.approx(sure - 2 * FRAME_S)
    assert window.start == pytest.approx(sure - SETTINGS.pad_s)


speakers = st.lists(st.tuples(st.integers(0, 1200), st.integers(1, 100), st.integers(0, 20)), max_size=5).map(
    lambda turns: [p for said, paused, doubted in turns for p in [0.9] * said + [0.1] * paused + [0.3] * doubted]
)


@settings(deadline=None, max_examples=30)
@given(speakers, st.sampled_from([100, 480, 100_000]))
def test_laws_of_windows(voice: list[float], size: int) -> None:
    found = list(windows(pieces(voice, size), SETTINGS))
    again = list(windows(pieces(voice, 480), SETTINGS))
    assert [(w.span, w.speech) for w in found] == [(w.span, w.speech) for w in again]
    assert all(a.span.end <= b.span.start for a, b in pairwise(found))
    for w in found:
        first = round(w.start * SAMPLE_RATE_HZ)
        assert np.array_equal(w.samples, np.arange(first, first + len(w.samples), dtype=np.float32))
        assert timeline.length(w.span) <= SETTINGS.window_max_s + 2 * SETTINGS.pad_s + DOUBTED_FRAMES * FRAME_S
        assert w.speech
        assert w.span.start <= w.speech[0].start
        assert w.speech[-1].end <= w.span.end
        assert all(b.start - a.end <= SETTINGS.window_gap_s for a, b in pairwise(w.speech))
    spoken = sum(p > 0.5 for p in voice) * FRAME_S
    assert sum(timeline.overlap(w.span, s) for w in found for s in w.speech) >= spoken - 1e-6


@settings(deadline=None, max_examples=30)
@given(speakers, st.integers(0, 36_000))
def test_shifting_the_sound_shifts_the_windows(voice: list[float], shift: int) -> None:
    here = list(windows(pieces(voice, 480), SETTINGS))
    there = list(windows(pieces(voice, 480, start=float(shift)), SETTINGS))
    assert [w.start + shift for w in here] == pytest.approx([w.start for w in there], abs=1e-6)
    assert [len(w.samples) for w in here] == [len(w.samples) for w in there]


def test_gather_never_changes_a_finished_group() -> None:
    heard = [(0, 300), (310, 600), (620, 700), (800, 1000), (1005, 1400)]
    for n in range(1, len(heard)):
        assert (
            gather(heard[:n], VOICE, SETTINGS)[:-1]
            == gather(heard, VOICE, SETTINGS)[: len(gather(heard[:n], VOICE, SETTINGS)) - 1]
        )


def test_a_word_before_an_endless_speaker_stands_alone_however_the_sound_comes() -> None:
    """Its window must not hang on whether the long span has been cut by then."""
    voice = [0.9] + [0.1] * 30 + [0.9] * 876 + [0.1]
    whole, parts = (spans(list(windows(pieces(voice, size), SETTINGS))) for size in (100_000, 100))
    assert whole == parts
    assert whole[0] == (0.0, 0.2)


SOUNDS = [
    *("digital_silence.flac", "drums.opus", "keyboard.opus", "mains_hum.opus", "music_pad.opus", "music_synth.opus"),
    *("orchestra.opus", "phone_ring.opus", "pink_noise.opus", "robin.flac", "room_tone.opus", "street_synth.opus"),
    *("whale_song.opus", "white_noise.opus"),
]


@pytest.fixture(scope="module")
def detector() -> VoiceActivity:
    return VoiceActivity()


@pytest.mark.parametrize("name", SOUNDS)
def test_sounds_without_speech_give_no_window(detector: VoiceActivity, shared: Path, name: str) -> None:
    sound = samples_of(shared / "speech" / f"ns_{name}")
    assert list(windows(detector.listen([AudioBlock(0.0, sound)]), SETTINGS)) == []


def test_a_quotation_is_one_window(detector: VoiceActivity, shared: Path) -> None:
    sound = samples_of(shared / "speech" / "jfk.flac")
    (window,) = windows(detector.listen(blocks_of(sound, 30_000)), SETTINGS)
    assert window.speech[0].start == pytest.approx(0.32, abs=0.1)
    assert len(window.speech) == 5
