"""`segmenter watch`: events of a camera, a stream or a file, one line each as it ends."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import SEEK_END, StringIO, TextIOWrapper
from pathlib import Path
from threading import Event as Signal
from typing import Annotated, BinaryIO, TextIO

import typer
from rich.console import Console

from segmenter.cli import show, vision_options
from segmenter.cli.exits import Exit
from segmenter.formats import clips_json, events_jsonl, folder
from segmenter.records import Finding
from segmenter.settings import Settings


def _some_time(seconds: float | None) -> float | None:
    if seconds is not None and not seconds > 0:
        raise typer.BadParameter(f"{seconds:g} is no length of time: give more than 0")
    return seconds


def watch(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A camera (0, /dev/video0), rtsp or http address, or file.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for events.jsonl and clips; none: lines only.")] = None,
    tracker: vision_options.Tracker = None,
    yolo: vision_options.Yolo = None,
    labels: vision_options.Labels = None,
    zones: vision_options.Zones = None,
    pre: Annotated[float | None, typer.Option(help="Seconds that a clip shows before its event.")] = None,
    post: Annotated[float | None, typer.Option(help="Seconds that it shows after it.")] = None,
    no_clips: Annotated[bool, typer.Option("--no-clips", help="Write no clips.")] = False,
    most_open: Annotated[int | None, typer.Option("--max-open", help="Tracks in view at once; more are left out.")] = None,
    seconds: Annotated[
        float | None, typer.Option("--for", callback=_some_time, metavar="SECONDS", help="End after so long.")
    ] = None,
    as_fast: Annotated[
        bool, typer.Option("--as-fast-as-possible", help="Play a file as fast as each picture can be looked at.")
    ] = False,
    config: Annotated[Path | None, typer.Option(help="Settings in a TOML file; options given here win.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print events and errors only.")] = False,
) -> None:
    """Watch a camera, a stream or a file: one JSON line for each event as it ends."""
    from segmenter.live.sources import source as named
    from segmenter.live.watching import Watched
    from segmenter.live.watching import watch as watched

    settings = Settings() if config is None else Settings.from_toml(config)
    settings = vision_options.changed(settings, tracker, yolo, labels, zones).changed("clips", pre_s=pre, post_s=post)
    settings = settings.changed("live", most_open=most_open)
    messages = Console(stderr=True, highlight=False, soft_wrap=True)

    def report(finding: Finding) -> None:
        if not quiet:
            messages.print(show.finding_line(finding))

    looked_at, stop = named(source, report), Signal()
    with _lines(out) as lines, _interruptible(stop, messages) as interrupted, suppress(KeyboardInterrupt):
        clips = None if out is None or no_clips else out / clips_json.FOLDER
        if clips is not None:
            clips.mkdir(exist_ok=True)
        how = Watched(clips, seconds, as_fast, 0 if out is None else events_jsonl.last_id(out / events_jsonl.NAME))
        for found in watched(looked_at, settings, how, report, stop):
            text = events_jsonl.line(found.event, found.utc, found.clip)
            for file in (lines, sys.stdout):  # kept first, then told: whoever listened may have gone
                print(text, file=file, flush=True)
    raise typer.Exit(Exit.INTERRUPTED if interrupted.is_set() else Exit.OK)


@contextmanager
def _lines(out: Path | None) -> Iterator[TextIO]:
    """The file to which the events are added; without a folder, nowhere.

    Raises:
        SegmenterError: it cannot be written.
    """
    if out is None:
        yield StringIO()
        return
    folder.usable(out)
    out.mkdir(parents=True, exist_ok=True)
    with (out / events_jsonl.NAME).open("a+b") as file:
        if file.tell() and _last_byte(file) != b"\n":
            file.write(b"\n")  # an earlier watch was killed in the middle of a line
        with TextIOWrapper(file, encoding="utf-8", newline="\n") as lines:
            yield lines


def _last_byte(file: BinaryIO) -> bytes:
    file.seek(-1, SEEK_END)
    return file.read(1)


@contextmanager
def _interruptible(stop: Signal, messages: Console) -> Iterator[Signal]:
    """Ctrl-C, or the end of the session, ends the watch in good order; a second one ends it at once. Set when it came."""
    interrupted = Signal()

    def end(number: int, _: object) -> None:
        interrupted.set()
        stop.set()
        signal.signal(number, before[number])
        messages.print("interrupted: closing what is open; once more to leave it")

    before = {int(number): signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
