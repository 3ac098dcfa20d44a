"""What flows from stage to stage: frozen records, checked when made.

Times are seconds on the recording's own clock: 0 is what a player shows as 0, the earliest presentation time in
the container. Spans are half-open, [start, end). Boxes are fractions of the upright picture. Arrays never live
here: vectors travel beside the sentences, row i for sentence i.
"""

from __future__ import annotations

from segmenter.records.media import AudioStream, Chapter, Mend, Recording, TimeSource, VideoStream
from segmenter.records.segmentation import Boundary, Chunk, Kind, ModelFile, Reason, Segmentation
from segmenter.records.spans import Finding, Level, Span
from segmenter.records.speech import Passage, Sentence, TopicBreak, TopicCurve, Turn, Word, text_of
from segmenter.records.vision import Box, Event, Observation, Sighting, Track, View

__all__ = [
    "AudioStream",
    "Boundary",
    "Box",
    "Chapter",
    "Chunk",
    "Event",
    "Finding",
    "Kind",
    "Level",
    "Mend",
    "ModelFile",
    "Observation",
    "Passage",
    "Reason",
    "Recording",
    "Segmentation",
    "Sentence",
    "Sighting",
    "Span",
    "TimeSource",
    "TopicBreak",
    "TopicCurve",
    "Track",
    "Turn",
    "VideoStream",
    "View",
    "Word",
    "text_of",
]
