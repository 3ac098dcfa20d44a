"""The JSON of the Whisper family: segments with their text and times, and the times of words where they were asked for.

A list of segments may also stand alone, or one segment or sentence a line (JSON Lines). What each program and the speech
services write is turned into such segments first.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

from segmenter.errors import BadInput
from segmenter.formats import language_names, segment_shapes
from segmenter.formats.cues import Cue, Figures, Piece, Tally, check_number, tidy, usable_times
from segmenter.formats.segment_shapes import seconds
from segmenter.formats.services_json import SERVICES, at, service
from segmenter.formats.text import has_surrogates

_WORD_TOLERANCE_S = 0.5  # aligners let a word reach so far out of its segment; beyond, its times are not believed

_OPENING = re.compile(r"[\ufeff \t\r\n]*(?:\{(?!\\rtf)|\[\s*(?:[{\[\"\]]|\Z))")  # not "[00:15] Jane: ", nor "[Jane] 10:04:15"

Object = dict[str, Any]


def recognises(text: str) -> bool:
    """Whether the text begins as a JSON object, or a list that may hold segments, does."""
    return _OPENING.match(text) is not None


def read(text: str, tally: Tally) -> list[Cue]:
    """One cue a segment, in the file's own order; segments that cannot be used are left out and counted.

    Raises:
        BadInput: not JSON, or no list of segments in it.
    """
    found = (_cue(segment, tally) for segment in _segments(_parse(text)))
    return [cue for cue in found if cue is not None]


def language(text: str) -> str | None:
    """The language of the whole file, as a code."""
    data = _parse(text)
    known = service(data)
    named = known.language(data) if known else at(data, "language") or at(data, "result", "language")
    return language_names.code(named) if isinstance(named, str) else None


def _parse(text: str) -> Any:
    text = text.lstrip("\ufeff")
    try:
        return _load(text)
    except json.JSONDecodeError as error:
        records = [_record(line) for line in text.split("\n") if line.strip()]
        if 2 * sum(isinstance(record, dict) for record in records) <= len(records):
            hint = "is the file incomplete, or does something follow after its end?"
            raise BadInput(f"invalid JSON: {error}", hint=hint) from error
        return records
    except RecursionError as error:
        raise BadInput("invalid JSON: nested too deep") from error


def _record(line: str) -> Any:
    """One line of JSON Lines; a damaged one is no segment, and is counted as such."""
    try:
        return _load(line)
    except (ValueError, RecursionError):
        return None


def _load(text: str) -> Any:
    return json.loads(text, parse_int=float, strict=False)  # int() refuses long numbers, and takes quadratic time for them


def _segments(data: Any) -> list[Any]:
    """The segments in the form of openai-whisper, whoever wrote them."""
    known = service(data)
    segments = list(known.segments(data)) if known else segment_shapes.segments(data)
    if not isinstance(segments, list):
        raise BadInput(
            "JSON without a list of `segments`: not a transcript in a known format",
            hint=f"read are Whisper, faster-whisper, WhisperX, whisper.cpp, podcasts, {', '.join(one.name for one in SERVICES)}",
        )
    check_number(len(segments))
    return segments


def _cue(segment: Any, tally: Tally) -> Cue | None:
    start, end, text = (_seconds(segment, "start"), _seconds(segment, "end"), _text(segment, "text"))
    if start is None or end is None or text is None:
        tally["transcript_bad_segment"] += 1
        return None
    times = usable_times(start, end, tally)
    if times is None:
        return None
    tally["transcript_surrogates"] += has_surrogates(text)
    pieces = tidy(_pieces(segment, text, times, tally))
    if not pieces:
        tally["transcript_empty_cue"] += 1
        return None
    known = [time for piece in pieces for time in (piece.start, piece.end) if time is not None]
    return Cue(min([times[0], *known]), max([times[1], *known]), pieces, _figures(segment))


def _figures(segment: Object) -> Figures | None:
    """The model's own figures about its segment, where it wrote any."""
    told = [segment.get(key) for key in ("avg_logprob", "compression_ratio", "no_speech_prob")]
    known = [value if isinstance(value, float) else None for value in told]
    return Figures(*known) if any(value is not None for value in known) else None


def _pieces(segment: Object, text: str, times: tuple[float, float], tally: Tally) -> list[Piece]:
    """A piece a word where the file has words that agree with the segment, else the whole text."""
    speaker = _text(segment, "speaker")
    words = segment.get("words")
    if not isinstance(words, list) or not words:
        return [Piece(text, speaker=speaker)]
    pieces = _aligned(words, text, speaker)
    if pieces is None or not _believable(pieces, *times):
        tally["transcript_word_times"] += 1
        return [Piece(text, speaker=speaker)]
    return pieces


def _aligned(words: list[Any], text: str, speaker: str | None) -> list[Piece] | None:
    """The text cut where its words end, so that the pieces joined are the text; None where the words are others."""
    pieces: list[Piece] = []
    at = 0
    for word in words:
        wanted = (_text(word, "word") or "").strip()
        found = text.find(wanted, at) if wanted else -1
        if found < 0 or text[at:found].strip():
            return None
        until = found + len(wanted)
        times = (_seconds(word, "start"), _seconds(word, "end"))
        start, end = times if None not in times else (None, None)
        pieces.append(Piece(text[at:until], start, end, _probability(word), _text(word, "speaker") or speaker))
        at = until
    return None if text[at:].strip() else pieces


def _believable(pieces: list[Piece], start: float, end: float) -> bool:
    """Whether the times of the words rise, and lie in the segment give or take a little."""
    times = [time for piece in pieces for time in (piece.start, piece.end) if time is not None]
    starts = [piece.start for piece in pieces if piece.start is not None]
    inside = all(max(0.0, start - _WORD_TOLERANCE_S) <= time <= end + _WORD_TOLERANCE_S for time in times)
    forward = all(p.start <= p.end for p in pieces if p.start is not None and p.end is not None)
    return inside and forward and all(a <= b for a, b in pairwise(starts))


def _seconds(record: Any, key: str) -> float | None:
    return seconds(at(record, key))


def _text(record: Any, key: str) -> str | None:
    value = record.get(key) if isinstance(record, dict) else None
    return value if isinstance(value, str) else None


def _probability(word: Object) -> float | None:
    """openai-whisper and faster-whisper call it `probability`, WhisperX `score`."""
    value = word.get("probability", word.get("score"))
    return value if isinstance(value, float) and 0 <= value <= 1 else None
