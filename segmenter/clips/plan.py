"""Which clips there will be: spans with their pre- and post-rolls, and names; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from segmenter.formats.folder import folder_name
from segmenter.records import Chunk, Event, Segmentation
from segmenter.settings import ClipSettings
from segmenter.timeline import clock


@dataclass(frozen=True, slots=True)
class Wanted:
    """The clip of one event or chunk: `start` and `end` with the rolls, `name` without a suffix."""

    kind: str  # event or chunk
    id: int | str
    start: float
    end: float
    name: str


def planned(found: Segmentation, settings: ClipSettings) -> tuple[Wanted, ...]:
    """The clips of a recording, in order; those that the end of the recording leaves without length are left out."""
    items: Sequence[Event | Chunk] = found.events if settings.of == "events" else found.chunks
    spans = rolled([(item.start, item.end) for item in items], settings.pre_s, settings.post_s, found.recording.duration)
    numbered = enumerate(zip(items, spans, strict=True), start=1)
    return tuple(_wanted(number, item, *span) for number, (item, span) in numbered if span[0] < span[1])


def rolled(spans: Iterable[tuple[float, float]], pre: float, post: float, duration: float) -> list[tuple[float, float]]:
    """Disjoint spans in order, each with `pre` seconds before and `post` after it, inside [0, duration].

    Where the rolls of neighbours would overlap, they meet in the middle of the gap, or nearer to the shorter roll's side.

        |--|      |--|       spans
      ..|--|...|..|--|...    rolled
    """
    bare = list(spans)
    meets = [max(b - pre, min((a + b) / 2, a + post)) if b - pre < a + post else None for (_, a), (b, _) in pairwise(bare)]
    starts = [start - pre if meet is None else meet for (start, _), meet in zip(bare, [None, *meets], strict=False)]
    ends = [end + post if meet is None else meet for (_, end), meet in zip(bare, [*meets, None], strict=False)]
    return [(max(0.0, start), min(end, duration)) for start, end in zip(starts, ends, strict=True)]


def _wanted(number: int, item: Event | Chunk, start: float, end: float) -> Wanted:
    kind, what = ("event", "+".join(item.labels[:2])) if isinstance(item, Event) else ("chunk", item.kind)
    when = clock(item.start).replace(":", "-")[:8]  # to the second: a full stop would begin a suffix
    named = re.sub(r"[\s/\\]+", "-", f"{kind}-{number:04}_{when}_{what or 'unnamed'}")
    return Wanted(kind, item.id, start, end, folder_name(f"{named}.mp4"))
