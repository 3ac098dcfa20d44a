"""`segmenter run`: the main job."""

from __future__ import annotations

import json
import os
import shutil
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from segmenter.cli import progress, show, speech_options, topic_options, unused, vision_options
from segmenter.cli.exits import Exit, code_for, describe, overall, reason
from segmenter.errors import printable
from segmenter.formats import folder, gaps_csv, segments_json
from segmenter.formats import sightings as sightings_file
from segmenter.records import Finding, Segmentation
from segmenter.settings import Settings
from segmenter.topics.breaks import FAILED

if TYPE_CHECKING:
    from segmenter.pipeline import Segmenter


def run(
    context: typer.Context,
    recordings: Annotated[list[Path], typer.Argument(metavar="RECORDING...", help="Audio or video files, or transcripts alone.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Each recording gets a folder of its own in here.")] = Path("segments"),
    no_speech: Annotated[bool, typer.Option("--no-speech", help="Do not transcribe the sound.")] = False,
    no_vision: Annotated[bool, typer.Option("--no-vision", help="Do not look at the picture.")] = False,
    transcript: Annotated[
        Path | None, typer.Option(help="What was said, instead of transcribing it: subtitles, Whisper or service JSON.")
    ] = None,
    whisper: speech_options.Whisper = None,
    transcriber: speech_options.Transcriber = None,
    language: speech_options.Language = None,
    accurate: speech_options.Accurate = False,
    word_times: speech_options.WordTimes = None,
    audio_track: speech_options.AudioTrack = None,
    speakers: speech_options.Speakers = False,
    speaker_count: speech_options.SpeakerCount = None,
    rttm: Annotated[Path | None, typer.Option(help="Who speaks when, as RTTM, instead of finding it out.")] = None,
    sightings: Annotated[
        Path | None, typer.Option(help="What is seen, as an earlier run kept it or as MOT text, instead of looking.")
    ] = None,
    no_sightings: Annotated[bool, typer.Option("--no-sightings", help="Do not keep what is seen for another time.")] = False,
    tracker: vision_options.Tracker = None,
    yolo: vision_options.Yolo = None,
    labels: vision_options.Labels = None,
    zones: vision_options.Zones = None,
    topics: topic_options.Rule = None,
    granularity: topic_options.Level = None,
    topic_length: topic_options.Length = None,
    topics_count: topic_options.Count = None,
    topic_min: topic_options.Least = None,
    topic_max: topic_options.Most = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Write topics.csv: every gap, its score, a break or not, why.")
    ] = False,
    config: topic_options.Config = None,
    clips: Annotated[bool, typer.Option("--clips", help="Cut a clip for each event; [clips] in the settings says how.")] = False,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no report.html and no stills.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a recording on standard output.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from.")] = False,
) -> None:
    """Cut recordings into timestamped chunks."""
    once = _once(recordings)
    for given, name in ((transcript, "transcript"), (rttm, "rttm"), (sightings, "sightings")):
        if given is not None and len(once) > 1:
            raise typer.BadParameter("one such file belongs to one recording", param_hint=f"--{name}")
    settings = speech_options.changed(
        topic_options.settings_of(config),
        whisper=whisper,
        transcriber=transcriber,
        language=language,
        accurate=accurate,
        word_times=word_times,
        audio_track=audio_track,
        speakers=speakers,
        speaker_count=speaker_count,
    )
    settings = vision_options.changed(settings, tracker, yolo, labels, zones)
    settings = topic_options.changed(settings, topics, granularity, topic_length, topics_count)
    settings = topic_options.limited(settings, topic_min, topic_max)
    for stage, off in (("speech", no_speech), ("vision", no_vision)):
        settings = settings.changed(stage, enabled=False if off else None)
    ready = _Ready(transcript, rttm, sightings)
    extras = _Extras(not no_report, not no_sightings, clips, explain, unused.given(context))
    say = _Say(as_json, quiet, debug, several=len(once) > 1)
    if len(once) < len(recordings) and not quiet:
        say.finding(Finding("same_file", "a recording that is named more than once is segmented once", level="note"))
    raise typer.Exit(_each(once, settings, ready, out, say, extras))


def _once(paths: list[Path]) -> list[Path]:
    """Each file once, however it is spelled; a link has a name, and so a folder, of its own."""
    first: dict[Path, Path] = {}
    for path in paths:
        first.setdefault(Path(os.path.realpath(path.parent), path.name), path)
    return list(first.values())


