"""Recordings whose pictures come slowly."""

from __future__ import annotations

import pytest

from segmenter.records import Box, Observation, Sighting
from segmenter.settings import VisionSettings
from segmenter.vision.events import events
from segmenter.vision.pace import paced


@pytest.mark.parametrize("rate_hz", [None, 2.5, 5.0, 30.0])
def test_ordinary_recordings_keep_their_settings(rate_hz: float | None) -> None:
    assert paced(VisionSettings(), rate_hz) == (VisionSettings(), [])


def test_a_visit_in_a_time_lapse_is_one_event() -> None:
    """One picture in five seconds, somebody in view in four of them."""
    person = Sighting(1, "person", 0.9, Box(0.1, 0.1, 0.3, 0.9))
    observations = [Observation(t * 5.0, (person,) if 3 <= t <= 6 else ()) for t in range(12)]
    settings, (note,) = paced(VisionSettings(), 0.2)
    (event,) = events(observations, 60.0, settings)[0]
    assert (event.start, event.end) == (15, 35)
    assert "every 5.0 s" in note.message
    assert events(observations, 60.0, VisionSettings())[0] == ()
