"""Speech that no word covers: found after a window is decoded, heard again, and told where it stays without words.

A model may close a window with one sentence of it, or lay four words over fifteen seconds. Its timestamps do not show
that; the detector beside the words does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from segmenter import timeline
from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.records import Finding, Span, Word
from segmenter.speech.transcriber import Passage, Window, on_clock

# Between the words of 92 windows of speech (tiny.en) the detector hears up to 0.9 s of voice; of several far voices, 1.3 s.
_UNHEARD_S = 2.0
_WORD_S = 2.0  # a longer word is no word: in real speech they take 1.5 s at most
_APART_S = 1.0  # words between two such stretches, in so little time, are no better than those
_TAIL_S = 0.3  # of the word beside a stretch: word times stray so far
_PAD_S = 0.2
_MOST = 3  # stretches of one window that are heard again
_COVERED = 0.5  # of the voice in a stretch, by the words that are believed
_LOGPROB, _NO_SPEECH = -1.0, 0.6  # Whisper's own thresholds for a hearing that failed


def unheard(words: Sequence[Word], speech: Sequence[Span], window: Span) -> list[Span]:
    """The stretches of a window in which seconds of speech have no word."""
    told = [word for word in words if word.probability is None or 0 < timeline.length(word) <= _WORD_S]
    long = [gap for gap in timeline.gaps(told, window) if _voice(speech, gap) > _UNHEARD_S]
    return timeline.merge_close(long, _APART_S)


def filled(window: Window, passage: Passage, hear: Callable[[Window], Passage]) -> Passage:
    """The passage with what `hear` makes of the stretches without words, where it can be believed.

    Sound that a model gets stuck in is often heard in shorter pieces, so a stretch that fails is cut in two.
    """
    for stretch in unheard(passage.words, window.speech, window.span)[:_MOST]:
        whole = _part(window, stretch)
        heard = _believed(hear, [whole]) or _believed(hear, _halves(whole))
        passage = _with(passage, heard, stretch)
    return passage


def report(passages: Sequence[Passage]) -> list[Finding]:
    """How much speech stayed without words, and where."""
    silent = [(p, stretch) for p in passages for stretch in unheard(p.words, p.speech, p.window)]
    if not silent:
        return []
    seconds = sum(_voice(p.speech, stretch) for p, stretch in silent)
    first, last = silent[0][1], silent[-1][1]
    message = f"{seconds:.0f} s of speech stayed without words, the first from {timeline.clock(first.start, 0)} on"
    return [Finding("speech_without_words", message, first.start, last.end)]


def _voice(speech: Sequence[Span], within: Span) -> float:
    return sum(timeline.overlap(span, within) for span in speech)


def _part(window: Window, stretch: Span) -> Window:
    """The window's sound in a stretch, without the tails of the words beside it."""
    clipped = [span for span in (timeline.clip(span, stretch) for span in window.speech) if span]
    speech = [span for span in clipped if timeline.length(span) > _TAIL_S] or clipped
    start, end = max(stretch.start, speech[0].start - _PAD_S), min(stretch.end, speech[-1].end + _PAD_S)
    first, behind = (round((time - window.start) * SAMPLE_RATE_HZ) for time in (start, end))
    return Window(on_clock(window.start, first), window.samples[first:behind], tuple(speech))


def _halves(part: Window) -> list[Window]:
    """A part cut in its longest pause; nothing where it has none."""
    pauses = [Span(a.end, b.start) for a, b in pairwise(part.speech)]
    if not pauses:
        return []
    pause = max(pauses, key=timeline.length)
    cut = (pause.start + pause.end) / 2
    return [_part(part, Span(part.start, cut)), _part(part, Span(cut, part.span.end))]


def _believed(hear: Callable[[Window], Passage], parts: Sequence[Window]) -> list[Passage]:
    """What is heard in the parts, without what the model's own figures speak against, or too few words after a loop was cut."""
    return [heard for part in parts if _sure(heard := hear(part)) and _covers(heard.words, part)]


def _sure(heard: Passage) -> bool:
    unlikely = (heard.avg_logprob or 0.0) < _LOGPROB or (heard.no_speech_probability or 0.0) > _NO_SPEECH
    return bool(heard.words) and not unlikely


def _covers(words: Sequence[Word], part: Window) -> bool:
    """Whether most of the voice has words: a phantom is short."""
    silent = sum(_voice(part.speech, stretch) for stretch in unheard(words, part.speech, part.span))
    return silent <= (1 - _COVERED) * _voice(part.speech, part.span)


def _with(passage: Passage, heard: Sequence[Passage], stretch: Span) -> Passage:
    """A passage with the words of others in a stretch, and the worst of their figures; the same where there are none."""
    if not heard:
        return passage
    before = (word for word in passage.words if word.end <= stretch.start)
    behind = (word for word in passage.words if word.start >= stretch.end)
    return replace(
        passage,
        words=(*before, *(word for one in heard for word in one.words), *behind),
        avg_logprob=min(one.avg_logprob or 0.0 for one in (passage, *heard)),
        no_speech_probability=max(one.no_speech_probability or 0.0 for one in (passage, *heard)),
        loops=(*passage.loops, *(loop for one in heard for loop in one.loops)),
    )
