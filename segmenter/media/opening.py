"""The one door to recordings: a local regular file, a plain container, and nothing else is opened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import av
from av.container import InputContainer
from av.error import FFmpegError

from segmenter.errors import BadInput, NotAFile
from segmenter.media.boxes import check_boxes, is_mp4
from segmenter.media.sniff import HEAD_BYTES, MAX_PIXELS, refuse_foreign

# Containers that hold their data themselves. Playlists, devices, stills and text demuxers stay outside.
CONTAINERS = (
    "mov,matroska,avi,mpegts,mpeg,mpegvideo,flv,asf,mxf,nut,rm,dv,gxf,wtv,ivf,obu,dhav,h264,hevc,m4v,vc1,gif,apng,"
    "wav,w64,mp3,aac,flac,ogg,aiff,au,caf,amr,amrnb,amrwb,ac3,eac3,dts,ape,wv,tta,mpc,mpc8,voc,dss,qcp,truehd"
)
_OPTIONS = {"format_whitelist": CONTAINERS, "protocol_whitelist": "none", "max_pixels": str(MAX_PIXELS)}
_BUFFER_BYTES = 1 << 16


def check_content(path: Path) -> None:
    """Refuses what is no recording or names other files, reading nothing but the file itself.

    Raises:
        ForbiddenInput, TooLarge, BadInput: see `sniff.refuse_foreign` and `boxes.check_boxes`.
    """
    with _open(path) as file:
        head = file.read(HEAD_BYTES)
        refuse_foreign(head, path)
        if is_mp4(head) and not check_boxes(file, os.fstat(file.fileno()).st_size, path):
            raise BadInput("incomplete: the index (moov) is missing, as when a recording is cut off", path=path)


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb", buffering=0)
    except OSError as error:
        raise NotAFile(f"cannot be read: {error.strerror}", path=path) from error


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[InputContainer]:
    """The container, closed on leaving. libav gets an open file, no name to follow, and may open nothing itself.

    Raises:
        NotAFile: it cannot be read any more.
        BadInput: no known container, or too damaged to open.
    """
    file = _open(Path(path))
    with file:
        try:
            container = av.open(
                file, mode="r", options=_OPTIONS, container_options={}, metadata_errors="replace", buffer_size=_BUFFER_BYTES
            )
        except FFmpegError as error:
            raise BadInput(f"not a recording that can be read: {error.strerror}", path=path) from error
        with container:
            yield container
