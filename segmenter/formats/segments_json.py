"""`segments.json`: the whole segmentation, and back. The published JSON Schema comes from the same records."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from segmenter.errors import BadInput, well_formed
from segmenter.records import Segmentation

if TYPE_CHECKING:
    from pydantic import TypeAdapter

NAME = "segments.json"
_TIMES = {"start", "end", "time", "times", "duration", "moved_from", "moved", "stood"}


def as_dict(segmentation: Segmentation) -> dict[str, Any]:
    """Plain lists, dicts, strings and numbers. Times are rounded to milliseconds here and nowhere else."""
    data = _adapter().dump_python(segmentation)
    return {key: value if key == "settings" else outward(value, key) for key, value in data.items()}


def write(segmentation: Segmentation, path: Path) -> None:
    path.write_text(json.dumps(as_dict(segmentation), ensure_ascii=False, allow_nan=False, indent=1) + "\n", encoding="utf-8")


def read(path: str | Path) -> Segmentation:
    """The records as they were written.

    Raises:
        BadInput: the file cannot be read, or is not a segmentation.
    """
    from pydantic import ValidationError

    try:
        return _adapter().validate_json(Path(path).read_bytes())
    except OSError as error:
        hint = "name a folder that `segmenter run` wrote"
        raise BadInput(f"cannot be read: {error.strerror}", path=path, hint=hint) from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        what = f"is not a segmentation that this version can read: {where}: {first['msg']}"
        raise BadInput(what, path=path, hint="make it again with segmenter run") from error


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_adapter().json_schema(mode="serialization")}


@cache
def _adapter() -> TypeAdapter[Segmentation]:
    from pydantic import TypeAdapter

    return TypeAdapter(Segmentation)


def outward(value: Any, key: str) -> Any:
    """Times to milliseconds, other fractions to four decimals, strings without lone surrogates (odd file names)."""
    if isinstance(value, float):
        return round(value, 3 if key in _TIMES else 4)
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {k: outward(v, k) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [outward(v, key) for v in value]
    return value
