"""What a report adds to the folder of a run."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from segmenter.formats import clips_json
from segmenter.formats.folder import Writer, add
from segmenter.progress import Progress, silent
from segmenter.records import Segmentation
from segmenter.report import contact, page, stills


def writers(progress: Progress = silent, clips: Path | None = None) -> dict[str, Writer]:
    """For `folder.write`: the stills, the sheet and the page that show them; the page links to clips, by default beside it."""
    return {
        "stills": partial(stills.write, progress=progress),
        "contact.jpg": contact.write,
        "report.html": partial(page.write, clips=clips, progress=progress),
    }


def renew(segmentation: Segmentation, folder: Path, progress: Progress = silent) -> bool:
    """Makes the report of a finished run anew; where the recording is gone, from the stills that are there.

    Returns whether the recording was still where it had been.

    Raises:
        SegmenterError: the folder cannot be written.
    """
    there = Path(segmentation.recording.path).is_file()
    clips = folder / clips_json.FOLDER
    without = {"report.html": partial(page.write, pictures=folder / "stills", clips=clips)}
    add(segmentation, folder, writers(progress, clips) if there else without)
    return there
