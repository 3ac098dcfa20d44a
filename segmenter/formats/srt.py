"""SubRip (.srt): numbered captions. There is no standard, so everything common is read.

The numbers mean nothing; hours may be missing; the times may use a point; blank lines between captions may be missing
and blank lines inside one may not end it: only a line of times begins a new caption.
"""

from __future__ import annotations

from segmenter.formats import captions
from segmenter.formats.cues import Cue, Tally
from segmenter.formats.markup import without_braces
from segmenter.formats.rolling import without_repeats
from segmenter.formats.voices import with_voices


def recognises(text: str) -> bool:
    """Whether some line of the text holds two times."""
    return any(captions.is_time_line(line) for line in captions.lines(text))


def read(text: str, tally: Tally) -> list[Cue]:
    """The cues of a SubRip text, in its own order."""
    found = captions.captions(text, tally, _payload)
    return list(captions.cues(with_voices(without_repeats(found, tally)), tally))


def _payload(body: list[str]) -> list[str]:
    return [without_braces(line) for line in captions.without_number(body)]
