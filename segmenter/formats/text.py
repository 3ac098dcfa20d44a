"""Bytes to text that is safe to keep: any usual encoding, no control characters, no lone surrogates."""

from __future__ import annotations

import codecs
import os
import re

from charset_normalizer import from_bytes

from segmenter.errors import BadInput
from segmenter.records import Finding

_MARKS = {  # the longer marks first: UTF-32's begins with UTF-16's
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_UNMARKED = {1: "utf-16-le", 0: "utf-16-be"}  # by the place of the zero bytes in each pair
_ZEROS, _FEW_ZEROS = 0.1, 0.25  # of the bytes in one place, for times are ASCII; as many in the other, for 一 ends in one
_BROKEN = 0.1  # of the characters, and it was no text
_ESCAPED = {b"\x1b$)C": "iso2022_kr", b"\x1b$": "iso2022_jp_2", b"\x1b(J": "iso2022_jp_2"}
_COMPRESSED = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_SAMPLE_BYTES = 32_000  # of lines that are not plain ASCII: enough to tell an encoding from, and quick

_BLANKS = re.compile("[\t\n\x0b\x0c\r\x1c-\x1f\x85\u2028\u2029 ]+")  # not U+00A0: it holds a word together
_CONTROLS = re.compile(  # and marks that nobody sees, but not the joiners that letters and emoji are built with
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
    # the blank without width divides words between letters of Thai, Lao, Burmese and Khmer
    "|(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b|\u200b(?![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])"
)
_CONTROLS_OF_BINARIES = re.compile("[\x00-\x08\x0e-\x1a]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def decode(data: bytes, path: str | os.PathLike[str], whole: bool = True) -> tuple[str, Finding | None]:
    """The text of a file, and what was wrong with its encoding; not `whole`: of its start, which may end inside a character.

    A byte order mark names the encoding, zero bytes in every second place tell UTF-16, escape sequences ISO-2022, else it
    is UTF-8. Where that does not fit: UTF-8 with a few broken bytes if most of what is not ASCII fits, else the encoding
    that charset-normalizer finds the likeliest.

    Raises:
        BadInput: compressed, or binary.
    """
    for magic, name in _COMPRESSED.items():
        if data.startswith(magic):
            raise BadInput(f"compressed ({name}), not a text in a known format", path=path, hint="unpack it first")
    if told := _unmarked(data, whole):
        return told
    encoding = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, final=whole), None
    except UnicodeDecodeError:
        if encoding == "utf-8" and b"\0" in data:
            raise BadInput("binary, not a transcript", path=path, hint="were two files given the wrong way round?") from None
    return _decode_damaged(data, encoding)


def _unmarked(data: bytes, whole: bool) -> tuple[str, Finding] | None:
    """The text in an encoding that shows itself without a mark; the others are guessed."""
    if (encoding := _shown(data)) is None:
        return None
    text = codecs.getincrementaldecoder(encoding)("replace").decode(data, final=whole)
    broken = text.count("\ufffd")
    if _CONTROLS_OF_BINARIES.search(text) or broken > _BROKEN * len(text):
        return None
    message = f"transcript: nothing names its encoding; decoded as {encoding.upper()}"
    if broken:
        return text, Finding("transcript_encoding", f"{message}; broken bytes or characters shown as U+FFFD: {broken}")
    return text, Finding("transcript_encoding", message, level="note")


def _shown(data: bytes) -> str | None:
    if data.startswith(tuple(_MARKS)):
        return None
    few, many = sorted((data[place::2].count(0), place) for place in (0, 1))
    if many[0] > _ZEROS * len(data) / 2 and few[0] < _FEW_ZEROS * many[0]:
        return _UNMARKED[many[1]]
    return next((name for escape, name in _ESCAPED.items() if escape in data), None) if data.isascii() else None


def _decode_damaged(data: bytes, encoding: str) -> tuple[str, Finding]:
    text = data.decode(encoding, "replace")
    broken = text.count("\ufffd")
    fitting = sum(not c.isascii() for c in text) - broken
    if encoding == "utf-8" and broken > fitting and (guess := _likeliest(data)):
        message = f"transcript: not valid UTF-8; decoded as {guess}, which is a guess"
        return data.decode(guess, "replace"), Finding("transcript_encoding", message)
    message = f"transcript: not valid {encoding.upper()}; broken bytes or characters shown as U+FFFD: {broken}"
    return text, Finding("transcript_encoding", message)


def _likeliest(data: bytes) -> str | None:
    """The encoding that explains the bytes best; between equals cp1252, the commonest of its family by far."""
    telling = b"\n".join(line for line in data.splitlines() if not line.isascii())[:_SAMPLE_BYTES]
    ranked = sorted(from_bytes(telling), key=lambda m: (m.chaos, -m.coherence, "cp1252" not in m.could_be_from_charset))
    names = ranked[0].could_be_from_charset if ranked else []
    return "cp1252" if "cp1252" in names else next(iter(names), None)


def clean(text: str) -> str:
    """On one line: runs of blanks and line ends become one blank; control characters go; a lone surrogate is U+FFFD."""
    if text.isprintable() and "  " not in text:  # nearly all text; a transcript has a hundred thousand words
        return text
    return _SURROGATES.sub("\ufffd", _BLANKS.sub(" ", _CONTROLS.sub("", text)))


def has_surrogates(text: str) -> bool:
    """Whether UTF-8 cannot hold `text`: JSON escapes can make half a character."""
    return _SURROGATES.search(text) is not None
