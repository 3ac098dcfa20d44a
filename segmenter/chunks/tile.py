"""Boundaries to chunks: pieces that tile the recording, each with its sentences, events and reasons."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from segmenter.records import Boundary, Chunk, Event, Kind, Recording, Sentence, Span, Track
from segmenter.timeline import milliseconds, overlap


def tile(
    cuts: Sequence[Boundary], sentences: Sequence[Sentence], events: Sequence[Event], recording: Recording
) -> tuple[Chunk, ...]:
    """One chunk between each two neighbouring boundaries; each sentence in exactly one, events in all they overlap.

    Events keep their own times wherever a boundary moved.
    """
    starts = [s.start for s in sentences]
    firsts = [bisect_left(starts, cut.time) for cut in cuts[:-1]] + [len(sentences)]
    pieces = zip(cuts, cuts[1:], firsts, firsts[1:], strict=False)
    return tuple(_chunk(a, b, first, sentences[first:after], events, recording) for a, b, first, after in pieces)


def _chunk(
    opening: Boundary, closing: Boundary, first: int, said: Sequence[Sentence], events: Iterable[Event], recording: Recording
) -> Chunk:
    span = Span(opening.time, closing.time)
    seen = [event for event in events if overlap(event, span) > 0]
    tracks = [track for event in seen for track in event.tracks if _in_view(track, span)]
    return Chunk(
        id=f"{recording.id}-{milliseconds(span.start)}-{milliseconds(span.end)}",
        start=span.start,
        end=span.end,
        kind=_kind(bool(said), bool(seen)),
        text=_text(said),
        sentences=(first, first + len(said) - 1) if said else None,
        events=tuple(event.id for event in seen),
        tracks=tuple(track.id for track in tracks),
        labels=tuple(dict.fromkeys(track.label for track in tracks)),
        speakers=tuple(dict.fromkeys(s.speaker for s in said if s.speaker is not None)),
        opened_by=opening.reasons,
        closed_by=closing.reasons,
    )


def _in_view(track: Track, span: Span) -> bool:
    return overlap(track, span) > 0 or span.start <= track.start < span.end


def _text(said: Sequence[Sentence]) -> str:
    """What was said, with blanks only where the words have them: not every script separates sentences."""
    return "".join("".join(w.text for w in s.words) or f" {s.text}" for s in said).strip()


def _kind(talk: bool, event: bool) -> Kind:
    if talk:
        return "both" if event else "talk"
    return "event" if event else "idle"
