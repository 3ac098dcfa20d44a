"""Two boxes: what they share, and how alike they are."""

from __future__ import annotations

from collections.abc import Iterable

from segmenter.records import Box


def touches(box: Box, others: Iterable[Box]) -> bool:
    """Whether `box` overlaps one of `others`."""
    return any(shared(box, other) > 0 for other in others)


def shared(a: Box, b: Box) -> float:
    """The area that both cover."""
    across = min(a.right, b.right) - max(a.left, b.left)
    down = min(a.bottom, b.bottom) - max(a.top, b.top)
    return max(0.0, across) * max(0.0, down)


def likeness(a: Box, b: Box) -> float:
    """Intersection over union, 0 to 1."""
    both = shared(a, b)
    union = area(a) + area(b) - both
    return both / union if union else 0.0


def area(box: Box) -> float:
    """As a share of the picture."""
    return (box.right - box.left) * (box.bottom - box.top)
