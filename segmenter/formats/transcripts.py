"""Ready transcripts and captions: the table of readers, and the words of any of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from segmenter.errors import BadInput, InputError
from segmenter.files import content_id, local_file, read_bytes, read_start
from segmenter.formats import srt, text, timed_text, webvtt, whisper_json, whisper_text
from segmenter.formats.cues import Cue, Figures, Tally, words
from segmenter.formats.order import in_order, strays
from segmenter.records import Finding, Level, Recording, Word

_LIMIT_BYTES = 50_000_000  # fifty hours with the times of words; JSON may take thirty times its size in memory
_HEAD_BYTES = 64_000


@dataclass(frozen=True, slots=True)
class Reader:
    name: str
    extensions: tuple[str, ...]
    recognises: Callable[[str], bool]
    read: Callable[[str, Tally], list[Cue]]
    language: Callable[[str], str | None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Transcript:
    """The words of a transcript, and the language that the file says they are in.

    `figures` are those of each word's segment, where a model wrote the file and tells how sure it was; else none at all.
    """

    words: tuple[Word, ...]
    language: str | None = None
    figures: tuple[Figures | None, ...] = ()


# In this order: a WebVTT file also holds lines of times, and a JSON string may; nearly any text may hold a time.
READERS = (
    Reader("WebVTT", (".vtt",), webvtt.recognises, webvtt.read, webvtt.language),
    Reader("Whisper JSON", (".json", ".jsonl"), whisper_json.recognises, whisper_json.read, whisper_json.language),
    Reader("Whisper TSV", (), whisper_text.is_table, whisper_text.read_table),
    Reader("Whisper's printed lines", (), whisper_text.is_printed, whisper_text.read_printed),
    Reader("SRT", (".srt",), srt.recognises, srt.read),
    Reader("text with times", (), timed_text.recognises, timed_text.read),
)

_PROBLEMS: dict[str, tuple[Level, str]] = {
    "transcript_bad_time": ("warning", "cues skipped for a malformed or invalid time"),
    "transcript_missing_time": ("warning", "cues without a start or an end, which was taken from their neighbours"),
    "transcript_bad_segment": ("warning", "segments skipped because start, end or text is missing or of the wrong type"),
    "transcript_negative_time": ("warning", "cues with a negative time, cut at 0 or left out where they end before it"),
    "transcript_reversed": ("warning", "cues that end before they start, taken as an instant"),
    "transcript_past_end": ("warning", "cues left out because they lie after the end of the recording"),
    "transcript_clipped": ("note", "cues cut off at the end of the recording"),
    "transcript_overlap": ("warning", "cues that overlap the next one, ended where it begins with their words moved closer"),
    "transcript_word_times": ("warning", "segments whose words do not agree with them, words spread evenly instead"),
    "transcript_surrogates": ("warning", "cues with invalid characters (lone surrogates), shown as U+FFFD"),
    "transcript_stray_text": ("warning", "blocks of text left out because no line of times stands above them"),
    "transcript_time_of_day": (
        "warning",
        "cues with the time of day, counted from the first one as if the recording began there",
    ),
    "transcript_order": ("note", "cues out of order, sorted by time"),
    "transcript_empty_cue": ("note", "cues without text left out"),
    "transcript_rolling": (
        "note",
        "cues that repeat what the one before shows, as rolling captions do, each word kept once",
    ),
}


def is_transcript(path: str | os.PathLike[str]) -> bool:
    """Whether the file is a transcript and not a recording: by its content; its extension counts if the content is text.

    Raises:
        NotAFile, BadInput: not a regular file that can be read, or empty.
    """
    named = Path(path).suffix.lower() in {extension for reader in READERS for extension in reader.extensions}
    data = read_start(path, _HEAD_BYTES)
    try:
        head, _ = text.decode(data, path, whole=False)
    except BadInput:
        return False
    return named or _reader(head) is not None


def read(path: str | os.PathLike[str], duration: float | None, report: Callable[[Finding], None]) -> tuple[Word, ...]:
    """The words of a transcript, as `read_all` does."""
    return read_all(path, duration, report).words


def read_all(path: str | os.PathLike[str], duration: float | None, report: Callable[[Finding], None]) -> Transcript:
    """The words of a transcript in order of time, inside [0, duration] where that is known, and their language.

    Words joined are the text. Where the file has no times of words they share their cue's by their characters, and
    `probability` is None: that is how interpolated times are told from heard ones, here and in the output. What is
    wrong in the file goes to `report`, one finding a kind.

    Raises:
        NotAFile: not a regular file that can be read.
        BadInput: no transcript in a known format, damaged beyond use, or of another recording.
        TooLarge: beyond the limits.
    """
    data = read_bytes(path, _LIMIT_BYTES)
    content, damage = text.decode(data, path)
    tally = Tally()
    try:
        reader = _reader(content)
        cues = _cues(content, reader, tally)
        ordered = in_order(cues, duration, tally)
    except InputError as error:
        raise type(error)(error.what, path=path, hint=error.hint) from error
    if damage is not None:
        report(damage)
    for code, (level, message) in _PROBLEMS.items():
        if tally[code]:
            report(Finding(code, f"transcript: {message}: {tally[code]}", level=level))
    said = [(word, cue.figures) for cue in ordered for word in words(cue)]
    if duration is None:
        for finding in strays([word for word, _ in said]):
            report(finding)
    figures = tuple(told for _, told in said)
    return Transcript(
        tuple(word for word, _ in said), reader.language(content) if reader else None, figures if any(figures) else ()
    )


def as_recording(path: str | os.PathLike[str], words: Sequence[Word]) -> Recording:
    """A transcript that stands for its recording: no streams, as long as its last word."""
    duration = max((word.end for word in words), default=0.0)
    file = local_file(path)
    return Recording(str(file), content_id(file), duration, "counted", "transcript")


def _cues(content: str, reader: Reader | None, tally: Tally) -> list[Cue]:
    if not content.strip():
        raise BadInput("the transcript is empty: nothing but blanks")
    if content.startswith("{\\rtf"):
        raise BadInput("a document (RTF), not a plain text", hint="save it as plain text")
    if reader is None:
        known = ", ".join(reader.name for reader in READERS)
        raise BadInput("not a transcript in a known format: no line with times", hint=f"known are {known}")
    cues = reader.read(content, tally)
    if not cues:
        faults = "; ".join(f"{message}: {tally[code]}" for code, (_, message) in _PROBLEMS.items() if tally[code])
        raise BadInput(f"no cues with text and time in this {reader.name} file" + (f"; {faults}" if faults else ""))
    return cues


def _reader(content: str) -> Reader | None:
    return next((reader for reader in READERS if reader.recognises(content)), None)
