"""What the exit status of a command says."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from enum import IntEnum

from segmenter.errors import ModelMissing, PackageMissing, SegmenterError, SettingsError, printable

_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)  # no fault of the program's


class Exit(IntEnum):
    OK = 0
    FAILED = 1  # some recording failed, its topic breaks, or a file of its folder, each with its reason
    USAGE = 2  # wrong use or settings
    MODEL = 3  # a model or package is missing
    INTERRUPTED = 130


def code_for(error: Exception) -> Exit:
    if isinstance(error, SettingsError):
        return Exit.USAGE
    if isinstance(error, (ModelMissing, PackageMissing)):
        return Exit.MODEL
    return Exit.FAILED


def overall(codes: Iterable[Exit]) -> Exit:
    """The status of a command that did several things: theirs where they agree."""
    kinds = set(codes) or {Exit.OK}
    return kinds.pop() if len(kinds) == 1 else Exit.FAILED


def describe(error: Exception) -> str:
    """One line for the person."""
    if isinstance(error, SegmenterError):
        return f"error: {error}"
    if fault := _of_machine(error):
        place = getattr(error, "filename", None) or "the output"
        return f"error: {printable(str(place))}: {fault} (make room, or choose another place)"
    return f"error: something went wrong that should not have: {reason(error)} (run again with --debug and report it)"


def reason(error: Exception) -> str:
    """What went wrong, in a line that has named the file already."""
    return _of_machine(error) or printable(
        str(error) if isinstance(error, SegmenterError) else f"{type(error).__name__}: {error}"
    )


def _of_machine(error: Exception) -> str | None:
    """What the system said, if it is to blame; stores and encoders written in other languages hand it on as text alone."""
    if isinstance(error, SegmenterError):
        return None
    number = error.errno if isinstance(error, OSError) else None
    return next((os.strerror(code) for code in _MACHINE if code == number or os.strerror(code) in str(error)), None)
