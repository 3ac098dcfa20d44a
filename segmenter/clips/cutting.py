"""One clip: its streams written side by side into a file, which is then looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from heapq import merge
from io import BytesIO
from pathlib import Path
from typing import Any

import av
from av.error import FFmpegError
from av.packet import Packet

from segmenter.clips.checking import check
from segmenter.clips.lane import Lane, Passage, Unfit
from segmenter.clips.modes import MODES
from segmenter.clips.plan import Wanted
from segmenter.errors import BadInput, InputError
from segmenter.formats.clips_json import ClipFile
from segmenter.records import Recording

_FALLBACK = "exact"


def cut(recording: Recording, wanted: Wanted, mode: str, folder: Path) -> ClipFile:
    """Makes a clip in `folder` and looks at it; where the mode does not fit the recording, it is re-encoded instead.

    Raises:
        BadInput: neither gives a clip that plays; no file is left.
    """
    why = ""
    for attempt in dict.fromkeys((mode, _FALLBACK)):
        try:
            return _made(recording, wanted, attempt, why and f"not {mode}: {why}", folder)
        except (Unfit, FFmpegError, InputError, ValueError) as error:
            why = str(error)
    raise BadInput(f"no clip of {wanted.kind} {wanted.id}: {why}", path=recording.path)


def _made(recording: Recording, wanted: Wanted, mode: str, note: str, folder: Path) -> ClipFile:
    passage, lanes = MODES[mode].cut(Passage(recording, wanted.start, wanted.end))
    if not lanes:
        raise Unfit("there is neither picture nor sound")
    path = folder / f"{wanted.name}{suffix(lane.codec for lane in lanes)}"
    try:
        _write(path, lanes)
        end = max(lane.end for lane in lanes)
        check(path, end - passage.start, len(recording.video[:1]))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return ClipFile(wanted.kind, wanted.id, path.name, mode, passage.start, end, wanted.start, wanted.end, note)


def _write(path: Path, lanes: list[Lane]) -> None:
    options = {"movflags": "+faststart"} if path.suffix == ".mp4" else {}  # the index first: it plays while it loads
    with av.open(str(path), "w", container_options=options) as clip:
        for lane in lanes:
            lane.join(clip)
        clip.start_encoding()
        for packet in merge(*map(_packets, lanes), key=_decoded_at):
            clip.mux(packet)


def _packets(lane: Lane) -> Iterator[Packet[Any]]:
    yield from lane.packets()


def _decoded_at(packet: Packet[Any]) -> float:
    return float((packet.dts or 0) * packet.time_base)


def suffix(codecs: Iterable[str]) -> str:
    """MP4, or Matroska where a stream does not fit into it."""
    return ".mp4" if all(codec in _in_mp4() for codec in codecs) else ".mkv"


@cache
def _in_mp4() -> frozenset[str]:
    with av.open(BytesIO(), "w", format="mp4") as container:
        return frozenset(container.supported_codecs)
