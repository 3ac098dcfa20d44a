"""What the page draws from: one JSON object, times in seconds rounded as in segments.json."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from segmenter.formats import clips_json, segments_json
from segmenter.formats.stills_json import chunk_name, event_name
from segmenter.formats.title import title
from segmenter.records import Segmentation

Links = Mapping[str, str]  # a still's file name -> where the page finds it


def page_data(
    segmentation: Segmentation, folder: Path, stills: Links, peaks: NDArray[np.uint8], clips: Sequence[clips_json.ClipFile] = ()
) -> dict[str, Any]:
    """Everything on the timeline and in the list; `folder` is where the page will lie."""
    plain = segments_json.as_dict(segmentation)
    recording = segmentation.recording
    return {
        "duration": plain["recording"]["duration"],
        "media": {"kind": _kind(segmentation), "sources": sources(recording.path, folder)},
        "waveform": base64.b64encode(peaks.tobytes()).decode("ascii"),
        "sentences": [
            [s["start"], s["end"], s["text"].strip(), s["speaker"], ", ".join(s["doubts"])] for s in plain["sentences"]
        ],
        "chunks": [
            {
                **{key: chunk[key] for key in ("id", "start", "end", "kind", "sentences", "labels", "speakers")},
                "title": title(record),
                "still": stills.get(chunk_name(i)),
                "clips": [quote(link) for link in clips_json.links(clips, record)],
            }
            for i, (chunk, record) in enumerate(zip(plain["chunks"], segmentation.chunks, strict=True))
        ],
        "boundaries": plain["boundaries"],
        "breaks": plain["topic_breaks"],
        "curve": plain["topic_curve"],
        "events": [_event(event, stills) for event in plain["events"]],
    }


def sources(recording: str, folder: Path) -> list[str]:
    """Where a page in `folder` may find the recording: where it was, or beside the page."""
    try:
        beside = os.path.relpath(recording, folder)
    except ValueError:  # another drive
        beside = Path(recording).name
    names = dict.fromkeys([beside.replace(os.sep, "/"), Path(recording).name])
    return [quote(os.fsencode(name)) for name in names]


def _kind(segmentation: Segmentation) -> str:
    recording = segmentation.recording
    return "video" if recording.video else "audio" if recording.audio else ""


def _event(event: dict[str, Any], stills: Links) -> dict[str, Any]:
    tracks = [[t["start"], t["end"], t["label"], t["best"]["confidence"], t["moved"]] for t in event["tracks"]]
    return {
        **{key: event[key] for key in ("id", "start", "end", "continues")},
        "tracks": tracks,
        "still": stills.get(event_name(event["id"])),
    }
