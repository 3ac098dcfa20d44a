"""What the exit status of a command says."""

from __future__ import annotations

from enum import IntEnum

from segmenter.errors import ModelMissing, PackageMissing, SegmenterError, SettingsError, printable


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
    what = printable(f"{type(error).__name__}: {error}")
    return f"error: something went wrong that should not have: {what} (run again with --debug and report it)"
