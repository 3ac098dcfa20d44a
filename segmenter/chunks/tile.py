"""Boundaries to chunks: pieces that tile the recording, each with its sentences, events and reasons."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from segmenter.records import Boundary, Chunk, Event, Kind, Recording, Sentence, Span, text_of
from segmenter.timeline import HasSpan, length, milliseconds, overlap


def tile(
    cuts: Sequence[Boundary], sentences: Sequence[Sentence], events: Sequence[Event], recording: Recording, slack_s: float
) -> tuple[Chunk, ...]:
    """One chunk between each two neighbouring boundaries; each sentence in exactly one, events in all they overlap.

    Events keep their own times wherever a boundary moved; so one that only reaches over such a boundary, by less than
    `slack_s` seconds and half of its length, does not count in the chunk beyond.
    """
    starts = [s.start for s in sentences]
    firsts = [bisect_left(starts, cut.time) for cut in cuts[:-1]] + [len(sentences)]
    pieces = zip(cuts, cuts[1:], firsts, firsts[1:], strict=False)
    return tuple(_chunk(a, b, first, sentences[first:after], events, recording, slack_s) for a, b, first, after in pieces)


def _chunk(
    opening: Boundary,
    closing: Boundary,
    first: int,
    said: Sequence[Sentence],
    events: Sequence[Event],
    recording: Recording,
    slack_s: float,
) -> Chunk:
    span = Span(opening.time, closing.time)
    near = slice(bisect_left(events, span.start, key=lambda e: e.end), bisect_left(events, span.end, key=lambda e: e.start))
    seen = [event for event in events[near] if _counts(event, span, slack_s)]
    tracks = [track for event in seen for track in event.tracks if _counts(track, span, slack_s)]
    return Chunk(
        id=f"{recording.id}-{milliseconds(span.start)}-{milliseconds(span.end)}",
        start=span.start,
        end=span.end,
        kind=_kind(bool(said), bool(seen)),
        text=text_of(said),
        sentences=(first, first + len(said) - 1) if said else None,
        events=tuple(event.id for event in seen),
        tracks=tuple(track.id for track in tracks),
        labels=tuple(dict.fromkeys(track.label for track in tracks)),
        speakers=tuple(dict.fromkeys(s.speaker for s in said if s.speaker is not None)),
        opened_by=opening.reasons,
        closed_by=closing.reasons,
    )


def _counts(seen: HasSpan, span: Span, slack_s: float) -> bool:
    """Whether something seen belongs to a chunk: it fills the chunk, or reaches into it by more than a moved edge may."""
    shared = overlap(seen, span)
    return shared >= min(slack_s, length(seen) / 2, length(span)) and (shared > 0 or span.start <= seen.start < span.end)


def _kind(talk: bool, event: bool) -> Kind:
    if talk:
        return "both" if event else "talk"
    return "event" if event else "idle"
