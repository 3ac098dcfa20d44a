"""What is wrong with a file that somebody wrote by hand, in words: every reader of JSON says it alike."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from segmenter.errors import BadInput

FAULTS = (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError)


@contextmanager
def told(path: str | os.PathLike[str], what: str, hint: str = "") -> Iterator[None]:
    """Whatever a reader stumbles over in JSON of another form than it expects.

    Raises:
        BadInput: `what`, and what is wrong; `hint` says how it should look.
    """
    try:
        yield
    except FAULTS as error:
        raise BadInput(f"{what}: {wrong(error)}", path=path, hint=hint) from error


def wrong(error: Exception) -> str:
    """What an error of reading says about the file."""
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    if isinstance(error, json.JSONDecodeError):
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        return f"it is no JSON ({error.msg} at {line}character {error.colno})"
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return str(error) if isinstance(error, ValueError) else f"something in it is of the wrong type ({error})"


def table(found: object) -> dict[str, Any]:
    """`found`, where it is a JSON object.

    Raises:
        ValueError: it is something else.
    """
    if not isinstance(found, dict):
        raise ValueError("it is no JSON object")
    return found
