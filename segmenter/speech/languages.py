"""Which language is spoken where: voted over the windows, and where it changes inside a window, the window cut there.

A model that is told the wrong language translates, or makes words up. So a window counts for itself where the model is
sure of it; one that is unsure, or sure of another language than the one before, is heard again in stretches of a few
seconds. Measured with Whisper base: whole windows hide single lines in another language, stretches of 2 s do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, pairwise
from statistics import fmean

import numpy as np

from segmenter import timeline
from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.records import Finding, Span
from segmenter.speech.hearing import Language
from segmenter.speech.transcriber import Passage, Window, on_clock

Probabilities = Mapping[str, float]  # of all languages that the model knows
Detect = Callable[[Sequence[Window]], Sequence[Probabilities]]
Spoken = tuple[Window, Language]

_SURE_WINDOW = 0.97  # a window of one language has more, but for dialects and noise; one with lines in another, .91
_SURE = 0.9  # of a stretch
_STRETCH_S = 2.0  # of speech; less tells little
_HIDING = 0.05  # so many seconds of pause does each second of speech in a neighbour outweigh


class LanguageVote:
    """Follows the windows of one recording and tells the language of each.

    `detect` gives the model's probabilities for sounds shorter than a window.
    """

    def __init__(self, detect: Detect) -> None:
        self._detect = detect
        self._votes: Counter[str] = Counter()
        self._last: str | None = None

    def languages(self, window: Window, probabilities: Probabilities) -> list[Spoken]:
        """The window with its language; or its parts, each with its own, where the language changes inside."""
        self._votes.update({language: share * _seconds(window.speech) for language, share in probabilities.items()})
        sure = _sure(window, probabilities, _SURE_WINDOW)
        found = [(window, sure)] if sure and self._last in (None, sure.code) else self._examined(window, probabilities)
        self._last = found[-1][1].code
        return found

    def _examined(self, window: Window, whole: Probabilities) -> list[Spoken]:
        """Sure stretches have their own language; the others, of the languages of the sure ones, the likeliest."""
        parts = stretches(window)
        heard = self._detect(parts) if len(parts) > 1 else [whole]
        sure = [_sure(part, probabilities) for part, probabilities in zip(parts, heard, strict=True)]
        known = {language.code for language in sure if language}
        if not known:
            return [(window, self._elected())]
        chosen = [own or _likeliest({code: p[code] for code in known}) for own, p in zip(sure, heard, strict=True)]
        groups = groupby(zip(parts, chosen, strict=True), key=lambda spoken: spoken[1].code)
        return [_joined(list(group)) for _, group in groups]

    def _elected(self) -> Language:
        """The language of all windows so far, each weighted with its seconds of speech."""
        winner, votes = self._votes.most_common(1)[0]
        return Language(winner, votes / (self._votes.total() or 1.0))


def stretches(window: Window) -> list[Window]:
    """The window in contiguous parts of at least two seconds of speech, cut in pauses."""
    groups = [[span] for span in window.speech]
    while len(groups) > 1 and (short := min(groups, key=_seconds)) and _seconds(short) < _STRETCH_S:
        at = groups.index(short)
        apart = {i: _apart(groups, i, at) for i in (at, at + 1) if 0 < i < len(groups)}
        behind = min(apart, key=lambda i: apart[i])
        groups[behind - 1 : behind + 1] = [groups[behind - 1] + groups[behind]]
    cuts = [round((a[-1].end / 2 + b[0].start / 2 - window.start) * SAMPLE_RATE_HZ) for a, b in pairwise(groups)]
    edges = pairwise([0, *cuts, len(window.samples)])
    return [
        Window(on_clock(window.start, first), window.samples[first:end], tuple(group))
        for group, (first, end) in zip(groups, edges, strict=True)
    ]


def _apart(groups: Sequence[Sequence[Span]], behind: int, short: int) -> float:
    """What speaks against joining a short group with its neighbour: the pause between, and that it hides in a long one."""
    neighbour = groups[behind if behind > short else behind - 1]
    return groups[behind][0].start - groups[behind - 1][-1].end + _HIDING * _seconds(neighbour)


def report(passages: Sequence[Passage]) -> list[Finding]:
    """Which languages were heard in how much of the speech, and how sure the model was; nothing where it was told."""
    heard = [p for p in passages if p.words and p.language_probability is not None]
    total = sum(_seconds(p.speech) for p in heard) or 1.0
    lines = []
    for code in dict.fromkeys(p.language for p in heard):
        own = [p for p in heard if p.language == code]
        weights = [_seconds(p.speech) for p in own]
        sure = fmean([p.language_probability or 0.0 for p in own], weights if any(weights) else None)
        lines.append(f"{code} in {sum(weights) / total:.0%} of the speech (probability {sure:.2f})")
    return [Finding("language", f"language heard: {', '.join(lines)}", level="note")] if lines else []


def _seconds(spans: Sequence[Span]) -> float:
    return sum(map(timeline.length, spans))


def _likeliest(probabilities: Probabilities) -> Language:
    code = max(probabilities, key=lambda one: probabilities[one])
    return Language(code, probabilities[code])


def _sure(window: Window, probabilities: Probabilities, least: float = _SURE) -> Language | None:
    likeliest = _likeliest(probabilities)
    return likeliest if (likeliest.probability or 0.0) >= least and _seconds(window.speech) >= _STRETCH_S else None


def _joined(parts: Sequence[Spoken]) -> Spoken:
    """Neighbouring parts in one language as one window again."""
    windows = [window for window, _ in parts]
    samples = np.concatenate([window.samples for window in windows])
    speech = tuple(span for window in windows for span in window.speech)
    return Window(windows[0].start, samples, speech), Language(parts[0][1].code, fmean(p or 0.0 for _, (_, p) in parts))
