"""`segmenter run`: the main job."""

from __future__ import annotations

import json
import shutil
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from segmenter.cli import progress, show, topic_options, vision_options
from segmenter.cli.exits import Exit, code_for, describe
from segmenter.errors import printable
from segmenter.formats import folder, gaps_csv, segments_json
from segmenter.formats import sightings as sightings_file
from segmenter.records import Finding, Segmentation
from segmenter.settings import Settings
from segmenter.speech.transcriber import TRANSCRIBERS
from segmenter.table import Row

if TYPE_CHECKING:
    from segmenter.pipeline import Segmenter

_ACCURATE_BEAM = 5  # what Whisper's own command takes


class _Switch(StrEnum):
    ON = "on"
    OFF = "off"


def _choices(rows: Mapping[str, Row]) -> str:
    return " or ".join(rows)


def run(
    recordings: Annotated[list[Path], typer.Argument(metavar="RECORDING...", help="Audio or video files, or transcripts.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Each recording gets a folder of its own in here.")] = Path("segments"),
    no_speech: Annotated[bool, typer.Option("--no-speech", help="Do not transcribe the sound.")] = False,
    no_vision: Annotated[bool, typer.Option("--no-vision", help="Do not look at the picture.")] = False,
    transcript: Annotated[
        Path | None, typer.Option(help="What was said, instead of transcribing it: subtitles, Whisper or service JSON.")
    ] = None,
    whisper: Annotated[str | None, typer.Option(help="Whisper model: tiny.en, base, or a path.")] = None,
    transcriber: Annotated[str | None, typer.Option(help=f"{_choices(TRANSCRIBERS)}.")] = None,
    language: Annotated[str | None, typer.Option(help="Language spoken, such as en; default: heard from the sound.")] = None,
    accurate: Annotated[bool, typer.Option("--accurate", help="Transcribe with a beam search: fewer errors, slower.")] = False,
    word_times: Annotated[_Switch | None, typer.Option(help="off is faster: words then share the time of their phrase.")] = None,
    audio_track: Annotated[str | None, typer.Option(metavar="N|LANG", help="Which audio track: its number or language.")] = None,
    speakers: Annotated[bool, typer.Option("--speakers", help="Find out who speaks.")] = False,
    speaker_count: Annotated[int | None, typer.Option(help="The same, knowing how many there are.")] = None,
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
    explain: Annotated[
        bool, typer.Option("--explain", help="Write topics.csv: every gap, its score, a break or not, why.")
    ] = False,
    config: Annotated[Path | None, typer.Option(help="Settings in a TOML file; options given here win.")] = None,
    clips: Annotated[bool, typer.Option("--clips", help="Cut a clip for each event; [clips] in the settings says how.")] = False,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no report.html and no stills.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a recording on standard output.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from.")] = False,
) -> None:
    """Cut recordings into timestamped chunks."""
    for given, name in ((transcript, "transcript"), (rttm, "rttm"), (sightings, "sightings")):
        if given is not None and len(recordings) > 1:
            raise typer.BadParameter("one such file belongs to one recording", param_hint=f"--{name}")
    settings = Settings() if config is None else Settings.from_toml(config)
    off = {"enabled": False}
    settings = settings.changed("speech", model=whisper, transcriber=transcriber, language=language, audio_track=audio_track)
    settings = settings.changed("speech", **off if no_speech else {}, **{"beam_size": _ACCURATE_BEAM} if accurate else {})
    settings = settings.changed("speech", word_times=None if word_times is None else word_times is _Switch.ON)
    settings = settings.changed("speech", speakers=speakers or speaker_count is not None or None, speaker_count=speaker_count)
    settings = vision_options.changed(settings, tracker, yolo, labels, zones)
    settings = settings.changed("vision", **off if no_vision else {})
    settings = topic_options.changed(settings, topics, granularity, topic_length, topics_count)
    say = _Say(as_json=as_json, quiet=quiet, debug=debug)
    raise typer.Exit(
        _each(
            recordings,
            settings,
            _Ready(transcript, rttm, sightings),
            out,
            say,
            _Extras(not no_report, not no_sightings, clips, explain),
        )
    )


