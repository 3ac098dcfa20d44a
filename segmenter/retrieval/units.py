"""A finished recording as units that can be found: parents of whole lines, sentences, events, and the chunks people read.

Sentences and events are lines in one order of time, an event written as "2 people, 1 car, 14 s": so what is seen in
silence is packed into parents, found by words, and smoothed over time exactly as what is said.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, takewhile
from pathlib import Path

from segmenter.chunks.titles import described, titled
from segmenter.formats import clips_json, stills_json
from segmenter.formats.stills_json import chunk_name
from segmenter.records import Chunk, Event, Segmentation, Sentence, Span
from segmenter.retrieval.lexical import terms
from segmenter.retrieval.pieces import Pieces, sizes
from segmenter.retrieval.records import Identified, Unit, UnitKind, unit_id
from segmenter.retrieval.representations import Context, text_of
from segmenter.retrieval.stills import still_of, still_units
from segmenter.settings import RetrievalSettings
from segmenter.timeline import HasSpan, length
from segmenter.topics.material import packed


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence or an event, as text."""

    start: float
    end: float
    text: str
    tokens: int  # what it costs in a prompt
    size: int  # what there is to read, see `pieces.sizes`
    said: Sentence | None
    seen: Event | None

    @property
    def language(self) -> str:
        return (self.said.language or "") if self.said else "en"  # labels are English words


def units_of(found: Segmentation, pieces: Pieces, settings: RetrievalSettings, folder: Path | None = None) -> list[Unit]:
    """All units of a recording, by kind and time. `folder` is where its report, stills and clips lie.

    Doubtful sentences are left out: what was perhaps never said must not be found.
    """
    chunks = _chunks(found, pieces, folder)
    lines = _lines(found, pieces)
    spans = parents(lines, settings.parent_tokens)
    around = _Around(found.events, chunks)
    made = _parents(found, lines, spans, around, settings.representation)
    owner = [parent.id for parent, (first, last) in zip(made, spans, strict=True) for _ in range(first, last + 1)]
    children = [*_children(found, lines, owner, around)]
    return [_recording(found, folder), *chunks, *made, *children, *still_units(found, folder, around.chunk)]


def parents(lines: Sequence[Line], budget: int) -> list[tuple[int, int]]:
    """Lines packed to a budget of word-pieces: (first, last), both inclusive. A longer line stands alone."""
    cuts = packed([line.size for line in lines], budget)
    return [(a + 1, b) for a, b in pairwise([-1, *cuts, len(lines) - 1])] if lines else []


def _lines(found: Segmentation, pieces: Pieces) -> list[Line]:
    said = [(s.start, s.end, s.text.strip(), s, None) for s in found.sentences if s.text.strip() and not s.doubts]
    seen = [(e.start, e.end, _described(e), None, e) for e in found.events]
    both = sorted([*said, *seen], key=lambda line: (line[0], line[1]))
    texts = [line[2] for line in both]
    costs = pieces(texts) if texts else []
    counted = zip(both, costs, sizes(texts, costs), strict=True)
    return [Line(a, b, text, cost, size, s, e) for (a, b, text, s, e), cost, size in counted]


def _described(event: Event) -> str:
    return described([track.label for track in event.tracks] or event.labels, length(event))


# --- units -----------------------------------------------------------------------------------------------------


def _recording(found: Segmentation, folder: Path | None) -> Unit:
    recording = found.recording
    languages = sorted({s.language for s in found.sentences if s.language})
    extra = {
        "path": recording.path,
        "folder": str(folder or ""),
        "duration": recording.duration,
        "languages": languages,
    }
    name = recording.title or Path(recording.path).name
    return Unit(
        unit_id(recording.id, "recording", 0.0, recording.duration), recording.id, "recording", 0.0, recording.duration, 0, name,
        extra=extra,
    )  # fmt: skip


def _chunks(found: Segmentation, pieces: Pieces, folder: Path | None) -> list[Unit]:
    texts = [chunk.text or chunk.title for chunk in found.chunks]
    clips = clips_json.read(folder / clips_json.FOLDER) if folder else ()
    stills = stills_json.read(folder / stills_json.FOLDER) if folder else {}
    return [
        Unit(
            unit_id(found.recording.id, "chunk", chunk.start, chunk.end),
            found.recording.id,
            "chunk",
            chunk.start,
            chunk.end,
            i,
            text,
            tokens=size,
            speakers=chunk.speakers,
            labels=chunk.labels,
            extra={
                "id": chunk.id,
                "title": chunk.title,
                "kind": chunk.kind,
                "tracks": list(chunk.tracks),
                "still": still_of(stills, folder, chunk_name(i)),
                "clips": clips_json.links(clips, chunk),
            },
        )
        for i, (chunk, text, size) in enumerate(zip(found.chunks, texts, pieces(texts) if texts else [], strict=True))
    ]


