"""The ways to watch that `scripts/benchmark vision` compares: same events, and their looks counted."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from street import located, photograph

from segmenter.evaluate.watchers import watch
from segmenter.settings import VisionSettings

pytest.importorskip("ultralytics")
SETTINGS = VisionSettings(image_size_px=320, engine="torch", labels=("person",), min_event_s=0.2)
RATE_HZ = 10


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """People and a bus that go by from 1.0 to 2.0 s."""
    people, path = photograph(), tmp_path_factory.mktemp("film") / "street.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE_HZ, options={"crf": "18"})
        stream.width, stream.height, stream.pix_fmt = 960, 540, "yuv420p"
        for i in range(3 * RATE_HZ):
            picture = np.full((540, 960, 3), 114, np.uint8)
            if RATE_HZ <= i < 2 * RATE_HZ:
                left = 20 * (i - RATE_HZ)
                picture[:, left : left + people.shape[1]] = people
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = i, Fraction(1, RATE_HZ)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


@pytest.mark.parametrize(("name", "looks"), [("yolo", 15), ("every-frame-torch", 30)])
def test_the_event_is_found_and_the_looks_are_counted(film: Path, name: str, looks: int) -> None:
    seen = watch(name, film, str(located("yolo26n")), SETTINGS)
    assert (seen.frames, seen.looks) == (30, looks)
    (event,) = seen.events
    assert (event.start, event.end) == pytest.approx((1.0, 2.0), abs=0.25)
    assert seen.cpu_s > 0


def test_motion_looks_with_no_detector(film: Path) -> None:
    seen = watch("motion", film, "", SETTINGS)
    assert (seen.frames, seen.looks) == (30, 0)
