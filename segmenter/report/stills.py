"""The folder `stills`: small JPEG files of the chunks, events and tracks, each picture once, and a list of them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from av.error import FFmpegError
from numpy.typing import NDArray
from PIL import Image

from segmenter.errors import InputError
from segmenter.formats import stills_json
from segmenter.media.frames import Frame
from segmenter.media.stills import pictures_at
from segmenter.progress import Progress, silent
from segmenter.records import Box, Segmentation
from segmenter.report.drawing import as_image, save
from segmenter.report.shots import Shot, shots

WIDTH_PX = 320
_MARGIN = 0.2  # of a box's sides, kept around it
# A perceptual hash of 64 bits overlooks somebody small in a large scene. Pictures are alike here where no part of them,
# one of 64 in a row, differs by more than a camera's noise does.
_PRINT_PX = 64
_NOISE = 8  # of 255
_REMEMBERED = 64  # pictures that later ones are compared with


def write(segmentation: Segmentation, folder: Path, progress: Progress = silent) -> None:
    """The pictures of a recording that has some; one that cannot be read any more leaves the folder empty."""
    folder.mkdir()
    taken, kept = stills_json.Links(), _Kept()
    if segmentation.recording.video:
        try:
            for shot, time, image in _taken(segmentation, progress):
                twin = kept.twin(shot, image)
                if twin is None:
                    save(image, folder / shot.name)
                taken[shot.name] = {"file": twin or shot.name, "time": round(time, 3)}
        except (InputError, FFmpegError):  # the file was moved since, or is damaged: the page does without
            pass
    stills_json.write(taken, folder)


class _Kept:
    """The whole pictures that were written last, to know those that come again."""

    def __init__(self) -> None:
        self._prints: deque[tuple[str, NDArray[np.int16]]] = deque(maxlen=_REMEMBERED)

    def twin(self, shot: Shot, image: Image.Image) -> str | None:
        """The name of an earlier picture that shows the same; what is cut out stands for its track and has none."""
        if shot.box is not None:
            return None
        height = max(1, round(_PRINT_PX * image.height / image.width))
        small = image.convert("L").resize((_PRINT_PX, height), Image.Resampling.BOX)
        own = np.asarray(small, np.int16)
        for name, other in self._prints:
            if other.shape == own.shape and np.abs(other - own).max() <= _NOISE:
                return name
        self._prints.append((shot.name, own))
        return None


def _taken(segmentation: Segmentation, progress: Progress) -> Iterator[tuple[Shot, float, Image.Image]]:
    """Each shot with its picture and when that appeared, in the order in which they are done."""
    recording, wanted = segmentation.recording, shots(segmentation)
    looks = sorted(((time, shot) for shot in wanted for time in shot.looks()), key=lambda look: (look[0], look[1].name))
    left = Counter(shot.name for _, shot in looks)
    best: dict[str, tuple[float, float, Image.Image]] = {}  # sharpness, time, picture
    pictures = pictures_at(recording, recording.video[0], [time for time, _ in looks])
    for (time, shot), picture in zip(looks, pictures, strict=True):
        progress("stills", min(time, recording.duration), recording.duration)
        left[shot.name] -= 1
        if picture is not None:
            sharpness, image = _look(picture, shot.box)
            best[shot.name] = max(best.get(shot.name, (-1.0, 0.0, image)), (sharpness, picture.time, image), key=lambda b: b[0])
        if not left[shot.name] and shot.name in best:
            _, when, image = best.pop(shot.name)
            yield shot, when, image
    progress("stills", recording.duration, recording.duration)


def _look(picture: Frame, box: Box | None) -> tuple[float, Image.Image]:
    """The picture, or what is in the box, at most WIDTH_PX wide, and how sharp it is."""
    image = as_image(picture)
    sharpness = 0.0
    if box is not None:
        image = image.crop(_widened(box, image.width, image.height))
        sharpness = _sharpness(image)
    image.thumbnail((WIDTH_PX, 2 * WIDTH_PX), Image.Resampling.LANCZOS)
    return sharpness, image


def _widened(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """In pixels, with a margin, inside the picture, and never empty."""
    across, down = _MARGIN * (box.right - box.left), _MARGIN * (box.bottom - box.top)
    left, top = (int(max(0.0, edge) * side) for edge, side in ((box.left - across, width), (box.top - down, height)))
    right, bottom = (round(min(1.0, edge) * side) for edge, side in ((box.right + across, width), (box.bottom + down, height)))
    left, top = min(left, width - 1), min(top, height - 1)
    return left, top, max(right, left + 1), max(bottom, top + 1)


def _sharpness(image: Image.Image) -> float:
    """The variance of the Laplacian (Pech-Pacheco et al. 2000): blur has little of it."""
    grey = np.asarray(image.convert("L"), np.float32)
    if min(grey.shape) < 3:
        return 0.0
    around = grey[:-2, 1:-1] + grey[2:, 1:-1] + grey[1:-1, :-2] + grey[1:-1, 2:]
    return float((4 * grey[1:-1, 1:-1] - around).var())
