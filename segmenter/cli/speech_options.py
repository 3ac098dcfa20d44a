"""The options that say how to listen: those of `segmenter run`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from segmenter.settings import Settings
from segmenter.speech.transcriber import TRANSCRIBERS

_ACCURATE_BEAM = 5  # what Whisper's own command takes


class Switch(StrEnum):
    ON = "on"
    OFF = "off"


Whisper = Annotated[str | None, typer.Option(help="Whisper model: tiny.en, base, or a path.")]
Transcriber = Annotated[str | None, typer.Option(help=f"{' or '.join(TRANSCRIBERS)}.")]
Language = Annotated[str | None, typer.Option(help="Language, such as en; default: heard, or named by the transcript.")]
WrittenLanguage = Annotated[str | None, typer.Option(help="Language, such as de; default: what the file names, else English.")]
Accurate = Annotated[bool, typer.Option("--accurate", help="Transcribe with a beam search: fewer errors, slower.")]
WordTimes = Annotated[Switch | None, typer.Option(help="off is faster: words then share the time of their phrase.")]
AudioTrack = Annotated[str | None, typer.Option(metavar="N|LANG", help="Which audio track: its number or language.")]
Speakers = Annotated[bool, typer.Option("--speakers", help="Find out who speaks.")]
SpeakerCount = Annotated[int | None, typer.Option(help="The same, knowing how many there are.")]


def changed(
    settings: Settings,
    *,
    whisper: str | None,
    transcriber: str | None,
    language: str | None,
    accurate: bool,
    word_times: Switch | None,
    audio_track: str | None,
    speakers: bool,
    speaker_count: int | None,
) -> Settings:
    """The settings with the options that are given.

    Raises:
        SettingsError: an impossible value.
    """
    return settings.changed(
        "speech",
        model=whisper,
        transcriber=transcriber,
        language=language,
        beam_size=_ACCURATE_BEAM if accurate else None,
        word_times=None if word_times is None else word_times is Switch.ON,
        audio_track=audio_track,
        speakers=speakers or speaker_count is not None or None,
        speaker_count=speaker_count,
    )
