"""The clips of a finished run, in its folder: whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from segmenter.clips.cutting import cut
from segmenter.clips.modes import check
from segmenter.clips.plan import planned
from segmenter.errors import BadInput
from segmenter.files import local_file
from segmenter.formats import chunks_jsonl, clips_json
from segmenter.formats.clips_json import ClipFile
from segmenter.formats.folder import Writer
from segmenter.progress import Progress, silent
from segmenter.records import Finding, Segmentation
from segmenter.settings import ClipSettings

Report = Callable[[Finding], None]


def writers(settings: ClipSettings, report: Report, progress: Progress = silent) -> dict[str, Writer]:
    """For `folder.write` and `folder.add`: the clips, then the chunks anew, which name them.

    Raises:
        SettingsError: there is no such way of cutting.
    """
    check(settings.mode)
    clips = partial(write, settings=settings, report=report, progress=progress)
    return {clips_json.FOLDER: clips, "chunks.jsonl": chunks_jsonl.write}


def write(found: Segmentation, folder: Path, settings: ClipSettings, report: Report, progress: Progress = silent) -> None:
    """All clips of a recording and their list. One that cannot be made is left out and reported, the others are there.

    Raises:
        NotAFile: the recording is not where it was.
    """
    folder.mkdir()
    made: list[ClipFile] = []
    if found.recording.video or found.recording.audio:  # a transcript alone has nothing to cut
        local_file(found.recording.path)
        for wanted in planned(found, settings):
            progress("clips", wanted.start, found.recording.duration)
            try:
                made.append(cut(found.recording, wanted, settings.mode, folder))
            except BadInput as error:
                report(Finding("clip_failed", error.what, wanted.start, wanted.end))
        progress("clips", found.recording.duration, found.recording.duration)
    clips_json.write(made, folder)
