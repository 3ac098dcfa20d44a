"""The one way to a file that somebody named: a regular file of this machine, never an address, a pipe or a device."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from pathlib import Path

from segmenter.errors import BadInput, NotAFile, TooLarge

_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe (FIFO)", stat.S_IFSOCK: "a socket"}


def local_file(path: str | os.PathLike[str]) -> Path:
    """The absolute path of a regular file that can be read; links are followed.

    Nothing is opened yet: opening a pipe would wait for its writer, and a device may act on it.

    Raises:
        NotAFile: missing, a folder, a device, a pipe, an address, or not readable.
        BadInput: the file is empty.
    """
    try:
        status = Path(path).stat()
        absolute = Path(path).parent.resolve() / Path(path).name  # one spelling for one file; its own name stays as given
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise _not_there(path, error) from error
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "a device")
        raise NotAFile(f"{kind}, not a file", path=path, hint="give a regular file")
    if not os.access(path, os.R_OK):
        raise NotAFile("no permission to read it", path=path)
    if status.st_size == 0:
        raise BadInput("the file is empty (0 bytes)", path=path)
    return absolute


def _not_there(path: str | os.PathLike[str], error: Exception) -> NotAFile:
    if not isinstance(error, FileNotFoundError):
        return NotAFile(f"not a file name: {getattr(error, 'strerror', None) or error}", path=path)
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", str(path)):
        return NotAFile("no such file; addresses are not opened", path=path, hint="download it and give the local file")
    return NotAFile("no such file", path=path)


def content_id(path: Path) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of the whole file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def read_bytes(path: str | os.PathLike[str], limit_bytes: int) -> bytes:
    """The whole of a small file.

    Raises:
        NotAFile, BadInput: see `local_file`.
        TooLarge: more than `limit_bytes`.
    """
    data = read_start(path, limit_bytes + 1)
    if len(data) > limit_bytes:
        raise TooLarge(f"larger than the limit of {limit_bytes // 1_000_000} MB", path=path)
    return data


def read_start(path: str | os.PathLike[str], size_bytes: int) -> bytes:
    """The first `size_bytes` of a file, or all of a shorter one.

    Raises:
        NotAFile, BadInput: see `local_file`, or it cannot be read.
    """
    try:
        with local_file(path).open("rb") as file:
            return file.read(size_bytes)
    except OSError as error:
        raise NotAFile(f"it cannot be read: {error.strerror}", path=path) from error
