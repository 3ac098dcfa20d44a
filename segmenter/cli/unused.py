"""Options of `segmenter run` that a recording gives nothing to work on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import typer

from segmenter.records import Finding, Segmentation

_SOUND, _PICTURES, _WORDS = "sound", "pictures", "words"

NEEDS: dict[str, tuple[str, ...]] = {  # option -> of what something must be there
    **dict.fromkeys(("whisper", "transcriber", "accurate", "word_times"), (_SOUND,)),
    **dict.fromkeys(("audio_track", "speakers", "speaker_count"), (_SOUND,)),
    "language": (_SOUND, _WORDS),
    **dict.fromkeys(("tracker", "yolo", "labels", "zones"), (_PICTURES,)),
    **dict.fromkeys(("no_speech", "no_vision", "no_sightings", "clips"), (_SOUND, _PICTURES)),
}


def given(context: typer.Context) -> tuple[str, ...]:
    """The parameters of the command that stand on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return tuple(name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE")


def noted(found: Segmentation, options: Iterable[str]) -> Segmentation:
    """With a note that names those of the options that did nothing, if any."""
    there = {_SOUND: found.recording.audio, _PICTURES: found.recording.video, _WORDS: found.sentences}
    vain = [name for name in options if name in NEEDS and not any(there[need] for need in NEEDS[name])]
    if not vain:
        return found
    needed = {need for name in vain for need in NEEDS[name]}
    missing = " and ".join(f"no {what}" for what in there if what in needed)
    named = ", ".join(f"--{name.replace('_', '-')}" for name in vain)
    note = Finding("unused_options", f"{missing} in it, so {named} had nothing to work on", level="note")
    return replace(found, health=(*found.health, note))