@dataclass(frozen=True, slots=True)
class _Say:
    """What goes where: results on standard output, all else on standard error."""

    as_json: bool
    quiet: bool
    debug: bool
    several: bool
    results: Console = field(default_factory=show.console)
    messages: Console = field(default_factory=lambda: Console(stderr=True, highlight=False, soft_wrap=True))

    def done(self, path: Path, segmentation: Segmentation, folder: Path) -> None:
        if self.as_json:
            row = {"path": str(path), "folder": str(folder), **segments_json.as_dict(segmentation)}
            print(json.dumps(row, ensure_ascii=True, allow_nan=False))
        if self.quiet:
            return
        for finding in segmentation.health:
            self.finding(finding, path)
        if not self.as_json:
            self.results.print(show.chunk_table(segmentation))
        self.messages.print(Text(printable(f"{path.name}: {show.summary(segmentation)}; written to {folder}")))

    def finding(self, finding: Finding, path: Path | None = None) -> None:
        """Of one of several recordings it says which."""
        self.messages.print(show.finding_line(finding, path.name if path and self.several else ""))

    def lost(self, file: Path, error: Exception) -> None:
        if self.debug:
            traceback.print_exception(error)
        again = f"segmenter {_MADE_AGAIN_BY[file.name]} {file.parent}" if file.name in _MADE_AGAIN_BY else "segmenter run"
        what = f"warning: {file}: it could not be made: {reason(error)} (the rest is written; try again with: {again})"
        self.messages.print(Text(printable(what)), style="yellow")

    def failed(self, path: Path, error: Exception) -> None:
        if self.debug:
            traceback.print_exception(error)
        if self.as_json:
            print(json.dumps({"path": str(path), "error": describe(error).removeprefix("error: ")}, ensure_ascii=True))
        self.messages.print(Text(describe(error)), style="red")


_MADE_AGAIN_BY = {"clips": "clips", "stills": "report", "contact.jpg": "report", "report.html": "report"}


@dataclass(frozen=True, slots=True)
class _Ready:
    """What need not be found out."""

    transcript: Path | None
    turns: Path | None
    sightings: Path | None


@dataclass(frozen=True, slots=True)
class _Extras:
    """What is written besides the segmentation; `options` are all that stand on the command line."""

    report: bool
    sightings: bool
    clips: bool
    explain: bool
    options: tuple[str, ...]


def _one(path: Path, segmenter: Segmenter, ready: _Ready, out: Path, say: _Say, extras: _Extras) -> Exit:
    """One recording, from its file to its folder: hours of work are not lost because their report cannot be drawn."""
    from segmenter.clips import files as clip_files
    from segmenter.report import files

    lost: dict[str, Exception] = {}
    clips_lost: list[Finding] = []
    with TemporaryDirectory() as temporary, progress.shown(say.messages, say.quiet) as shown:
        kept = Path(temporary, sightings_file.NAME) if extras.sightings else None
        found = unused.noted(
            segmenter.segment(
                path,
                transcript=ready.transcript,
                turns=ready.turns,
                sightings=ready.sightings,
                sightings_to=kept,
                progress=shown,
            ),
            extras.options,
        )
        more = {kept.name: lambda _, place: shutil.copyfile(kept, place)} if kept and kept.exists() else {}
        more |= clip_files.writers(segmenter.settings.clips, clips_lost.append, shown) if extras.clips else {}
        more |= {gaps_csv.NAME: gaps_csv.write} if extras.explain else {}
        more |= files.writers(shown) if extras.report else {}
        place = folder.write(found, out, more, lost.__setitem__)
    say.done(path, found, place)
    for finding in clips_lost:
        say.finding(finding, path)
    for name, error in lost.items():
        say.lost(place / name, error)
    uncut = any(finding.code == FAILED for finding in found.health)
    return Exit.FAILED if lost or clips_lost or uncut else Exit.OK


def _each(recordings: list[Path], settings: Settings, ready: _Ready, out: Path, say: _Say, extras: _Extras) -> Exit:
    """Recordings one after the other: a bad one does not stop the others."""
    from segmenter.clips import modes
    from segmenter.pipeline import Segmenter

    if extras.clips:
        modes.check(settings.clips.mode)
    segmenter, codes, done = Segmenter(settings), [], 0
    folder.usable(out)
    for path in recordings:
        try:
            codes.append(_one(path, segmenter, ready, out, say, extras))
            done += 1
        except KeyboardInterrupt:
            what = f"interrupted: {done} of {len(recordings)} recordings were done"
            say.messages.print(f"{what}; of an unfinished one nothing is written")
            return Exit.INTERRUPTED
        except Exception as error:
            say.failed(path, error)
            codes.append(code_for(error))
    if len(codes) > 1 and not say.quiet:
        say.messages.print(f"{done} of {len(codes)} recordings were segmented")
    return overall(codes)
