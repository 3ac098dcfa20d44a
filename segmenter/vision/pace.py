"""Patience for recordings whose pictures come slowly, time lapses above all."""

from __future__ import annotations

from dataclasses import replace

from segmenter.records import Finding
from segmenter.settings import VisionSettings

_UNEVEN = 1.1  # pictures of one rate come up to a tenth late


def paced(settings: VisionSettings, rate_hz: float | None) -> tuple[VisionSettings, list[Finding]]:
    """The settings with room for enough pictures in each of their times, and a note where that changed something.

    `rate_hz` is how many pictures a second the recording has on average; None: not known. With one picture in five
    seconds, two sightings within one second cannot be, and every event would end between two pictures.
    """
    step_s = _UNEVEN / rate_hz if rate_hz else 0.0
    patient = replace(
        settings,
        confirm_s=max(settings.confirm_s, (settings.confirm_hits - 1) * step_s),
        hold_s=max(settings.hold_s, step_s),
        max_event_s=max(settings.max_event_s, step_s),
    )
    if patient == settings:
        return settings, []
    message = f"pictures come every {1 / (rate_hz or 1):.1f} s: shorter visits may be missed, edges are no truer than that"
    return patient, [Finding("slow_pictures", message, level="note")]
