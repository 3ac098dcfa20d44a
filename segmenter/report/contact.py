"""`contact.jpg`: the recording on one sheet, its stills in order of time with what they show."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from segmenter.errors import printable
from segmenter.formats import stills_json
from segmenter.formats.stills_json import chunk_name, event_name
from segmenter.formats.title import shorten, title
from segmenter.records import Segmentation
from segmenter.report import drawing, stills
from segmenter.timeline import clock

_COLUMNS, _MOST = 4, 60  # more pictures are thinned out evenly
_TILE = (stills.WIDTH_PX, stills.WIDTH_PX * 9 // 16)
_GAP, _CAPTION, _HEAD = 10, 24, 46  # px
_LETTERS, _TITLE = 15, 20
_COLUMNS_OF_TEXT = 34  # what fits under a tile
_PAPER, _INK = "#ffffff", "#1b1f24"


def write(segmentation: Segmentation, path: Path) -> None:
    """From the stills beside it; without any there is no sheet."""
    tiles = _thinned(_tiles(segmentation, path.parent / "stills"))
    if not tiles:
        return
    rows = -(-len(tiles) // _COLUMNS)
    size = (_GAP + _COLUMNS * (_TILE[0] + _GAP), _HEAD + rows * (_TILE[1] + _CAPTION + _GAP))
    sheet = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.text((_GAP, _GAP), _heading(segmentation), font=ImageFont.load_default(_TITLE), fill=_INK)
    for number, (caption, file) in enumerate(tiles):
        row, column = divmod(number, _COLUMNS)
        corner = _GAP + column * (_TILE[0] + _GAP), _HEAD + row * (_TILE[1] + _CAPTION + _GAP)
        with Image.open(file) as still:
            still.thumbnail(_TILE)
            sheet.paste(still, (corner[0] + (_TILE[0] - still.width) // 2, corner[1] + (_TILE[1] - still.height) // 2))
        draw.text((corner[0], corner[1] + _TILE[1] + 3), caption, font=ImageFont.load_default(_LETTERS), fill=_INK)
    drawing.save(sheet, path)


def _tiles(segmentation: Segmentation, folder: Path) -> list[tuple[str, Path]]:
    """Caption and file of each picture, in order of time, each file once."""
    events = [(event_name(e.id), f"event {e.id}: {', '.join(e.labels)}") for e in segmentation.events]
    chunks = [(chunk_name(i), title(chunk)) for i, chunk in enumerate(segmentation.chunks)]
    taken, found = stills_json.read(folder), dict[str, tuple[float, str]]()
    for name, what in (*events, *chunks):
        if name in taken and taken[name]["file"] not in found:
            found[taken[name]["file"]] = taken[name]["time"], what
    ordered = sorted(found.items(), key=lambda item: item[1][0])
    return [(shorten(f"{clock(time, 0)}  {what}", _COLUMNS_OF_TEXT), folder / file) for file, (time, what) in ordered]


def _thinned(tiles: list[tuple[str, Path]]) -> list[tuple[str, Path]]:
    count = min(len(tiles), _MOST)
    return [tiles[i * len(tiles) // count] for i in range(count)]


def _heading(segmentation: Segmentation) -> str:
    recording = segmentation.recording
    return f"{printable(Path(recording.path).name)}   {clock(recording.duration, 0)}"