@dataclass(frozen=True, slots=True)
class _Say:
    """What goes where: results on standard output, all else on standard error."""

    as_json: bool
    quiet: bool
    debug: bool
    results: Console = field(default_factory=show.console)
    messages: Console = field(default_factory=lambda: Console(stderr=True, highlight=False, soft_wrap=True))

    def done(self, path: Path, segmentation: Segmentation, folder: Path) -> None:
        if self.as_json:
            row = {"path": str(path), "folder": str(folder), **segments_json.as_dict(segmentation)}
            print(json.dumps(row, ensure_ascii=True, allow_nan=False))
        if self.quiet:
            return
        for finding in segmentation.health:
            self.finding(finding)
        if not self.as_json:
            self.results.print(show.chunk_table(segmentation))
        self.messages.print(Text(printable(f"{path.name}: {show.summary(segmentation)}; written to {folder}")))

    def finding(self, finding: Finding) -> None:
        self.messages.print(show.finding_line(finding))

    def lost(self, name: str, error: Exception) -> None:
        """Hours of work are not lost because their report cannot be drawn."""
        if self.debug:
            traceback.print_exception(error)
        what = f"{name} could not be made: {error} (the rest is written; try again with: segmenter report)"
        self.messages.print(Text(printable(what)), style="yellow")

    def failed(self, path: Path, error: Exception) -> None:
        if self.debug:
            traceback.print_exception(error)
        if self.as_json:
            print(json.dumps({"path": str(path), "error": describe(error).removeprefix("error: ")}, ensure_ascii=True))
        self.messages.print(Text(describe(error)), style="red")


@dataclass(frozen=True, slots=True)
class _Ready:
    """What need not be found out."""

    transcript: Path | None
    turns: Path | None
    sightings: Path | None


@dataclass(frozen=True, slots=True)
class _Extras:
    """What is written besides the segmentation."""

    report: bool
    sightings: bool
    clips: bool
    explain: bool


def _one(path: Path, segmenter: Segmenter, ready: _Ready, out: Path, say: _Say, extras: _Extras) -> tuple[Segmentation, Path]:
    """A recording's segmentation, and the folder that it is written to."""
    from segmenter.clips import files as clip_files
    from segmenter.report import files

    with TemporaryDirectory() as temporary, progress.shown(say.messages, say.quiet) as shown:
        kept = Path(temporary, sightings_file.NAME) if extras.sightings else None
        found = segmenter.segment(
            path,
            transcript=ready.transcript,
            turns=ready.turns,
            sightings=ready.sightings,
            sightings_to=kept,
            progress=shown,
        )
        more = {kept.name: lambda _, place: shutil.copyfile(kept, place)} if kept and kept.exists() else {}
        more |= clip_files.writers(segmenter.settings.clips, say.finding, shown) if extras.clips else {}
        more |= {gaps_csv.NAME: gaps_csv.write} if extras.explain else {}
        more |= files.writers(shown) if extras.report else {}
        return found, folder.write(found, out, more, say.lost)


def _each(recordings: list[Path], settings: Settings, ready: _Ready, out: Path, say: _Say, extras: _Extras) -> Exit:
    """Recordings one after the other: a bad one does not stop the others."""
    from segmenter.clips import modes
    from segmenter.pipeline import Segmenter

    if extras.clips:
        modes.check(settings.clips.mode)
    segmenter, codes = Segmenter(settings), []
    folder.usable(out)
    for path in recordings:
        try:
            say.done(path, *_one(path, segmenter, ready, out, say, extras))
            codes.append(Exit.OK)
        except KeyboardInterrupt:
            done = f"interrupted: {codes.count(Exit.OK)} of {len(recordings)} recordings were done"
            say.messages.print(f"{done}; of an unfinished one nothing is written")
            return Exit.INTERRUPTED
        except Exception as error:
            say.failed(path, error)
            codes.append(code_for(error))
    if len(codes) > 1 and not say.quiet:
        say.messages.print(f"{codes.count(Exit.OK)} of {len(codes)} recordings were segmented")
    return codes[0] if len(set(codes)) == 1 else Exit.FAILED
