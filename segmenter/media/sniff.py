"""What a file is by its first bytes, before any library reads it: the name proves nothing.

A playlist or manifest makes media libraries open the files and addresses it names; it is refused here, while only
this one file is open. Stills and plain text get a line of their own, clearer than "invalid data".
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

from segmenter.errors import BadInput, ForbiddenInput, TooLarge

HEAD_BYTES = 4096
MAX_PIXELS = 50_000_000  # 8K video has 33 million; the same picture as float RGB takes 600 MB

# Text that names other files or addresses. Matched against the first 4 KB, lower case, byte order mark removed.
_REFERENCES: tuple[tuple[str, re.Pattern[bytes]], ...] = tuple(
    (name, re.compile(pattern, re.DOTALL))
    for name, pattern in (
        ("an HLS or M3U playlist", rb"#extm3u|#extinf|#ext-x-"),
        ("a concat script", rb"ffconcat\b|file\s+['\"]?[^\n]*\n"),
        ("a DASH manifest", rb"[^\0]*<mpd[\s>]"),
        ("a streaming manifest", rb"[^\0]*<(smoothstreamingmedia|manifest)[\s>]"),
        ("an SVG drawing", rb"[^\0]*<svg[\s>]"),
        ("an XML playlist", rb"[^\0]*<(asx|smil|playlist|wvx|wpl|\?wpl)[\s>]"),
        ("a session description (SDP)", rb"v=0\r?\n"),
        ("a PLS playlist", rb"\[playlist\]"),
        ("a reference playlist", rb"\[reference\]|rtsptext|smiltext"),
        ("a CUE sheet", rb"(rem|performer|title|file)\s[^\0]*\btrack\s+\d+\s+audio"),
        ("a list of addresses", rb"[a-z][a-z0-9+.-]{1,15}://\S+\s*(\n|$)"),
    )
)

_STILLS: tuple[tuple[str, re.Pattern[bytes]], ...] = tuple(
    (name, re.compile(pattern, re.DOTALL))
    for name, pattern in (
        ("PNG", rb"\x89PNG\r\n\x1a\n"),
        ("JPEG", rb"\xff\xd8\xff"),
        ("WebP", rb"RIFF....WEBP"),
        ("TIFF", rb"II\*\0|MM\0\*"),
        ("BMP", rb"BM....\0\0\0\0"),
        ("HEIF", rb"....ftyp(heic|heix|mif1|avif)"),
        ("Photoshop", rb"8BPS\0"),
        ("JPEG XL", rb"\xff\x0a|\0\0\0\x0cJXL "),
    )
)


def refuse_foreign(head: bytes, path: Path) -> None:
    """Raises when `head`, the first HEAD_BYTES of the file, is not the beginning of a recording.

    Raises:
        ForbiddenInput: a playlist, manifest or drawing that names other files or addresses.
        BadInput: a still picture or plain text.
        TooLarge: a still picture beyond MAX_PIXELS.
    """
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for name, pattern in _REFERENCES:
        if pattern.match(text):
            raise ForbiddenInput(
                f"{name}, not a recording: it names other files or addresses, which are never opened",
                path=path,
                hint="give the recording itself",
            )
    for name, pattern in _STILLS:
        if pattern.match(head) and not _is_animated_png(head):
            _refuse_still(name, head, path)
    if _is_text(head):
        raise BadInput("plain text, not a recording", path=path)


def _is_animated_png(head: bytes) -> bool:
    return head.startswith(b"\x89PNG") and b"acTL" in head.partition(b"IDAT")[0]


def _refuse_still(name: str, head: bytes, path: Path) -> None:
    if name == "PNG" and len(head) >= 24:
        width, height = struct.unpack(">II", head[16:24])
        if width * height > MAX_PIXELS:
            raise TooLarge(f"a still picture of {width}x{height} pixels, not a recording", path=path)
    raise BadInput(f"a still picture ({name}), not a recording", path=path)


def _is_text(head: bytes) -> bool:
    """No byte that text never has, and UTF-8 up to a character that the head's end may cut."""
    if re.search(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]", head):
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(head) - 3
    return True
