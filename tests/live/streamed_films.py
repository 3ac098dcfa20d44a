"""Films of a wall and of squares that cross it, with sound, in containers that are streamed; and a server for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import av
import numpy as np

from segmenter.settings import Settings

RATE_HZ = 10
SOUND_HZ = 48000
MOTION = Settings().changed("vision", tracker="motion").changed("speech", enabled=False)
Visits = Sequence[tuple[float, float]]


def film(path: Path, seconds: float, visits: Visits, *, sound: bool = True, keyframe_s: float = 1.0, b_frames: int = 2) -> Path:
    """Ten pictures a second; during each visit a bright square crosses the wall."""
    wall = np.random.default_rng(1).integers(80, 120, (120, 160, 3), dtype=np.uint8)
    with av.open(str(path), "w") as container:
        options = {"g": str(round(keyframe_s * RATE_HZ)), "sc_threshold": "0", "preset": "ultrafast", "bf": f"{b_frames}"}
        video: Any = container.add_stream("libx264", rate=RATE_HZ, options=options)
        video.width, video.height, video.pix_fmt = 160, 120, "yuv420p"
        audio: Any = container.add_stream("aac", rate=SOUND_HZ, layout="mono") if sound else None
        heard = 0
        for i in range(round(seconds * RATE_HZ)):
            container.mux(video.encode(_picture(wall, i / RATE_HZ, visits)))
            while audio and heard < (i + 1) * SOUND_HZ // RATE_HZ:
                container.mux(audio.encode(_noise(heard)))
                heard += 960
        container.mux(video.encode(None))
        if audio:
            container.mux(audio.encode(None))
    return path


def _picture(wall: Any, time: float, visits: Visits) -> av.VideoFrame:
    image = wall.copy()
    for start, end in visits:
        if start <= time < end:
            left = round((time - start) / (end - start) * 120)
            image[40:90, left : left + 30] = 230
    return av.VideoFrame.from_ndarray(image, "rgb24")


def _noise(first: int) -> av.AudioFrame:
    wave = 0.3 * np.random.default_rng(first).standard_normal((1, 960)).astype(np.float32)
    frame = av.AudioFrame.from_ndarray(wave, format="fltp", layout="mono")
    frame.sample_rate, frame.pts, frame.time_base = SOUND_HZ, first, Fraction(1, SOUND_HZ)
    return frame


Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def served(answer: Answer) -> Iterator[str]:
    """The address of a server on this machine that gives `answer` to each request."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that the base class has
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/stream.ts"
        server.shutdown()
        thread.join()


def send(request: BaseHTTPRequestHandler, content: bytes) -> None:
    """An endless answer, as cameras give it: without a length."""
    request.send_response(200)
    request.send_header("Content-Type", "video/mp2t")
    request.end_headers()
    request.wfile.write(content)
