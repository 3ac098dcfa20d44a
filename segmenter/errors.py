"""What can go wrong and be mended by the person who runs segmenter.

SegmenterError
├── InputError          the file cannot be used
│   ├── BadInput        not a recording or transcript, or too damaged
│   ├── NotAFile        missing, a folder, a device, an address, no permission
│   ├── ForbiddenInput  names other files or addresses
│   └── TooLarge        beyond a limit that protects the machine
├── SettingsError       an unknown name or an impossible value
│   └── ServerError     a server that the settings name is not there, refuses, or answers what cannot be used
├── ModelMissing        weights that are not on this machine
└── PackageMissing      an optional package that is not installed
"""

from __future__ import annotations

import os
from unicodedata import category


class SegmenterError(Exception):
    """One line for the person: what happened, to which file, what to do next.

    `what` says what happened, `path` to which file, `hint` what to do next.
    """

    def __init__(self, what: str, *, path: str | os.PathLike[str] | None = None, hint: str = "") -> None:
        self.what, self.path, self.hint = what, path, hint
        subject = f"{printable(os.fspath(path))}: " if path is not None else ""
        super().__init__(subject + what + (f" ({hint})" if hint else ""))


class InputError(SegmenterError):
    """The file cannot be used."""


class BadInput(InputError):
    """Not a recording or a transcript, or too damaged to use."""


class NotAFile(InputError):
    """Missing, a folder, a device, a pipe, an address, or not readable."""


class ForbiddenInput(InputError):
    """Names other files or addresses, which segmenter never opens."""


class TooLarge(InputError):
    """Beyond a limit that protects the machine."""


class SettingsError(SegmenterError):
    """An unknown name or an impossible value in the settings."""


class ServerError(SettingsError):
    """A server that the settings name is not there, refuses, or answers what cannot be used.

    `status` is the HTTP status with which it refuses.
    """

    def __init__(self, what: str, *, hint: str = "", status: int | None = None) -> None:
        super().__init__(what, hint=hint)
        self.status = status


class ModelMissing(SegmenterError):
    """Weights that are not on this machine."""


class PackageMissing(SegmenterError):
    """An optional package that is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"the package {package} is not installed", hint=f"pip install 'segmenter[{extra}]'")


def printable(text: str) -> str:
    """`text` on one line that any terminal, JSON reader or UTF-8 file accepts: no control characters, no lone surrogates."""
    return "".join(c if c.isprintable() or c in _JOINERS or category(c) == "Zs" else _escaped(ord(c)) for c in text)


_JOINERS = "\u200c\u200d"  # of letters and emoji; harmless, and ordinary in names


def _escaped(code: int) -> str:
    """As Python writes it; a byte of a file name that is not UTF-8 (PEP 383) as that byte."""
    code = code - 0xDC00 if 0xDC80 <= code <= 0xDCFF else code
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"


def well_formed(text: str) -> str:
    """`text` with lone surrogates written out, so that it can be UTF-8; all else as it is."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
