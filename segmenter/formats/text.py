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
_COMPRESSED = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_SAMPLE_BYTES = 32_000  # of lines that are not plain ASCII: enough to tell an encoding from, and quick

_BLANKS = re.compile("[\t\n\x0b\x0c\r\x1c-\x1f\x85\u2028\u2029 ]+")  # not U+00A0: it holds a word together
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def decode(data: bytes, path: str | os.PathLike[str], whole: bool = True) -> tuple[str, Finding | None]:
    """The text of a file, and what was wrong with its encoding; not `whole`: of its start, which may end inside a character.

    A byte order mark names the encoding, else it is UTF-8. Where that does not fit: UTF-8 with a few broken bytes
    if most of what is not ASCII fits, else the encoding that charset-normalizer finds the likeliest.

    Raises:
        BadInput: compressed, or binary.
    """
    for magic, name in _COMPRESSED.items():
        if data.startswith(magic):
            raise BadInput(f"compressed ({name}), not a text in a known format", path=path, hint="unpack it first")
    encoding = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, final=whole), None
    except UnicodeDecodeError:
        if encoding == "utf-8" and b"\0" in data:
            raise BadInput("binary, not a transcript", path=path, hint="were two files given the wrong way round?") from None
    return _decode_damaged(data, encoding)


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
