"""Tables of strategies: a name and where it is, imported when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from segmenter.errors import PackageMissing, SettingsError


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy: `place` is `module:attribute`; `packages` are what it imports, from the extra `extra`."""

    place: str
    about: str
    packages: tuple[str, ...] = ()
    extra: str = ""


def check(kind: str, rows: Mapping[str, Row], name: str) -> Row:
    """The row called `name`, with its packages installed.

    Raises:
        SettingsError: no such row; the message lists the known ones.
        PackageMissing: it needs a package that is not installed.
    """
    if name not in rows:
        raise SettingsError(f"there is no {kind} called {name!r}", hint=f"choose one of: {', '.join(rows)}")
    for package in rows[name].packages:
        if find_spec(package) is None:
            raise PackageMissing(package, rows[name].extra)
    return rows[name]


def load(kind: str, rows: Mapping[str, Row], name: str) -> Callable[..., Any]:
    """The class or function behind the row called `name`."""
    module, _, attribute = check(kind, rows, name).place.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), attribute)
    return found
