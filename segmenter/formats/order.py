"""Cues of any file made fit for one clock: in order, inside the recording, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from math import inf

from segmenter.errors import BadInput, TooLarge
from segmenter.formats.cues import Cue, Tally
from segmenter.records import Finding, Word
from segmenter.timeline import clock

_SLACK_S = 0.1  # what tools differ by in rounding the edges of cues and recordings; not worth a word
# Nobody says ten words a second for long, some 60 characters. What is far beyond is no speech, and would only keep the
# sentence splitter and the embedder busy for hours.
_CHARACTERS_PER_S = 500
_CHARACTERS_ANYWAY = 100_000
_STRAY_S = 3600.0  # no speaker pauses for so long, and no captions do for shorter scenes


def in_order(cues: Sequence[Cue], duration: float | None, tally: Tally) -> list[Cue]:
    """The cues by start, inside [0, duration] where that is known, none overlapping the next.

    Cues after the end of the recording are left out, those that reach beyond it are cut off there. A cue that is still
    shown when the next begins ends there, so that the words of both stay whole and time never runs backwards; cues that
    begin together take turns.

    Raises:
        BadInput: all lie after the end of the recording.
        TooLarge: far more text than anybody can say in that time.
    """
    by_start = sorted(cues, key=lambda cue: cue.start)
    tally["transcript_order"] += sum(b.start < a.start for a, b in pairwise(cues))
    inside = by_start if duration is None else _inside(by_start, duration, tally)
    length = max((cue.end for cue in inside), default=0.0) if duration is None else duration
    _check_amount(inside, length)
    return list(_in_turn(inside, tally))


def strays(words: Sequence[Word]) -> Iterator[Finding]:
    """Where a transcript falls silent for an hour or more, and for longer than all it says: the times after it may be wrong.

    Nothing is lost by that, but what follows lies far away, and nobody knows the recording's own length.
    """
    pauses = [(before, after, after.start - before.end) for before, after in pairwise(words)]
    long = [pause for _, _, pause in pauses if pause >= _STRAY_S]
    said = words[-1].end - words[0].start - sum(long) if long else 0.0
    for before, after, pause in pauses:
        if pause >= _STRAY_S and pause > said:
            what = f"nothing is said for {clock(pause, 0)} before {after.text.strip()!r}: is its time right?"
            yield Finding("transcript_stray", f"transcript: {what}", before.end, after.start)


def _inside(cues: list[Cue], duration: float, tally: Tally) -> list[Cue]:
    kept = [cue if cue.end <= duration else replace(cue, end=duration) for cue in cues if cue.start < duration]
    if cues and not kept:
        what = f"all {len(cues)} cues lie after the end of the recording ({duration:.1f} s)"
        raise BadInput(what, hint="is it the transcript of another recording?")
    tally["transcript_past_end"] += len(cues) - len(kept)
    tally["transcript_clipped"] += sum(cue.end > duration + _SLACK_S for cue in cues[: len(kept)])
    return kept


def _check_amount(cues: list[Cue], length: float) -> None:
    characters = sum(len(piece.text) for cue in cues for piece in cue.pieces)
    limit = _CHARACTERS_ANYWAY + _CHARACTERS_PER_S * length
    if characters > limit:
        what = f"{characters} characters in {len(cues)} cues: more than the limit of {limit:.0f} for {length:.0f} s"
        raise TooLarge(what, hint="nobody can say so much in that time")


def _in_turn(cues: list[Cue], tally: Tally) -> Iterator[Cue]:
    groups = [list(group) for _, group in groupby(cues, key=lambda cue: cue.start)]
    nexts = [group[0].start for group in groups[1:]]
    for group, following in zip(groups, [*nexts, inf], strict=False):
        latest = max(cue.end for cue in group)
        tally["transcript_overlap"] += len(group) - 1 + (latest > following + _SLACK_S)
        yield from _share(group, min(latest, following))


def _share(group: list[Cue], end: float) -> Iterator[Cue]:
    """Cues with one start, each with its share of the time by characters; one alone keeps it all."""
    start, at = group[0].start, group[0].start
    total, before = sum(len(cue.text) for cue in group), 0
    for cue in group:
        before += len(cue.text)
        until = end if before == total else min(end, start + (end - start) * before / total)
        yield replace(cue, start=at, end=until)
        at = until
