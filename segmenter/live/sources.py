"""What can be watched, and how it is opened: a camera, an address that the user gives, a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import av
from av.container import InputContainer
from av.error import ExitError, FFmpegError

from segmenter.errors import BadInput, ForbiddenInput, NotAFile
from segmenter.media.opening import CONTAINERS, opened
from segmenter.media.probe import probe
from segmenter.media.sniff import MAX_PIXELS
from segmenter.records import Finding, Recording

# Besides what the address itself speaks, only what carries it: a playlist or redirection that names a file opens none.
_WEB = "http,https,tcp,tls"
_RTSP = "rtsp,rtsps,rtp,srtp,udp,tcp,tls"
_PROTOCOLS = {"http": _WEB, "https": _WEB, "rtsp": _RTSP, "rtsps": _RTSP}
_FORMATS = f"{CONTAINERS},rtsp,hls,mpjpeg"
_TIMEOUT_S = 10.0  # to connect, and without a byte: some cameras need several seconds to wake up
_CAMERA_FORMAT = "video4linux2,v4l2"
# Compressed pictures where the camera has them: raw ones fill the memory that is kept of the last seconds.
_CAMERA_WISHES: tuple[dict[str, str], ...] = ({"input_format": "h264"}, {"input_format": "mjpeg"}, {})

Report = Callable[[Finding], None]
_SILENCE = f"nothing came for {_TIMEOUT_S:.0f} s"
Open = Callable[[], AbstractContextManager[InputContainer]]


@dataclass(frozen=True, slots=True)
class Source:
    """Something to watch. `name` is fit to be shown: without passwords. `film` is what is known of a file, None where
    the source goes on by itself and comes back after a break."""

    name: str
    open: Open
    film: Recording | None = None


def source(text: str, report: Report) -> Source:
    """The source that `text` names; a file is looked at, an address or camera is not opened yet.

    `text` is a number (camera 0 is /dev/video0), a device, an rtsp, rtsps, http or https address, or a file.

    Raises:
        ForbiddenInput: an address of another kind.
        NotAFile: there is no such camera.
        InputError: it is a file that cannot be used, see `media.probe`.
    """
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", text)
    if scheme:
        return _address(text, scheme[1].lower())
    if re.fullmatch(r"\d{1,3}", text):
        text = f"/dev/video{text}"
    if text.startswith("/dev/"):
        return _camera(text)
    film = probe(text, report)
    if not film.video:
        raise BadInput("there is no picture in it to watch", path=text)
    return Source(Path(text).name, partial(opened, film.path), film)


def why(error: Exception) -> str:
    """What went wrong, without the address, which may hold a password."""
    return _SILENCE if isinstance(error, ExitError) else getattr(error, "strerror", None) or "it gives nothing that can be read"


def _address(text: str, scheme: str) -> Source:
    shown = _without_secrets(text)
    if scheme not in _PROTOCOLS:
        known = ", ".join(_PROTOCOLS)
        raise ForbiddenInput(f"addresses that begin with {scheme}:// are not opened", path=shown, hint=f"those that are: {known}")
    options = {"protocol_whitelist": _PROTOCOLS[scheme], "format_whitelist": _FORMATS, "max_pixels": str(MAX_PIXELS)}
    # TCP first: by UDP a lost packet is a torn picture
    return Source(shown, partial(_connected, text, shown, options | {"rtsp_flags": "prefer_tcp"}))


def _without_secrets(address: str) -> str:
    """Cameras carry the password in the address, before the host or after the question mark."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _camera(device: str) -> Source:
    if not Path(device).is_char_device():
        raise NotAFile("no such camera", path=device)
    if not re.fullmatch(r"/dev/(video\d+|v4l/.+)", device):
        raise NotAFile("not a camera", path=device, hint="give one such as /dev/video0")
    return Source(device, partial(_filming, device))


@contextmanager
def _connected(address: str, shown: str, options: dict[str, str]) -> Iterator[InputContainer]:
    """
    Raises:
        BadInput: no connection, or nothing that can be watched comes.
    """
    try:
        container = av.open(address, options=options, timeout=_TIMEOUT_S, metadata_errors="replace")
    except (FFmpegError, ValueError) as error:
        raise BadInput(f"cannot be opened: {why(error)}", path=shown) from None
    with container:
        yield container


@contextmanager
def _filming(device: str) -> Iterator[InputContainer]:
    reason = ""
    for wish in _CAMERA_WISHES:
        try:
            container = av.open(device, format=_CAMERA_FORMAT, options=wish, timeout=_TIMEOUT_S)
        except (FFmpegError, ValueError) as error:
            reason = why(error)
            continue
        with container:
            yield container
        return
    raise BadInput(f"the camera cannot be opened: {reason}", path=device)
