"""Packets as the file holds them, and with their times mended: both passes number them alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from av.container import InputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.stream import Discard, Stream

from segmenter.records import Mend

REORDER_S = 10.0  # a picture is shown later than decoded, but by no more than this ...
_REORDER_PACKETS = 32  # ... or this many packets (H.264 allows 16 pictures)

# Bytes of the largest frame by format, of those that hold no times: libav counts frames, so each that is lost would draw all
# that follows forward.
_UNTIMED = {"mp3": 1441, "ac3": 3840}
_TAGS = (b"ID3", b"TAG", b"APETAGEX")  # lie between the frames where recordings were glued together


def tolerant(
    container: InputContainer, streams: tuple[Stream, ...], on_error: Callable[[str], None] | None = None
) -> Iterator[Packet[Stream]]:
    """Packets of `streams` in file order, up to where the file cannot be read any more; other streams are skipped."""
    for stream in container.streams:
        if stream not in streams:
            stream.discard = Discard.all
    packets = container.demux(streams)
    largest = _UNTIMED.get(container.format.name)
    try:
        yield from in_place(packets, largest, container.bit_rate) if largest and container.bit_rate else packets
    except FFmpegError as error:
        if on_error is not None:
            on_error(str(error))


def in_place(packets: Iterable[Packet[Stream]], largest: int, bits_per_s: int) -> Iterator[Packet[Stream]]:
    """Packets of a format without times, those behind damage as late as its bytes say.

    What is no frame is handed on with the frame before it: more than the `largest` frame has were frames once.
    """
    shift = 0
    for packet in packets:
        packet.pts = None if packet.pts is None else packet.pts + shift
        packet.dts = None if packet.dts is None else packet.dts + shift
        if packet.size > largest and packet.time_base and not any(tag in bytes(packet) for tag in _TAGS):
            shift += max(0, round(8 * packet.size / bits_per_s / packet.time_base) - (packet.duration or 0))
        yield packet


def shown_at(packet: Packet[Stream], seconds: float) -> int | None:
    """The packet's presentation time in ticks; None where it cannot be meant: far from its decoding time.

    `seconds` is the length of a tick. One flipped bit makes a picture claim to be shown an hour later.
    """
    pts, dts = packet.pts, packet.dts
    if pts is None or dts is None:
        return pts
    slack = max(REORDER_S / seconds, _REORDER_PACKETS * (packet.duration or 0))
    return pts if abs(pts - dts) <= slack else None


def mended(container: InputContainer, stream: Stream, mends: tuple[Mend, ...]) -> Iterator[Packet[Stream]]:
    """The packets of one stream with the recording's mends applied: their decoded frames carry mended times or none."""
    ahead = [mend for mend in mends if mend.stream == stream.index]
    seconds = float(stream.time_base or 1)
    shift: int | None = 0
    for number, packet in enumerate(tolerant(container, (stream,))):
        while ahead and ahead[0].packet <= number:
            moved = ahead.pop(0).shift
            shift = None if moved is None else round(moved / seconds)
        pts = shown_at(packet, seconds)
        packet.pts = None if pts is None or shift is None else pts + shift
        if packet.dts is not None and shift is not None:
            packet.dts += shift
        yield packet
