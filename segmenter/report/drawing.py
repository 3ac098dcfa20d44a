"""Lettering and shapes on pictures, by Pillow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from segmenter.errors import SegmenterError
from segmenter.media.frames import Frame
from segmenter.zoning import Line, Point, Zone

COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#cc79a7", "#d55e00")  # Okabe and Ito (2008), light enough for black text
_QUALITY = 88  # of 95: no blocks around letters
_FILL = 70  # of 255: the scene stays visible under a zone
_ARROW = 0.09  # of the picture's height


def as_image(picture: Frame) -> Image.Image:
    return Image.fromarray(picture.image[..., ::-1])


def save(image: Image.Image, path: Path) -> None:
    """As a JPEG.

    Raises:
        SegmenterError: the file cannot be written.
    """
    try:
        image.convert("RGB").save(path, "JPEG", quality=_QUALITY, optimize=True)
    except OSError as error:
        raise SegmenterError(f"cannot be written: {error.strerror or error}", path=path) from error


def letter(draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size_px: int, ground: str = "#000000") -> None:
    """Text on a ground of its own, legible on any picture; its upper left corner is `at`."""
    font = ImageFont.load_default(size_px)
    left, top, right, bottom = draw.textbbox(at, text, font=font)
    margin = max(2, size_px // 5)
    draw.rectangle((left - margin, top - margin, right + margin, bottom + margin), fill=ground)
    draw.text(at, text, font=font, fill="#000000" if ground != "#000000" else "#ffffff")


def with_zones(image: Image.Image, zones: Sequence[Zone], lines: Sequence[Line]) -> Image.Image:
    """The picture with the zones filled and named, and the lines with an arrow to their right side."""
    veil = Image.new("RGBA", image.size)
    draw = ImageDraw.Draw(veil)
    size_px, width = max(14, image.height // 28), max(2, image.height // 180)
    for number, zone in enumerate(zones):
        colour = COLOURS[number % len(COLOURS)]
        corners = [_scaled(point, image) for point in zone.polygon]
        draw.polygon(corners, fill=(*_rgb(colour), _FILL))
        draw.line([*corners, corners[0]], fill=colour, width=width, joint="curve")
    for number, line in enumerate(lines, start=len(zones)):
        _line(draw, line, image, COLOURS[number % len(COLOURS)], width)
    named = [(zone.name, min(zone.polygon, key=sum)) for zone in zones] + [(line.name, line.start) for line in lines]
    for number, (name, at) in enumerate(named):
        _name(draw, name, _scaled(at, image), image, size_px, COLOURS[number % len(COLOURS)])
    return Image.alpha_composite(image.convert("RGBA"), veil).convert("RGB")


def _line(draw: ImageDraw.ImageDraw, line: Line, image: Image.Image, colour: str, width: int) -> None:
    """With an arrow from its middle to its right: a quarter turn clockwise, as the picture's y goes down."""
    (x0, y0), (x1, y1) = start, end = _scaled(line.start, image), _scaled(line.end, image)
    draw.line([start, end], fill=colour, width=2 * width)
    reach = _ARROW * image.height / ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    along = ((x1 - x0) * reach, (y1 - y0) * reach)
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    tip, neck = ((middle[0] - along[1] * share, middle[1] + along[0] * share) for share in (1.0, 0.4))
    draw.line([middle, neck], fill=colour, width=2 * width)
    wings = [(neck[0] + along[0] * share, neck[1] + along[1] * share) for share in (-0.4, 0.4)]
    draw.polygon([tip, *wings], fill=colour)


def _name(draw: ImageDraw.ImageDraw, name: str, at: tuple[float, float], image: Image.Image, size_px: int, colour: str) -> None:
    """Near its corner, inside the picture."""
    wide = draw.textlength(name, font=ImageFont.load_default(size_px))
    x = min(max(at[0] + size_px / 2, size_px / 2), image.width - wide - size_px / 2)
    y = min(max(at[1] + size_px / 2, size_px / 2), image.height - 2 * size_px)
    letter(draw, (x, y), name, size_px, colour)


def _scaled(point: Point, image: Image.Image) -> tuple[float, float]:
    return point[0] * image.width, point[1] * image.height


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
