"""The way of a recording: the one page that knows the order of the stages.

probe ─┬─ listen: blocks ─ windows ─ words ─ sentences ─ vectors ─┬─ topic breaks ─┬─ boundaries ─ chunks ─ titles
       └─ look:   frames ─ sightings ─ events ────────────────────┴────────────────┘
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from segmenter.chunks.boundaries import boundaries, too_long
from segmenter.chunks.tile import tile
from segmenter.chunks.titles import titled
from segmenter.errors import BadInput, ServerError, SettingsError
from segmenter.formats import ready_sightings, rttm, transcripts
from segmenter.formats.transcripts import Transcript
from segmenter.kit import Kit
from segmenter.media.probe import probe
from segmenter.parallel import side_by_side
from segmenter.progress import Progress, silent
from segmenter.records import Finding, Recording, Segmentation
from segmenter.senses import Half, Job, listen, look
from segmenter.settings import Settings, TopicSettings
from segmenter.topics import breaks
from segmenter.topics.choosing import suited
from segmenter.topics.curve import curve
from segmenter.topics.unkept import unkept


def segment(
    path: str | Path,
    settings: Settings | None = None,
    *,
    transcript: str | Path | None = None,
    turns: str | Path | None = None,
    sightings: str | Path | None = None,
    progress: Progress = silent,
) -> Segmentation:
    """Cut one recording into chunks, as `Segmenter.segment` does; for several, keep a `Segmenter`: it keeps its models."""
    return Segmenter(settings).segment(path, transcript=transcript, turns=turns, sightings=sightings, progress=progress)


class Segmenter:
    """Cuts recordings into chunks, one after the other, with the same settings.

    Models are loaded when a recording first needs them, and kept; all state of one recording lives in one call.

    Raises:
        SettingsError: a name in the settings is unknown.
        PackageMissing: a back end's package is not installed.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._kit = Kit(self.settings)

    def segment(
        self,
        path: str | Path,
        *,
        transcript: str | Path | None = None,
        turns: str | Path | None = None,
        sightings: str | Path | None = None,
        sightings_to: Path | None = None,
        progress: Progress = silent,
    ) -> Segmentation:
        """Cut one recording into chunks.

        Args:
            path: a local recording; or a transcript (SRT, WebVTT, Whisper JSON) where there is no recording.
            transcript: what was said, so that nothing need be transcribed.
            turns: who speaks when, as RTTM, so that nobody need be told apart.
            sightings: what is seen, as an earlier run kept it or as MOT text, so that nobody need look.
            sightings_to: the file that keeps what is seen for another time; it is made, or made anew, while looking.
            progress: is told how many seconds of the recording have gone through each stage.

        Raises:
            InputError: the recording or the transcript cannot be used.
            SettingsError: a transcript is given to a transcript, or nothing in the recording is to be examined.
            ModelMissing: weights that this recording needs are not on this machine.
            ServerError: a server that it needs cannot be used; where one fails later, there are no topic breaks, and a finding.
        """
        found: list[Finding] = []
        recording, words = _open(path, transcript, self.settings.speech.audio_track, found.append)
        if words is None:
            _check_examined(path, recording, self.settings)
        told = None if turns is None else rttm.read(turns, recording.duration, found.append)
        seen_before = None if sightings is None else ready_sightings.read(sightings, recording, found.append)
        given = {"has_words": words is not None, "has_turns": told is not None, "has_sightings": seen_before is not None}
        models = self._kit.locate(recording, **given)
        job = Job(recording, words, told, seen_before, models, progress, sightings_to)
        said, seen = side_by_side(lambda stop: listen(job, self._kit, stop), lambda stop: look(job, self._kit, stop))

        recording = _with_decoded_length(recording, {**said.ends, **seen.ends})
        chapters = [chapter.start for chapter in recording.chapters]
        how = suited(self.settings.topics, said.sentences)
        topics = _topics(said, how, chapters)
        cuts = boundaries(said.sentences, topics.breaks, seen.events, recording.duration, self.settings.chunks)
        chunks = tile(cuts, said.sentences, seen.events, recording, self.settings.chunks.snap_s)
        return Segmentation(
            recording=recording,
            settings=self.settings.as_dict(),
            models=models,
            sentences=said.sentences,
            turns=said.turns,
            topic_breaks=topics.breaks,
            events=seen.events,
            boundaries=cuts,
            chunks=titled(chunks, said.sentences, seen.events),
            health=(
                *(*found, *said.findings, *seen.findings),
                *breaks.too_few(said.sentences, topics, how),
                *breaks.beside(topics, how),
                *unkept(topics, said.sentences, how),
                *too_long(cuts, self.settings.chunks),
            ),
            timings={**said.timings, **seen.timings},
            topic_curve=curve(topics, said.sentences),
            passages=topics.own_passages,
        )


def _open(
    path: str | Path, transcript: str | Path | None, audio_track: str | None, report: Callable[[Finding], None]
) -> tuple[Recording, Transcript | None]:
    """The recording, and its words where a transcript has them."""
    if transcripts.is_transcript(path):
        if transcript is not None:
            what = "a transcript already, so none can be given with it"
            raise SettingsError(what, path=path, hint="give the recording and its transcript, or one transcript alone")
        words = transcripts.read_all(path, None, report)
        return transcripts.as_recording(path, words.words), words
    recording = probe(path, report, audio_track)
    return recording, None if transcript is None else transcripts.read_all(transcript, recording.duration, report)


def _topics(said: Half, settings: TopicSettings, chapters: Sequence[float]) -> breaks.Decision:
    """No breaks where a server fails, so late: all else stands."""
    if said.vectors is None:
        return breaks.uncut(said.sentences)
    try:
        return breaks.decide(said.sentences, said.vectors, settings, chapters)
    except ServerError as error:
        said.findings.append(breaks.failed(error))
        return breaks.uncut(said.sentences)


def _check_examined(path: str | Path, recording: Recording, settings: Settings) -> None:
    """Chunks of a recording without words, to which nobody listened and at which nobody looked, would claim that it is idle."""
    heard, seen = settings.speech.enabled and recording.audio, settings.vision.enabled and recording.video
    if not (heard or seen):
        sound = "its sound is left out" if recording.audio else "it has no sound"
        pictures = "its pictures are left out" if recording.video else "it has no pictures"
        raise SettingsError(
            f"nothing is to be examined: {sound}, and {pictures}",
            path=path,
            hint="leave out --no-speech or --no-vision, or give --transcript",
        )


def _with_decoded_length(recording: Recording, ends: Mapping[int, float]) -> Recording:
    """What was decoded says how long the recording is, whatever its packets promised."""
    counted = {stream.index: stream.end for stream in recording.audio} | {stream.index: stream.end for stream in recording.video}
    duration = max({**counted, **ends}.values(), default=recording.duration)
    if duration <= 0:
        raise BadInput("nothing in it can be decoded", path=recording.path, hint="the file is damaged")
    return replace(recording, duration=duration)
