"""What a report adds to the folder of a run."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from segmenter.formats.folder import Writer, add
from segmenter.progress import Progress, silent
from segmenter.records import Segmentation
from segmenter.report import page, stills


def writers(progress: Progress = silent) -> dict[str, Writer]:
    """For `folder.write`: the stills, then the page that shows them."""
    return {"stills": partial(stills.write, progress=progress), "report.html": partial(page.write, progress=progress)}


def renew(segmentation: Segmentation, folder: Path, progress: Progress = silent) -> bool:
    """Makes the report of a finished run anew; where the recording is gone, from the stills that are there.

    Returns whether the recording was still where it had been.

    Raises:
        SegmenterError: the folder cannot be written.
    """
    there = Path(segmentation.recording.path).is_file()
    without = {"report.html": partial(page.write, stills=folder / "stills")}
    add(segmentation, folder, writers(progress) if there else without)
    return there
