"""Two streams become one: topic breaks and event edges, merged into cuts that no sentence straddles.

    sentences   |--a--| |---b---|   |-c-|            |--d--|
    topics                          T
    events            |==============|    |=====|
    boundaries  S       ^           ^     ^     ^          E      the edge inside b moved to its start, the one inside
                        opens    topic  opens closes              c to c's start, where it met the topic break

Pure functions over records. Measured as a model on random recordings, the rules keep every chunk between the
minimum and the maximum length, except where one sentence is longer than what is left between them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from segmenter.records import Boundary, Event, Finding, Reason, Sentence, Span, TopicBreak
from segmenter.settings import ChunkSettings
from segmenter.timeline import clock, length, nearest

_LEAST_S = 0.5  # of a split, whatever the settings: else a silence before a long sentence would be halved for ever
_ORDER: tuple[Reason, ...] = ("start", "topic", "speaker", "silence", "opens", "closes", "limit", "end")


def boundaries(
    sentences: Sequence[Sentence],
    topic_breaks: Iterable[TopicBreak],
    events: Iterable[Event],
    duration: float,
    settings: ChunkSettings,
) -> tuple[Boundary, ...]:
    """The cuts of a recording in order, from its start (reason `start`) to its end (reason `end`).

    Sentences are in order and do not overlap. A chunk lies between each two neighbours. Times in seconds.
    """
    topics = [Boundary(b.time, b.strength, (_reason(b),)) for b in topic_breaks if 0 < b.time < duration]
    topic_times = [t.time for t in topics]
    edges = [_placed(edge, sentences, topic_times, settings.snap_s) for edge in _event_edges(events, duration, settings)]
    ends = [Boundary(0.0, 1.0, ("start",)), Boundary(duration, 1.0, ("end",))]
    merged = _merged([*ends, *topics, *edges])
    return _split_long(_drop_short(merged, settings.min_s), sentences, settings)


def too_long(cuts: Sequence[Boundary], settings: ChunkSettings) -> Iterator[Finding]:
    """Chunks that stay longer than the maximum, because one sentence fills them."""
    for a, b in pairwise(cuts):
        if b.time - a.time > settings.max_s:
            message = f"the chunk from {clock(a.time, 0)} to {clock(b.time, 0)} has no pause to split it at"
            yield Finding("long_chunk", message, a.time, b.time, "note")


def _reason(topic_break: TopicBreak) -> Reason:
    """A rule with a greatest size also cuts where the subject does not change."""
    return "limit" if any(reason.startswith("limit") for reason in topic_break.reasons) else "topic"


def _event_edges(events: Iterable[Event], duration: float, settings: ChunkSettings) -> Iterator[Boundary]:
    for event in events:
        yield Boundary(min(event.start, duration), settings.event_strength, ("opens",))
        yield Boundary(min(event.end, duration), settings.event_strength, ("closes",))


def _placed(edge: Boundary, sentences: Sequence[Sentence], topic_times: Sequence[float], snap: float) -> Boundary:
    """The edge outside of every sentence, and on a topic break that lies in the same gap within `snap` seconds."""
    time = _outside(edge.time, sentences)
    topic = nearest(topic_times, time)
    if topic is not None and abs(topic - time) <= snap and _gap(topic, sentences) == _gap(time, sentences):
        time = topic
    return edge if time == edge.time else Boundary(time, edge.strength, edge.reasons, moved_from=edge.time)


def _outside(time: float, sentences: Sequence[Sentence]) -> float:
    """`time`, or the nearer edge of the sentence that it falls into."""
    i = bisect_left(sentences, time, key=lambda s: s.start) - 1
    if i < 0 or time >= sentences[i].end:
        return time
    start, end = sentences[i].start, sentences[i].end
    return start if time - start <= end - time else end


def _gap(time: float, sentences: Sequence[Sentence]) -> int:
    """Which gap between sentences `time` lies in: the number of sentences that have ended by then."""
    return bisect_right(sentences, time, key=lambda s: s.end)


def _merged(cuts: Iterable[Boundary]) -> list[Boundary]:
    """Cuts at one time become one with all their reasons and the greatest strength."""
    at: defaultdict[float, list[Boundary]] = defaultdict(list)
    for cut in cuts:
        at[cut.time].append(cut)
    return [_one(at[time]) for time in sorted(at)]


def _one(cuts: Sequence[Boundary]) -> Boundary:
    found = {reason for cut in cuts for reason in cut.reasons}
    moved = [cut.moved_from for cut in cuts]
    # Of several, one that stood here already says where the evidence lay; else the nearest that moved.
    origin = None if None in moved else min((m for m in moved if m is not None), key=lambda m: abs(m - cuts[0].time))
    return Boundary(cuts[0].time, max(c.strength for c in cuts), tuple(r for r in _ORDER if r in found), origin)


def _drop_short(cuts: Sequence[Boundary], minimum: float) -> list[Boundary]:
    """While a piece is shorter than the minimum, its weaker boundary goes; start and end stay.

    One pass from the left is enough: dropping a boundary only makes the piece before it longer.
    """
    kept = [cuts[0]]
    for cut in cuts[1:]:
        if cut.time - kept[-1].time < minimum:
            weaker_before = len(kept) > 1 and (kept[-1].strength < cut.strength or cut is cuts[-1])
            if weaker_before:
                kept.pop()
            elif cut is not cuts[-1]:
                continue
        kept.append(cut)
    return kept


def _split_long(cuts: Sequence[Boundary], sentences: Sequence[Sentence], settings: ChunkSettings) -> tuple[Boundary, ...]:
    """A piece longer than the maximum is split in its widest pause, again and again."""
    done, waiting = [cuts[0]], list(reversed(cuts[1:]))
    while waiting:
        cut = _best_split(Span(done[-1].time, waiting[-1].time), sentences, settings)
        if cut is None:
            done.append(waiting.pop())
        else:
            waiting.append(Boundary(cut, 0.0, ("limit",)))
    return tuple(done)


def _best_split(piece: Span, sentences: Sequence[Sentence], settings: ChunkSettings) -> float | None:
    """Where to split: as near the middle of the widest pause as the minimum on both sides allows."""
    if length(piece) <= settings.max_s:
        return None
    least_s = max(settings.min_s, _LEAST_S)
    first, last = piece.start + least_s, piece.end - least_s
    best = max(
        (pause for pause in _pauses(piece, sentences) if pause.end >= first and pause.start <= last), key=length, default=None
    )
    return None if best is None else min(max((best.start + best.end) / 2, first), last)


def _pauses(piece: Span, sentences: Sequence[Sentence]) -> Iterator[Span]:
    """The pauses between the sentences of a piece, of no length too, and the silence at its ends."""
    at = piece.start
    for i in range(bisect_left(sentences, piece.start, key=lambda s: s.start), len(sentences)):
        if sentences[i].start >= piece.end:
            break
        if sentences[i].start > piece.start:
            yield Span(at, max(at, sentences[i].start))
        at = max(at, sentences[i].end)
    if at < piece.end:
        yield Span(at, piece.end)
