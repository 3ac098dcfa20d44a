"""The output folder of a run, `OUT/<recording name>/`: whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from uuid import uuid4

from segmenter.errors import SegmenterError, printable
from segmenter.formats import chunks_jsonl, rttm, segments_json, webvtt
from segmenter.records import Segmentation

_NAME_BYTES = 120  # leaves room for a number and a temporary name in the 255 bytes of a file name

Writer = Callable[[Segmentation, Path], None]  # makes the file, or folder, of that name

WRITERS: dict[str, Writer] = {
    "segments.json": segments_json.write,
    "chunks.jsonl": chunks_jsonl.write,
    "transcript.vtt": lambda s, path: webvtt.write_transcript(s.sentences, path),
    "chapters.vtt": lambda s, path: webvtt.write_chapters(s.chunks, path),
}

SPEAKERS = "speakers.rttm"  # only where speakers are known

_OWN = {*WRITERS, SPEAKERS, "report.html", "stills"}  # made by runs alone: what an earlier one left is out of date
_NO_MORE: Mapping[str, Writer] = {}


def write(segmentation: Segmentation, out: str | Path, more: Mapping[str, Writer] = _NO_MORE) -> Path:
    """Writes every file of the run, those of `more` after the others, and returns its folder.

    The files are made beside the folder and moved there in one step, so that an interrupted run leaves what was there
    before. The folder of an earlier run of the same recording is replaced, what else lies in it is kept; another
    recording of the same name gets a folder of its own.

    Raises:
        SegmenterError: the folder cannot be written.
    """
    try:
        Path(out).mkdir(parents=True, exist_ok=True)
        fresh = _hidden(Path(out))
        fresh.mkdir()
        try:
            _fill(fresh, segmentation, {**WRITERS, **_if_known(segmentation), **more})
            return _put(fresh, _place(segmentation.recording.path, Path(out)))
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    except OSError as error:
        hint = "choose another folder with -o"
        raise SegmenterError(f"the results cannot be written: {error.strerror}", path=out, hint=hint) from error


def add(segmentation: Segmentation, folder: Path, writers: Mapping[str, Writer]) -> None:
    """Writes further files into the folder of a finished run; each replaces its predecessor once all are made.

    Raises:
        SegmenterError: the folder cannot be written.
    """
    try:
        fresh = _hidden(folder.resolve().parent)
        fresh.mkdir()
        try:
            _fill(fresh, segmentation, writers)
            for entry in fresh.iterdir():
                _replace(entry, folder / entry.name)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    except OSError as error:
        raise SegmenterError(f"cannot be written: {error.strerror}", path=folder) from error


def _fill(folder: Path, segmentation: Segmentation, writers: Mapping[str, Writer]) -> None:
    for name, writer in writers.items():
        writer(segmentation, folder / name)


def _if_known(segmentation: Segmentation) -> dict[str, Writer]:
    """RTTM has no way to say that nothing is known: an empty file would say that nobody speaks."""
    name = Path(segmentation.recording.path).stem
    return {SPEAKERS: lambda s, path: rttm.write(s.turns, name, path)} if segmentation.turns else {}


def _replace(entry: Path, target: Path) -> None:
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    entry.replace(target)


def folder_name(recording: str) -> str:
    """A name for the folder that every file system takes, from the recording's."""
    name = printable(Path(recording).stem).strip(". ") or "recording"
    safe = "".join("_" if c in '/\\:*?"<>|' else c for c in name)
    return safe.encode("utf-8")[:_NAME_BYTES].decode("utf-8", "ignore").strip(". ")


def _place(recording: str, out: Path) -> Path:
    """The first folder of that name which is free, or holds an earlier run of this very file."""
    name = folder_name(recording)
    for number in count(1):
        folder = out / (name if number == 1 else f"{name}-{number}")
        if not os.path.lexists(folder) or _recording_in(folder) == _written(recording):
            return folder
    raise AssertionError("unreachable")


def _recording_in(folder: Path) -> str | None:
    try:
        path = json.loads((folder / "segments.json").read_bytes())["recording"]["path"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return path if isinstance(path, str) else None


def _written(path: str) -> str:
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def _put(fresh: Path, folder: Path) -> Path:
    """Moves `fresh` to `folder`; what an earlier run left there goes, what others put there comes along."""
    if not folder.exists():
        fresh.rename(folder)
        return folder
    earlier = _hidden(folder.parent)
    folder.rename(earlier)
    fresh.rename(folder)
    for entry in earlier.iterdir():
        if entry.name not in _OWN and not (folder / entry.name).exists():
            entry.rename(folder / entry.name)
    shutil.rmtree(earlier)
    return folder


def _hidden(out: Path) -> Path:
    return out / f".segmenter-{uuid4().hex}"
