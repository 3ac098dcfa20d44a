"""What the exit status of a command says."""

from __future__ import annotations

import errno
from enum import IntEnum

from segmenter.errors import ModelMissing, PackageMissing, SegmenterError, SettingsError, printable

_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)  # no fault of the program's


class Exit(IntEnum):
    OK = 0
    FAILED = 1  # some recording failed, each with its reason
    USAGE = 2  # wrong use or settings
    MODEL = 3  # a model or package is missing
    INTERRUPTED = 130


def code_for(error: Exception) -> Exit:
    if isinstance(error, SettingsError):
        return Exit.USAGE
    if isinstance(error, (ModelMissing, PackageMissing)):
        return Exit.MODEL
    return Exit.FAILED


def describe(error: Exception) -> str:
    """One line for the person."""
    if isinstance(error, SegmenterError):
        return f"error: {error}"
    if isinstance(error, OSError) and error.errno in _MACHINE:
        return f"error: {printable(str(error.filename or 'the output'))}: {error.strerror} (make room, or choose another place)"
    what = printable(f"{type(error).__name__}: {error}")
    return f"error: something went wrong that should not have: {what} (run again with --debug and report it)"
