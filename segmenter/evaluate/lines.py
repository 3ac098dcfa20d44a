"""JSON Lines of a known form: what is wrong with a line is said with its number, and how lines should look."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from segmenter.errors import BadInput
from segmenter.files import local_file
from segmenter.formats.faults import table, told

Made = TypeVar("Made")


def rows(path: Path, what: str, form: str, made: Callable[[dict[str, Any]], Made]) -> Iterator[Made]:
    """What `made` makes of the object in each line of a file, gzip or not.

    Raises:
        BadInput: a line that `made` cannot use is no such `what`, which looks like `form`.
    """
    for number, line in enumerate(_text(path, what).split("\n"), 1):
        if line.strip():
            with told(path, f"line {number} is no {what}", f"a line is {form}"):
                row = made(table(json.loads(line)))
            yield row


def _text(path: Path, what: str) -> str:
    data = local_file(path).read_bytes()
    try:
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise BadInput(f"neither UTF-8 text nor gzip of it: {error}", path=path, hint=f"give lines, each a {what}") from error
