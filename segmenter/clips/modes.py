"""The ways of cutting, as a table: name -> the lanes of a clip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from segmenter.clips.copied import TEXT_CODECS, Copied, Subtitles, keyframe_before
from segmenter.clips.encoded import EncodedAudio, EncodedVideo
from segmenter.clips.lane import Lane, Passage
from segmenter.clips.smart import SmartVideo
from segmenter.errors import SettingsError
from segmenter.media.opening import opened
from segmenter.timeline import overlap

Cut = tuple[Passage, list[Lane]]  # what the clip will really show, and its streams


@dataclass(frozen=True, slots=True)
class Mode:
    """`cut` raises `Unfit` where it cannot."""

    cut: Callable[[Passage], Cut]
    about: str


def exact(passage: Passage) -> Cut:
    lanes: list[Lane] = [EncodedVideo(passage, stream) for stream in passage.recording.video[:1]]
    lanes += [EncodedAudio(passage, s) for s in passage.recording.audio[:1] if overlap(s, passage)]
    return passage, lanes + _subtitles(passage)


def copied(passage: Passage) -> Cut:
    recording, lanes = passage.recording, list[Lane]()
    for stream in recording.video[:1]:
        keyframe = keyframe_before(recording, stream, passage.start)
        passage = replace(passage, start=max(0.0, keyframe))
        lanes.append(Copied(passage, stream.index, since=keyframe))
    return passage, lanes + _copied_sound(passage) + _subtitles(passage)


def smart(passage: Passage) -> Cut:
    lanes: list[Lane] = [SmartVideo(passage, stream) for stream in passage.recording.video[:1]]
    return passage, lanes + _copied_sound(passage) + _subtitles(passage)


def _copied_sound(passage: Passage) -> list[Lane]:
    return [Copied(passage, s.index, lead=1) for s in passage.recording.audio[:1] if overlap(s, passage)]


def _subtitles(passage: Passage) -> list[Lane]:
    with opened(passage.recording.path) as container:
        texts = [s.index for s in container.streams.subtitles if s.codec_context and s.codec_context.name in TEXT_CODECS]
    return [Subtitles(passage, index) for index in texts]


MODES = {
    "exact": Mode(exact, "re-encoded, true to the frame; plays everywhere"),
    "copy": Mode(copied, "copied from the keyframe before: fast, nothing lost, begins earlier"),
    "smart": Mode(smart, "copied inside, only the edges re-encoded; H.264"),
}


def check(name: str) -> Mode:
    """The mode of that name.

    Raises:
        SettingsError: there is no such mode.
    """
    if name not in MODES:
        raise SettingsError(f"there is no way of cutting clips called {name!r}", hint=f"choose one of: {', '.join(MODES)}")
    return MODES[name]
