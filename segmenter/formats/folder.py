"""The output folder of a run, `OUT/<recording name>/`: whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path, PureWindowsPath

from segmenter.errors import NotAFile, SegmenterError, printable, well_formed
from segmenter.formats import chunks_jsonl, clips_json, gaps_csv, passages_jsonl, rttm, segments_json, sightings, webvtt
from segmenter.records import Segmentation

try:
    import fcntl
except ImportError:  # Windows: two runs into one folder at the same time are on their own there
    fcntl = None  # type: ignore[assignment]

_NAME_BYTES = 120  # leaves room for a number and a temporary name in the 255 bytes of a file name

_ELSEWHERE = "choose another folder with -o"
_HIDDEN = ".segmenter-"
_FRESH, _EARLIER = f"{_HIDDEN}new-", f"{_HIDDEN}earlier-"  # beside a folder: what comes into its place, what was there

Lost = Callable[[str, Exception], None]
Writer = Callable[[Segmentation, Path], None]  # makes the file, or folder, of that name

WRITERS: dict[str, Writer] = {
    segments_json.NAME: segments_json.write,
    "chunks.jsonl": chunks_jsonl.write,
    "transcript.vtt": lambda s, path: webvtt.write_transcript(s.sentences, path),
    "chapters.vtt": lambda s, path: webvtt.write_chapters(s.chunks, path),
}

SPEAKERS = "speakers.rttm"  # only where speakers are known

_OWN = {
    *WRITERS,
    SPEAKERS,
    sightings.NAME,
    clips_json.FOLDER,
    gaps_csv.NAME,
    passages_jsonl.NAME,
    "report.html",
    "stills",
    "contact.jpg",
}  # made by runs alone: what an earlier one left is out of date
_NO_MORE: Mapping[str, Writer] = {}


def usable(out: str | Path) -> None:
    """Makes sure that results can be written there, before hours of work and without making anything.

    Raises:
        SegmenterError: they cannot.
    """
    place = next(p for p in (Path(out).absolute(), *Path(out).absolute().parents) if os.path.lexists(p))
    if not place.is_dir():
        raise SegmenterError("a file, not a folder to write results into", path=place, hint=_ELSEWHERE)
    if not os.access(place, os.W_OK | os.X_OK):
        raise SegmenterError("no permission to write results there", path=place, hint=_ELSEWHERE)


def write(segmentation: Segmentation, out: str | Path, more: Mapping[str, Writer] = _NO_MORE, lost: Lost | None = None) -> Path:
    """Writes every file of the run, those of `more` after the others, and returns its folder.

    The files are made beside the folder and moved there, so that an interrupted run leaves what was there before. The
    folder of an earlier run of the same recording is replaced, what else lies in it is kept; another recording of the
    same name gets a folder of its own. With `lost`, a file of `more` that cannot be made is left out and told.

    Raises:
        SegmenterError: the folder cannot be written.
    """
    with _told(out):
        Path(out).mkdir(parents=True, exist_ok=True)
        with _alone(Path(out)):
            _tidy(Path(out))
            folder = _place(segmentation.recording.path, Path(out))
            real = folder.resolve()  # it may be a link to somewhere else
            fresh = real.parent / f"{_FRESH}{real.name}"
            _remove(fresh)
            fresh.mkdir()
            try:
                _fill(fresh, segmentation, {**WRITERS, **_if_known(segmentation)})
                _fill(fresh, segmentation, more, lost)
                _put(fresh, real)
            finally:
                _remove(fresh)
        return folder


def add(segmentation: Segmentation, folder: Path, writers: Mapping[str, Writer]) -> None:
    """Writes further files into the folder of a finished run; each replaces its predecessor once all are made.

    Raises:
        SegmenterError: the folder cannot be written.
    """
    real = folder.resolve()
    with _told(folder), _alone(real.parent):
        fresh = real.parent / f"{_FRESH}{real.name}"
        _remove(fresh)
        fresh.mkdir()
        try:
            _fill(fresh, segmentation, writers)
            for entry in fresh.iterdir():
                _remove(real / entry.name)
                entry.rename(real / entry.name)
        finally:
            _remove(fresh)


def finished(place: Path) -> list[Path]:
    """The folders of finished runs in `place`: itself, those in it at any depth, or that of a `segments.json`.

    What a run is writing right now, or has left when it was killed, is none.

    Raises:
        NotAFile: there is no such folder, or none of a finished run in it.
    """
    if place.is_file() and place.name == segments_json.NAME:
        return [place.parent]
    files = (file for file in place.rglob(segments_json.NAME))
    found = sorted(f.parent for f in files if not any(p.startswith(_HIDDEN) for p in f.relative_to(place).parts))
    if not found:
        what = "no results of segmenter run in it" if place.is_dir() else "no folder of a run"
        raise NotAFile(what, path=place, hint="give a folder that segmenter run has written, or one that holds such")
    return found


def _fill(folder: Path, segmentation: Segmentation, writers: Mapping[str, Writer], lost: Lost | None = None) -> None:
    for name, writer in writers.items():
        try:
            writer(segmentation, folder / name)
        except Exception as error:
            if lost is None:
                raise
            _remove(folder / name)
            lost(name, error)


def _if_known(segmentation: Segmentation) -> dict[str, Writer]:
    """RTTM has no way to say that nothing is known: an empty file would say that nobody speaks. Nor are there always passages."""
    name = Path(segmentation.recording.path).stem
    speakers: dict[str, Writer] = {SPEAKERS: lambda s, path: rttm.write(s.turns, name, path)}
    passages: dict[str, Writer] = {passages_jsonl.NAME: passages_jsonl.write}
    return {**(speakers if segmentation.turns else {}), **(passages if segmentation.passages else {})}


def folder_name(recording: str) -> str:
    """A name for the folder that every file system takes, from the recording's."""
    name = printable(Path(recording).stem).strip(". ") or "recording"
    safe = "".join("_" if c in '/\\:*?"<>|' else c for c in name)
    short = safe.encode("utf-8")[:_NAME_BYTES].decode("utf-8", "ignore").strip(". ")
    return f"{short}_" if PureWindowsPath(short).is_reserved() else short


