"""Sound and its voice probabilities to windows of speech for the transcriber.

Whisper reads up to 30 s at a time, and reads longer stretches better. So speech is gathered up to `window_max_s` and
cut in its longest gap; the sound inside a window stays contiguous, so that a time in it plus the window's start is a
time of the recording. Where nobody speaks there is no window.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import floor

import numpy as np
from numpy.typing import NDArray

from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.records import Span
from segmenter.settings import SpeechSettings
from segmenter.speech.transcriber import Window, on_clock
from segmenter.speech.vad import FRAME_S, FRAME_SAMPLES, LEVEL_FRAMES, Frames, Piece, beginning, power, speech


def windows(pieces: Iterable[Piece], settings: SpeechSettings) -> Iterator[Window]:
    """Windows in order, none across a hole, no sound in two of them; holds less than a minute of sound."""
    for _, run in groupby(pieces, key=lambda piece: piece.run):
        tape = _Tape(settings)
        for piece in run:
            tape.add(piece)
            yield from tape.take(final=False)
        yield from tape.take(final=True)


def gather(spans: Iterable[Frames], voice: NDArray[np.float32], settings: SpeechSettings) -> list[list[Frames]]:
    """Spans joined to groups of at most `window_max_s`, cut in their longest gaps; one that is longer itself is cut too.

    More spans behind, or a longer last one, change only the last group: so sound may come in pieces.
    """
    longest, pause = _frames(settings.window_max_s), _frames(settings.window_gap_s)
    groups: list[list[Frames]] = []
    held: list[Frames] = []
    for span in spans:
        if held and span[0] - held[-1][1] > pause:
            groups.append(held)
            held = []
        held = [*held, span]
        while held[-1][1] - held[0][0] > longest:
            if len(held) == 1:
                held = _halved(held[0], voice, longest)
                at = 1
            else:
                at = _best_cut(held, _frames(settings.window_min_s))
            groups.append(held[:at])
            held = held[at:]
    return [*groups, held] if held else groups


def _best_cut(spans: Sequence[Frames], least: int) -> int:
    """Index of the span behind the longest gap that leaves at least `least` frames before it, if one does."""
    cuts = range(1, len(spans))
    long_enough = [i for i in cuts if spans[i - 1][1] - spans[0][0] >= least]
    return max(long_enough or cuts, key=lambda i: (spans[i][0] - spans[i - 1][1], i))


def _halved(span: Frames, voice: NDArray[np.float32], longest: int) -> list[Frames]:
    """A span of more than `longest` frames cut where the voice is weakest in the last half of its first `longest`."""
    first, end = span
    low, high = first + longest // 2, first + longest
    smooth = np.convolve(voice[low - 1 : high + 1], np.ones(3), "valid")  # of three frames: one may dip by chance
    cut = low + int(np.argmin(smooth))
    return [(first, cut), (cut, end)]


def _ends(spans: Sequence[Frames]) -> list[int]:
    return [end for _, end in spans]


def _frames(seconds: float) -> int:
    return floor(seconds / FRAME_S)


@dataclass(slots=True)
class _Tape:
    """The sound of one run from the end of the last window on."""

    settings: SpeechSettings
    start: float = 0.0
    samples: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    voice: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    speaking: bool = False  # the first frame continues a span that was cut

    def add(self, piece: Piece) -> None:
        self.start = piece.start - len(self.samples) / SAMPLE_RATE_HZ
        self.samples = np.concatenate([self.samples, piece.samples])
        self.voice = np.concatenate([self.voice, piece.voice])

    def take(self, final: bool) -> Iterator[Window]:
        """The windows that more sound cannot change, and with `final` the rest; forgets what lies before the rest."""
        s = self.settings
        heard = speech(self.voice, s.vad_on, s.vad_off, self.speaking)
        groups = gather(heard, self.voice, s)
        silence = len(self.voice) - (groups[-1][-1][1] if groups else 0)
        settled = final or silence > _frames(max(s.window_gap_s, 2 * s.pad_s))
        done = len(groups) if settled else len(groups) - 1
        for i in range(done):
            before = groups[i - 1][-1][1] if i else 0
            behind = groups[i + 1][0][0] if i + 1 < len(groups) else len(self.voice)
            yield self._window(groups[i], before, behind)
        if done > 0:
            end = groups[done - 1][-1][1]
            self._forget(end, speaking=done < len(groups) and groups[done][0][0] == end)
        elif not groups:
            self._forget(max(0, len(self.voice) - _frames(2 * s.pad_s) - LEVEL_FRAMES), speaking=False)

    def _window(self, spans: Sequence[Frames], before: int, behind: int) -> Window:
        """The spans with `pad_s` of sound on both sides, at most half of the gap to the speech `before` and `behind`.

        They are told with their beginnings. One that the detector doubts for longer than `pad_s` is padded itself.
        """
        pad = round(self.settings.pad_s * SAMPLE_RATE_HZ)
        first, end = spans[0][0], spans[-1][1]
        heard = self.voice, power(self.samples)
        begins = [beginning(*heard, pause, span) for pause, span in zip([before, *_ends(spans[:-1])], spans, strict=True)]
        doubted = (first - begins[0]) * FRAME_SAMPLES
        reach = pad if doubted < pad else doubted + pad
        left = first * FRAME_SAMPLES - min(reach, (first - before) * FRAME_SAMPLES // 2)
        right = min(end * FRAME_SAMPLES + min(pad, (behind - end) * FRAME_SAMPLES // 2), len(self.samples))
        edges = zip(begins, _ends(spans), strict=True)
        return Window(
            start=self._time(left),
            samples=self.samples[left:right].copy(),
            speech=tuple(Span(self._time(max(a * FRAME_SAMPLES, left)), self._time(b * FRAME_SAMPLES)) for a, b in edges),
        )

    def _time(self, sample: int) -> float:
        """The last frame reaches behind the sound's end."""
        return on_clock(self.start, min(sample, len(self.samples)))

    def _forget(self, frame: int, speaking: bool) -> None:
        self.start = self._time(frame * FRAME_SAMPLES)
        self.samples = self.samples[frame * FRAME_SAMPLES :]
        self.voice = self.voice[frame:]
        self.speaking = speaking
