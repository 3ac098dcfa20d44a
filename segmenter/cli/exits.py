"""What the exit status of a command says."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from enum import IntEnum

from segmenter.errors import ModelMissing, PackageMissing, SegmenterError, SettingsError, printable

_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)  # no fault of the program's


class Exit(IntEnum):
    OK = 0
    FAILED = 1  # some recording failed, or a file of its folder, each with its reason
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
    if isinstance(error, OSError) and error.errno in _MACHINE:
        return f"error: {printable(str(error.filename or 'the output'))}: {error.strerror} (make room, or choose another place)"
    return f"error: something went wrong that should not have: {reason(error)} (run again with --debug and report it)"


def reason(error: Exception) -> str:
    """What went wrong, in a line that has named the file already."""
    if isinstance(error, OSError) and error.errno in _MACHINE:
        return error.strerror or str(error)
    return printable(str(error) if isinstance(error, SegmenterError) else f"{type(error).__name__}: {error}")
