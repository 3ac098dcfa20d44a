"""WebVTT (https://www.w3.org/TR/webvtt1/): captions and chapters with voices, times inside, and blocks that are not speech."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from segmenter.formats import captions, language_names
from segmenter.formats.cues import Cue, Tally
from segmenter.formats.rolling import Caption, without_repeats
from segmenter.formats.text import clean
from segmenter.formats.title import title
from segmenter.formats.voices import with_voices
from segmenter.records import Chunk, Sentence
from segmenter.timeline import HasSpan, clock, milliseconds

_LANGUAGE = re.compile(r"^Language:[^\S\n]*([\w-]+)", re.MULTILINE)
_BLOCKS = ("NOTE", "STYLE", "REGION")


def recognises(text: str) -> bool:
    """Whether the text begins as every WebVTT file must."""
    return text.lstrip("\ufeff").startswith("WEBVTT")


def read(text: str, tally: Tally) -> list[Cue]:
    """The cues of a WebVTT text, in its own order."""
    found = [_plain(caption) for caption in captions.captions(text, tally, lambda body: _payload(body, tally))]
    return list(captions.cues(with_voices(without_repeats(found, tally)), tally))


def _plain(caption: Caption) -> Caption:
    """Teams' transcripts with metadata have a JSON object in each cue."""
    if not caption.lines or not caption.lines[0].startswith("{"):
        return caption
    try:
        told = json.loads("\n".join(caption.lines))
    except ValueError:
        return caption
    said, name = told.get("spokenText"), told.get("speakerName")
    return replace(caption, lines=(_voice(str(name or "")) + _escaped(said),)) if isinstance(said, str) else caption


def language(text: str) -> str | None:
    """The language in the header, which video sites write there."""
    found = _LANGUAGE.search(text.partition("-->")[0])
    return language_names.code(found[1]) if found else None


def _payload(body: list[str], tally: Tally) -> list[str]:
    """The lines up to the first empty one; after it come comments, styles and the name of the next cue."""
    if "" not in body:
        return captions.without_number(body)  # no empty line before the next cue: all is this one's text, as the standard says
    end = body.index("")
    blocks = "\n".join(body[end:-1]).split("\n\n")
    tally["transcript_stray_text"] += sum(bool(b.strip()) and not b.lstrip("\n").startswith(_BLOCKS) for b in blocks)
    return body[:end]


def write_transcript(sentences: Iterable[Sentence], path: Path) -> None:
    """One cue a sentence, in the voice of its speaker where that is known."""
    _write(((sentence, _voice(sentence.speaker), sentence.text) for sentence in sentences), path)


def write_chapters(chunks: Iterable[Chunk], path: Path) -> None:
    """One cue a chunk, with its title."""
    _write(((chunk, "", title(chunk)) for chunk in chunks), path)


def _write(cues: Iterable[tuple[HasSpan, str, str]], path: Path) -> None:
    shown = ((span, voice, _escaped(text)) for span, voice, text in cues)
    blocks = ["WEBVTT", *(f"{_times(span)}\n{voice}{text}" for span, voice, text in shown if text)]
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8", newline="\n")


def _times(span: HasSpan) -> str:
    """A cue's end must be greater than its start, so an instant lasts a millisecond."""
    end_ms = max(milliseconds(span.end), milliseconds(span.start) + 1)
    return f"{clock(span.start)} --> {clock(end_ms / 1000)}"


def _voice(speaker: str | None) -> str:
    name = _escaped(speaker or "")
    return f"<v {name}>" if name else ""


def _escaped(text: str) -> str:
    """On one line, without what WebVTT reads as markup; `-->` goes with its `>`."""
    return html.escape(clean(text).strip(" "), quote=False)
