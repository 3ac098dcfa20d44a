"""A line for a chunk, for chapters and tables."""

from __future__ import annotations

from rich.cells import cell_len, split_graphemes

from segmenter.formats.text import clean
from segmenter.records import Chunk

_UNICODE = "latest"  # not what the terminal at hand happens to know: the same text gives the same title everywhere


def title(chunk: Chunk, columns: int = 60) -> str:
    """Its title, else the first words of what is said, else the labels of what is seen, else the kind of the chunk."""
    found = (clean(text).strip(" ") for text in (chunk.title, chunk.text, ", ".join(chunk.labels)))
    return shorten(next(filter(None, found), chunk.kind), columns)


def shorten(text: str, columns: int) -> str:
    """`text` if it fits, else cut with a `…`: at a blank in its second half, or between any two characters as people see them."""
    start = text[: 20 * columns]  # far more than fits, so that a chunk of a million characters costs no more
    if len(start) == len(text) and cell_len(text, unicode_version=_UNICODE) <= columns:
        return text
    end, width = 0, 1  # the width of the mark
    for _, until, cells in split_graphemes(start, _UNICODE)[0]:
        width += cells
        if width > columns:
            break
        end = until
    blank = text.rfind(" ", 0, end + 1)
    return text[: blank if blank > end // 2 else end].rstrip(" ") + "…"
