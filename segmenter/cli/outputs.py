"""What commands may write, found out before any work."""

from __future__ import annotations

from pathlib import Path

from segmenter.errors import SettingsError


def writable(out: Path, kind: str, *endings: str) -> None:
    """Makes sure that `out` is the name of a `kind` that can be written.

    Raises:
        SettingsError: it ends otherwise, is a folder, or its folder is not there.
    """
    if out.suffix.lower() not in endings:
        raise SettingsError(f"no {kind} that can be written", path=out, hint=f"end the name with {' or '.join(endings)}")
    if out.is_dir():
        raise SettingsError(f"a folder, not a {kind} to write", path=out, hint="name a file in it")
    if not out.parent.is_dir():
        raise SettingsError("no such folder to write into", path=out.parent, hint="make it, or choose another")
