"""Clustering of voice vectors: the right groups, and the laws of labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from segmenter.speech.clustering import ordered, speakers

Floats = NDArray[np.floating]
unhurried = settings(deadline=None)  # the first call imports scipy


def voices(who: list[int], spread: float = 0.02, seed: int = 0) -> Floats:
    """Unit vectors of dimension 24 around one direction for each speaker; directions are at right angles."""
    noise = np.random.default_rng(seed).normal(0, spread, (len(who), 24))
    vectors = np.eye(24)[who] + noise
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def found(
    who: list[int], seconds: list[float] | None = None, pitches: list[float] | None = None, count: int | None = None
) -> list[int]:
    lengths, heights = np.array(seconds or [2.0] * len(who)), np.array(pitches or [np.nan] * len(who))
    return [int(label) for label in speakers(voices(who), lengths, heights, count)]


@unhurried
@given(st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_each_voice_is_found_and_numbered_in_order_of_first_appearance(who: list[int]) -> None:
    assert found(who) == ordered(who).tolist()


@unhurried
@given(st.lists(st.integers(0, 3), min_size=16, max_size=16), st.permutations(range(16)))
def test_the_order_of_stretches_does_not_change_the_groups(who: list[int], order: list[int]) -> None:
    lengths, unknown = np.full(len(who), 2.0), np.full(len(who), np.nan)
    straight = speakers(voices(who), lengths, unknown)
    mixed = speakers(voices(who)[order], lengths, unknown)
    assert ordered(straight[order]).tolist() == mixed.tolist()


def test_nothing_heard_is_nobody() -> None:
    assert speakers(np.zeros((0, 24)), np.zeros(0), np.zeros(0)).tolist() == []


def test_short_stretches_found_no_speaker_but_join_the_nearest() -> None:
    assert found([0, 0, 1, 1, 2], seconds=[3, 3, 3, 3, 0.5])[:4] == [0, 0, 1, 1]
    assert max(found([0, 0, 1, 1, 2], seconds=[3, 3, 3, 3, 0.5])) == 1


def test_the_longest_stretch_founds_a_speaker_where_all_are_short() -> None:
    assert found([0, 0], seconds=[0.5, 0.9]) == [0, 0]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_a_given_number_of_speakers_is_kept(count: int) -> None:
    assert len(set(found([0, 1, 2, 3] * 5, count=count))) == count


def test_an_outlier_takes_no_given_speakers_place() -> None:
    """The stretch of 1.6 s is like nobody; told that two speak, the two who speak for long are they."""
    assert found([0, 1, 0, 1, 2], seconds=[4, 4, 4, 4, 1.6], count=2)[:4] == [0, 1, 0, 1]


def test_one_voice_in_two_registers_is_two_speakers() -> None:
    low, high = np.random.default_rng(1).normal(6.8, 0.04, 12), np.random.default_rng(2).normal(7.2, 0.04, 12)
    pitches = [pitch for pair in zip(low, high, strict=True) for pitch in pair]
    assert found([0] * 24, pitches=pitches) == [0, 1] * 12


@unhurried
@given(st.integers(0, 10_000))
def test_a_pitch_that_varies_around_one_middle_is_one_speaker(seed: int) -> None:
    pitches = np.random.default_rng(seed).normal(7.0, 0.15, 60).tolist()
    assert set(found([0] * 60, pitches=pitches)) == {0}


def test_cousins_are_parted_along_the_direction_in_which_they_differ() -> None:
    """Two groups nearer to each other than one speaker's usual width, but with nothing between them."""
    rng = np.random.default_rng(3)
    vectors = np.zeros((40, 24))
    vectors[:, 0] = 1.0
    vectors[:, 1] = np.tile([0.3, -0.3], 20)
    vectors += rng.normal(0, 0.02, vectors.shape)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert speakers(vectors, np.full(40, 2.0), np.full(40, np.nan)).tolist() == [0, 1] * 20


def test_ten_hours_are_clustered_without_comparing_all_with_all() -> None:
    """20,000 stretches: all pairs would take 1.6 GB; the founders' take 16 MB."""
    import tracemalloc

    who = [0, 1, 2, 3] * 5000
    vectors = voices(who).astype(np.float32)
    tracemalloc.start()
    labels = speakers(vectors, np.full(len(who), 2.0), np.full(len(who), np.nan))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert labels.tolist() == who
    assert peak < 200e6
