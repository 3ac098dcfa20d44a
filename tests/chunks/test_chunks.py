"""Boundaries and chunks: right values, and the laws on random recordings."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segmenter.chunks.boundaries import boundaries, too_long
from segmenter.chunks.tile import tile
from segmenter.records import Boundary, Box, Chunk, Event, Recording, Sentence, TopicBreak, Track, View, Word
from segmenter.settings import ChunkSettings

FREE = ChunkSettings(min_s=0, max_s=1e6)


def said(*spans: tuple[float, float]) -> tuple[Sentence, ...]:
    return tuple(Sentence(f"Sentence {i}.", a, b, words=(Word(f" Sentence {i}.", a, b),)) for i, (a, b) in enumerate(spans))


def seen(number: int, start: float, end: float, label: str = "person") -> Event:
    track = Track(number, label, start, end, View(start, Box(0.1, 0.1, 0.2, 0.2), 0.9))
    return Event(number, start, end, (track,), (label,))


def topic(after: int, sentences: tuple[Sentence, ...], strength: float = 0.9) -> TopicBreak:
    return TopicBreak(after, sentences[after + 1].start, strength)


def cuts(found: tuple[Boundary, ...]) -> list[tuple[float, str]]:
    return [(b.time, "+".join(b.reasons)) for b in found]


def test_an_edge_in_silence_stays_where_it_is() -> None:
    found = boundaries(said((0, 4), (20, 25)), (), [seen(1, 8, 15)], 30, FREE)
    assert cuts(found) == [(0, "start"), (8, "opens"), (15, "closes"), (30, "end")]
    assert all(b.moved_from is None for b in found)


def test_an_edge_inside_a_sentence_moves_to_its_nearer_edge_and_remembers() -> None:
    found = boundaries(said((2, 6), (7, 12)), (), [seen(1, 3, 11)], 20, FREE)
    assert cuts(found) == [(0, "start"), (2, "opens"), (12, "closes"), (20, "end")]
    assert [b.moved_from for b in found] == [None, 3, 11, None]


def test_an_edge_near_a_topic_break_in_the_same_gap_becomes_one_with_it() -> None:
    sentences = said((0, 9), (10, 15), (16, 20))
    found = boundaries(sentences, [topic(0, sentences)], [seen(1, 8.7, 30)], 30, FREE)
    assert cuts(found) == [(0, "start"), (10, "topic+opens"), (30, "closes+end")]
    assert found[1].strength == 0.9  # the greater of the two
    assert found[1].moved_from is None  # the topic's evidence lay here


def test_an_edge_far_from_the_topic_break_in_a_long_gap_stays() -> None:
    sentences = said((0, 9), (20, 25))
    found = boundaries(sentences, [topic(0, sentences)], [seen(1, 15, 18)], 30, FREE)
    assert cuts(found) == [(0, "start"), (15, "opens"), (18, "closes"), (20, "topic"), (30, "end")]


def test_a_short_piece_joins_its_weaker_side() -> None:
    sentences = said((0, 9), (11, 15), (16, 20))
    few = ChunkSettings(min_s=3, max_s=1e6, event_strength=0.5)
    found = boundaries(sentences, [topic(0, sentences, 0.9)], [seen(1, 0, 7.5)], 30, few)
    assert cuts(found) == [(0, "start+opens"), (11, "topic"), (30, "end")]
    found = boundaries(sentences, [topic(0, sentences, 0.2)], [seen(1, 0, 7.5)], 30, few)
    assert cuts(found) == [(0, "start+opens"), (9, "closes"), (30, "end")]


def test_a_recording_shorter_than_the_minimum_is_one_chunk() -> None:
    assert cuts(boundaries((), (), [seen(1, 0.5, 1)], 2, ChunkSettings())) == [(0, "start"), (2, "end")]


def test_a_long_piece_splits_in_its_widest_pause() -> None:
    sentences = said((0, 40), (41, 80), (85, 110))
    found = boundaries(sentences, (), (), 110, ChunkSettings(min_s=3, max_s=100))
    assert cuts(found) == [(0, "start"), (82.5, "limit"), (110, "end")]


def test_a_sentence_longer_than_the_maximum_makes_a_long_chunk_that_is_said() -> None:
    limits = ChunkSettings(min_s=3, max_s=60)
    found = boundaries(said((1, 100)), (), (), 101, limits)
    assert cuts(found) == [(0, "start"), (101, "end")]
    assert [f.code for f in too_long(found, limits)] == ["long_chunk"]


def test_a_break_made_for_length_is_not_called_a_topic() -> None:
    sentences = said((0, 9), (10, 15))
    by_length = TopicBreak(0, 10, 0.1, ("limit: the topic would be too long",))
    assert cuts(boundaries(sentences, [by_length], (), 30, FREE)) == [(0, "start"), (10, "limit"), (30, "end")]


def test_chunks_know_what_is_in_them() -> None:
    recording = Recording("a.mp4", "abc", 40, "counted")
    sentences = said((0, 4), (5, 9), (20, 25))
    visits = [seen(1, 8, 12), seen(2, 30, 35, "car")]
    chunks = tile(boundaries(sentences, [topic(1, sentences)], visits, 40, FREE), sentences, visits, recording, 1.0)
    assert [(c.start, c.end, c.kind, c.sentences, c.labels) for c in chunks] == [
        (0, 9, "both", (0, 1), ("person",)),
        (9, 12, "event", None, ("person",)),
        (12, 20, "idle", None, ()),
        (20, 30, "talk", (2, 2), ()),
        (30, 35, "event", None, ("car",)),
        (35, 40, "idle", None, ()),
    ]
    assert chunks[0].id == "abc-0-9000"
    assert chunks[0].text == "Sentence 0. Sentence 1."
    assert chunks[1].opened_by == ("opens",)
    assert chunks[1].closed_by == ("closes",)


def test_a_script_without_blanks_gets_none_between_its_sentences() -> None:
    sentences = (
        Sentence("今天开会。", 0, 1, words=(Word("今天开会。", 0, 1),)),
        Sentence("明天休息。", 1, 2, words=(Word("明天休息。", 1, 2),)),
    )
    (chunk,) = tile(boundaries(sentences, (), (), 2, FREE), sentences, (), Recording("a", "b", 2, "counted"), 1.0)
    assert chunk.text == "今天开会。明天休息。"


def test_an_event_that_only_reaches_over_a_moved_edge_does_not_count_beyond_it() -> None:
    sentences, visits = said((0, 10), (11, 20)), [seen(1, 9.8, 25)]
    chunks = tile(boundaries(sentences, (), visits, 30, FREE), sentences, visits, Recording("a", "b", 30, "counted"), 1.0)
    assert [(c.start, c.end, c.kind) for c in chunks] == [(0, 10, "talk"), (10, 25, "both"), (25, 30, "idle")]


# --- laws --------------------------------------------------------------------------------------------------------

ms = st.integers(0, 400_000)


@st.composite
def recordings(draw: st.DrawFn) -> tuple[tuple[Sentence, ...], tuple[TopicBreak, ...], tuple[Event, ...], float]:
    """Random sentences (none longer than 20 s), topic breaks and events, on whole milliseconds."""
    steps = draw(st.lists(st.tuples(st.integers(0, 30_000), st.integers(0, 20_000)), max_size=12))
    at, spans = 0, []
    for gap, long in steps:
        spans.append((at + gap, at + gap + long))
        at += gap + long
    sentences = said(*((a / 1000, b / 1000) for a, b in spans))
    duration = (at + draw(st.integers(1, 60_000))) / 1000
    after = draw(st.sets(st.integers(0, max(0, len(sentences) - 2)), max_size=4)) if len(sentences) > 1 else set()
    topics = tuple(topic(i, sentences, draw(st.floats(0, 1))) for i in sorted(after))
    edges = sorted(draw(st.sets(st.integers(0, int(duration * 1000)), max_size=8)))
    visits = tuple(seen(i + 1, a / 1000, b / 1000) for i, (a, b) in enumerate(zip(edges[::2], edges[1::2], strict=False)))
    return sentences, topics, visits, duration


def chunks_of(
    case: tuple[tuple[Sentence, ...], tuple[TopicBreak, ...], tuple[Event, ...], float], limits: ChunkSettings
) -> tuple[tuple[Boundary, ...], tuple[Chunk, ...]]:
    sentences, topics, visits, duration = case
    found = boundaries(sentences, topics, visits, duration, limits)
    return found, tile(found, sentences, visits, Recording("a", "id", duration, "counted"), limits.snap_s)


@settings(max_examples=300, deadline=None)
@given(recordings(), st.sampled_from([FREE, ChunkSettings(), ChunkSettings(min_s=5, max_s=40), ChunkSettings(snap_s=0)]))
def test_laws_of_chunks(
    case: tuple[tuple[Sentence, ...], tuple[TopicBreak, ...], tuple[Event, ...], float], limits: ChunkSettings
) -> None:
    """They tile the recording, keep the limits, cut no sentence, and hold each sentence once and every event."""
    sentences, _, visits, duration = case
    found, chunks = chunks_of(case, limits)
    assert chunks[0].start == 0
    assert chunks[-1].end == duration
    assert all(a.end == b.start for a, b in pairwise(chunks))
    assert all(c.start < c.end for c in chunks)
    assert not [(b.time, s) for b in found for s in sentences if s.start < b.time < s.end]
    held = [i for c in chunks if c.sentences for i in range(c.sentences[0], c.sentences[1] + 1)]
    assert held == list(range(len(sentences)))
    assert all(
        c.start <= s.start and s.end <= c.end
        for c in chunks
        if c.sentences
        for s in sentences[c.sentences[0] : c.sentences[1] + 1]
    )
    assert {e for c in chunks for e in c.events} == {v.id for v in visits if v.end > v.start}
    assert len({c.id for c in chunks}) == len(chunks)
    if len(chunks) > 1:
        assert min(c.end - c.start for c in chunks) >= limits.min_s - 1e-9
    if limits.max_s >= 2 * limits.min_s + 20:
        assert max(c.end - c.start for c in chunks) <= limits.max_s + 1e-9


@settings(max_examples=100, deadline=None)
@given(recordings(), st.integers(1, 100_000))
def test_a_shift_of_the_input_shifts_every_cut(
    case: tuple[tuple[Sentence, ...], tuple[TopicBreak, ...], tuple[Event, ...], float], shift_ms: int
) -> None:
    """Cuts made by evidence move with it; the recording's own ends and the length limits are left out of it."""
    sentences, topics, visits, duration = case
    by = shift_ms / 1000
    free = ChunkSettings(min_s=0, max_s=1e6)
    moved = boundaries(
        said(*((s.start + by, s.end + by) for s in sentences)),
        [TopicBreak(t.after_sentence, t.time + by, t.strength) for t in topics],
        [seen(v.id, v.start + by, v.end + by) for v in visits],
        duration + by,
        free,
    )
    inner = [b.time for b in boundaries(sentences, topics, visits, duration, free) if 0 < b.time < duration]
    inner_moved = [b.time for b in moved if by + 1e-6 < b.time < duration + by - 1e-6]
    assert inner_moved == pytest.approx([t + by for t in inner], abs=1e-6)


def test_without_a_minimum_the_silence_before_a_long_sentence_is_not_halved_for_ever() -> None:
    talk = [Sentence("Long.", 10.0, 200.0)]
    cuts = boundaries(talk, (), (), 200.0, ChunkSettings(min_s=0.0, max_s=180.0))
    assert len(cuts) < 10
    assert all(b.time - a.time >= 0.5 for a, b in pairwise(cuts))
    assert not any(10.0 < cut.time < 200.0 for cut in cuts)