def _parents(
    found: Segmentation, lines: Sequence[Line], spans: Sequence[tuple[int, int]], around: _Around, representation: str
) -> list[Unit]:
    text_for, identified = text_of(representation), Identified()
    units = []
    for i, ((first, last), context) in enumerate(zip(spans, _contexts(found, lines, spans), strict=True)):
        own = lines[first : last + 1]
        start, end = own[0].start, max(line.end for line in own)
        units.append(
            Unit(
                identified(found.recording.id, "parent", start, end),
                found.recording.id,
                "parent",
                start,
                end,
                i,
                " ".join(context.lines),
                embedded=text_for(context),
                terms=" ".join(term for line in own for term in terms(line.text, line.language)),
                tokens=sum(line.tokens for line in own),
                chunk=around.chunk(Span(start, end)),
                language=own[0].language,
                speakers=tuple(context.speakers),
                labels=around.labels(Span(start, end)),
            )
        )
    return units


def _children(found: Segmentation, lines: Sequence[Line], owner: Sequence[str], around: _Around) -> Iterator[Unit]:
    identified = Identified()
    for i, (line, parent) in enumerate(zip(lines, owner, strict=True)):
        kind: UnitKind = "sentence" if line.said else "event"
        yield Unit(
            identified(found.recording.id, kind, line.start, line.end),
            found.recording.id,
            kind,
            line.start,
            line.end,
            i,  # among the lines, so that sentences and events keep their one order
            line.text,
            embedded=line.text,
            terms=" ".join(terms(line.text, line.language)),
            tokens=line.tokens,
            parent=parent,
            chunk=around.chunk(line),
            language=line.language,
            speakers=(line.said.speaker,) if line.said and line.said.speaker else (),
            labels=around.labels(line),
            extra=_tracks(line.seen) if line.seen else {},
        )


def _tracks(event: Event) -> dict[str, object]:
    return {"event": event.id, "tracks": [track.id for track in event.tracks]}


class _Around:
    """What lies around a span: the chunk that holds its middle, and what is in view meanwhile. Both lists rise in time."""

    def __init__(self, events: Sequence[Event], chunks: Sequence[Unit]) -> None:
        self._events, self._chunks = events, chunks

    def chunk(self, span: HasSpan) -> str:
        at = bisect_right(self._chunks, (span.start + span.end) / 2, key=lambda chunk: chunk.start)
        return self._chunks[max(0, at - 1)].id if self._chunks else ""

    def labels(self, span: HasSpan) -> tuple[str, ...]:
        first = bisect_right(self._events, span.start, key=lambda event: event.end)
        near = takewhile(lambda event: event.start < span.end, self._events[first:])
        return tuple(dict.fromkeys(label for event in near for label in event.labels))


# --- what is known around a passage ----------------------------------------------------------------------------


def _contexts(found: Segmentation, lines: Sequence[Line], spans: Sequence[tuple[int, int]]) -> list[Context]:
    words = ["", *key_words(_said(lines, spans), [line.said for line in lines if line.said]), ""]
    contexts = []
    for i, (first, last) in enumerate(spans):
        own = lines[first : last + 1]
        speakers = dict.fromkeys(line.said.speaker for line in own if line.said and line.said.speaker)
        contexts.append(
            Context(
                [line.text for line in own],
                found.recording.title or "",
                tuple(speakers),
                "; ".join(line.text for line in own if line.seen),
                words[i],
                words[i + 2],
            )
        )
    return contexts


def key_words(passages: Sequence[tuple[int, int] | None], said: Sequence[Sentence]) -> list[str]:
    """Of each passage, (first, last) sentence, what it speaks about more than the others do, by the rule that titles chunks."""
    chunks = [_as_chunk(said[p[0] : p[1] + 1] if p else (), p) for p in passages]
    return [chunk.title if chunk.text else "" for chunk in titled(chunks, said, ())]


def _as_chunk(said: Sequence[Sentence], span: tuple[int, int] | None) -> Chunk:
    text = " ".join(sentence.text for sentence in said)
    return Chunk("", 0.0, 0.0, "talk" if said else "idle", text, span, (), (), (), (), (), ())


def _said(lines: Sequence[Line], spans: Sequence[tuple[int, int]]) -> list[tuple[int, int] | None]:
    """The same spans counted in sentences alone; None where nothing is said."""
    before = [0, *accumulate(1 if line.said else 0 for line in lines)]
    return [(before[a], before[b + 1] - 1) if before[a] < before[b + 1] else None for a, b in spans]