def _place(recording: str, out: Path) -> Path:
    """The first folder of that name which is free, or holds an earlier run of this very file."""
    name = folder_name(recording)
    folders = (out / (name if number == 1 else f"{name}-{number}") for number in count(1))
    return next(f for f in folders if not os.path.lexists(f) or _recording_in(f) == well_formed(recording))


def _recording_in(folder: Path) -> str | None:
    try:
        path = json.loads((folder / segments_json.NAME).read_bytes())["recording"]["path"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return path if isinstance(path, str) else None


def _put(fresh: Path, folder: Path) -> None:
    """Moves `fresh` to `folder`; what an earlier run left there goes, what others put there comes along."""
    earlier = folder.parent / f"{_EARLIER}{folder.name}"
    if folder.exists():
        folder.rename(earlier)
    fresh.rename(folder)
    _settle(earlier)


def _tidy(out: Path) -> None:
    """Ends what a killed run began: nobody else writes here now."""
    for fresh in out.glob(f"{_FRESH}*"):
        _remove(fresh)
    for earlier in out.glob(f"{_EARLIER}*"):
        _settle(earlier)


def _settle(earlier: Path) -> None:
    """An earlier folder whose place was taken gives up what is not a run's own; else it goes back to its place."""
    folder = earlier.parent / earlier.name.removeprefix(_EARLIER)
    if not earlier.exists():
        return
    if not folder.exists():
        earlier.rename(folder)
        return
    for entry in earlier.iterdir():
        if entry.name not in _OWN and not (folder / entry.name).exists():
            entry.rename(folder / entry.name)
    _remove(earlier)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Nobody else writes results into this folder meanwhile; a process that dies gives it free."""
    if fcntl is None:
        yield
        return
    handle = os.open(out, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def _told(place: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SegmenterError(f"results cannot be written: {error.strerror or error}", path=place, hint=_ELSEWHERE) from error
