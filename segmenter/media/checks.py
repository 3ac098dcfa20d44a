"""What the counts of a recording say about its health, as findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from segmenter.media.clock import Clock
from segmenter.media.survey import Count, Survey
from segmenter.records import Finding, Recording
from segmenter.timeline import clock as as_clock

_SHORT_S = 0.5  # a header may round, and count what is decoded but not shown
_SHORT_SHARE = 0.02
_FEW_SHARE = 0.01  # so many odd packets are the muxer's habit
_HOLES_TOLD = 20

Report = Callable[[Finding], None]


def check_length(declared: float | None, recording: Recording, report: Report) -> None:
    """Warn where the header states more than is there. Some count from 0, some from the first timestamp."""
    counted = recording.duration
    there = max(counted, counted + recording.zero)
    if declared is not None and declared - there > max(_SHORT_S, _SHORT_SHARE * there):
        message = f"truncated: the header states {as_clock(declared)}, the data end at {as_clock(counted)}"
        report(Finding("truncated", message, counted, declared))


def check_survey(recording: Recording, found: Survey, report: Report) -> None:
    """Report jumps, slips, missing and double times, holes, and the tracks that are not used."""
    if not found.whole:
        message = f"damaged: the file cannot be read beyond {as_clock(recording.duration, 0)}"
        report(Finding("unreadable", message, recording.duration))
    clock = found.clock
    for finding in (*_times(recording, found.counts, clock), *_holes(recording, clock), *_tracks(recording)):
        report(finding)


def _times(recording: Recording, counts: dict[int, Count], clock: Clock) -> Iterator[Finding]:
    if clock.parts > 1:
        yield Finding(
            "times_jump_back",
            f"timestamps jump back: the file begins again {clock.parts - 1} times; the parts are laid one behind the other",
        )
    if clock.slips:
        yield Finding("times_slip", f"{clock.slips} timestamps are far from their neighbours and are not believed")
    kinds = {s.index: "sound" for s in recording.audio} | {s.index: "picture" for s in recording.video}
    for index, kind in kinds.items():
        count = counts[index]
        if count.untimed == count.shown:
            yield Finding("times_assumed", f"the {kind} has no timestamps: its times are assumed from the nominal rate")
        elif count.untimed > _FEW_SHARE * count.shown:
            yield Finding("times_missing", f"{count.untimed} of {count.shown} packets of the {kind} have no usable timestamp")
        if count.doubles > _FEW_SHARE * count.shown:
            yield Finding("times_double", f"{count.doubles} of {count.shown} packets of the {kind} repeat a timestamp")


def _holes(recording: Recording, clock: Clock) -> Iterator[Finding]:
    for stream in recording.audio[:1]:
        holes = clock.holes(stream.index)
        for start, end in holes[:_HOLES_TOLD]:
            start, end = start - recording.zero, end - recording.zero
            yield Finding("audio_hole", f"a hole of {end - start:.1f} s in the sound at {as_clock(start, 0)}", start, end)
        if len(holes) > _HOLES_TOLD:
            yield Finding("audio_holes", f"{len(holes) - _HOLES_TOLD} more holes in the sound")


def _tracks(recording: Recording) -> Iterator[Finding]:
    if not recording.audio:
        yield Finding("no_audio", "no audio stream", level="note")
    if not recording.video:
        yield Finding("no_video", "no video stream", level="note")
    audio = [(s.index, _tag(s.language)) for s in recording.audio]
    video = [(s.index, "") for s in recording.video]
    for kind, streams in (("audio", audio), ("video", video)):
        if len(streams) > 1:
            numbers = {index: number for number, (index, _) in enumerate(sorted(streams), 1)}
            names = [f"{numbers[index]}{tag}" for index, tag in streams]
            message = f"{len(streams)} {kind} tracks: {names[0]} is used, {', '.join(names[1:])} not"
            yield Finding(f"several_{kind}_tracks", message)


def _tag(language: str | None) -> str:
    return f" ({language})" if language else ""
