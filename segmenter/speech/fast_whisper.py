"""Whisper on CTranslate2, through faster-whisper: windows in batches, int8 on a CPU, float16 on a GPU.

Windows are decoded with Whisper's timestamp tokens: without them the model often stops after the first sentence of a
window. The tokens also tell which speech was passed over, and that is heard again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import ctranslate2
import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.tokenizer import Tokenizer
from faster_whisper.transcribe import get_suppressed_tokens, merge_punctuations
from numpy.typing import NDArray

from segmenter.errors import ModelMissing
from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.settings import SpeechSettings
from segmenter.speech.hearing import LOOP_RATIO, Language, Timed, check_language, placed, spread
from segmenter.speech.languages import LanguageVote, Probabilities, Spoken
from segmenter.speech.loops import packed, unlooped
from segmenter.speech.parts import Part, heard_until, kept, parts, passed_over
from segmenter.speech.transcriber import Passage, Window
from segmenter.speech.unheard import filled

# Windows are padded to one of a few lengths, and those of one length are decoded together: so what is heard in one does
# not depend on its neighbours. The encoder takes them one by one: on a CPU that costs less, for base by a tenth and more.
_AHEAD, _BATCH = 16, 8  # windows read ahead, to find some of one length; decoded together
_STEP_S = 5.0
_FRAMES_HZ = 100  # of the spectrogram
_QUIET_S, _MOST_S = 3.0, 30.0  # silence behind a window; the most that Whisper hears
_ROUNDS = 2  # of hearing again what was passed over
_PREPENDED, _APPENDED = "\"'“¿([{-", "\"'.。,，!！?？:：”)]}、"  # go to the next word or the one before; Whisper's lists


Encoded = NDArray[np.floating[Any]]  # what the encoder makes of a window, shape (steps of 20 ms, dimensions)
_Done = TypeVar("_Done")


class _Effort(NamedTuple):
    """How hard to listen. With less sound than `least_s`, silence included, Whisper tends to loop."""

    beam_size: int
    least_s: float


class FastWhisper:
    """A Whisper model as faster-whisper keeps it: a folder with model.bin, config.json, tokenizer.json and vocabulary.

    `threads` bounds the processor's cores (0: as CTranslate2 likes).

    Raises:
        ModelMissing: the folder lacks one of the files, or they are no such model.
        SettingsError: the model does not know the language asked for.
    """

    def __init__(self, model_path: str | Path, settings: SpeechSettings, threads: int = 0) -> None:
        self._model = _load(Path(model_path), threads)
        self._word_times = settings.word_times
        self._first = _Effort(settings.beam_size, least_s=10.0)
        self._second = _Effort(max(5, settings.beam_size), least_s=_MOST_S)
        check_language(settings.language, self._model.supported_languages)

    def transcribe(self, windows: Iterable[Window], language: str | None) -> Iterator[Passage]:
        given = Language(language) if language else None if self._model.model.is_multilingual else Language("en")
        queue, vote = iter(windows), LanguageVote(self._languages)
        while ahead := list(islice(queue, _AHEAD)):
            encoded = dict(zip(ahead, self._encode(ahead, self._first), strict=True))
            spoken = [(window, given) for window in ahead] if given else self._vote(encoded, vote)
            parts = [window for window, _ in spoken if window not in encoded]
            encoded |= zip(parts, self._encode(parts, self._first), strict=True)
            heard = self._hear(spoken, self._first, [encoded[window] for window, _ in spoken])
            yield from map(self._filled, (window for window, _ in spoken), heard)

    def _filled(self, window: Window, heard: _Heard) -> Passage:
        """The passage, with the speech that has no words heard once more, by itself."""
        passage = self._mended(window, heard)
        language = Language(passage.language, passage.language_probability)
        return filled(window, passage, lambda part: self._mended(part, self._hear([(part, language)], self._first)[0]))

    def _mended(self, window: Window, heard: _Heard) -> Passage:
        """The passage, after another try where the model looped or said nothing, and with what it passed over."""
        language = Language(heard.passage.language, heard.passage.language_probability)
        if not heard.passage.words or _ratio(heard) > LOOP_RATIO:
            again = self._hear([(window, language)], self._second)[0]
            heard = min(heard, again, key=lambda h: (not h.passage.words, _ratio(h)))
        passage = heard.passage
        for _ in range(_ROUNDS):
            rest = passed_over(window, heard.until)
            if rest is None or not heard.passage.words:
                break
            heard = self._hear([(rest, language)], self._first)[0]
            passage = _joined(passage, heard.passage)
        return unlooped(passage)

    def _hear(self, spoken: Sequence[Spoken], effort: _Effort, encoded: Sequence[Encoded] = ()) -> list[_Heard]:
        """What is said in windows; `encoded` saves the encoder's work where it has been done."""
        encoded = encoded or self._encode([window for window, _ in spoken], effort)
        alike = [(language.code, len(one)) for (_, language), one in zip(spoken, encoded, strict=True)]
        return _in_batches(alike, lambda batch: self._decode([spoken[i] for i in batch], [encoded[i] for i in batch], effort))

    def _decode(self, spoken: Sequence[Spoken], encoded: Sequence[Encoded], effort: _Effort) -> list[_Heard]:
        """The same for windows of one language and length."""
        windows, languages = [window for window, _ in spoken], [language for _, language in spoken]
        stored = _stored(encoded)
        tokenizer = Tokenizer(self._model.hf_tokenizer, self._model.model.is_multilingual, "transcribe", languages[0].code)
        results = self._generate(stored, tokenizer, len(windows), effort)
        read = [parts(result.sequences_ids[0], tokenizer.eot, tokenizer.timestamp_begin) for result in results]
        chosen = [kept(window, found) for window, found in zip(windows, read, strict=True)]
        words = self._timed(stored, tokenizer, chosen, windows)
        passages = map(_passage, windows, languages, words, results)
        return list(map(_Heard, passages, map(heard_until, windows, chosen)))

    def _encode(self, windows: Sequence[Window], effort: _Effort) -> list[Encoded]:
        return [self._encoded(window, _size(window, effort)) for window in windows]

    def _encoded(self, window: Window, size: int) -> Encoded:
        """A window with silence behind it up to `size` samples, through the encoder."""
        padded = np.pad(window.samples[:size], (0, max(0, size - len(window.samples))))
        features = self._model.feature_extractor(padded)[np.newaxis, :, :-1]
        encoded: Encoded = np.array(self._model.encode(features).to_device(ctranslate2.Device.cpu))[0]
        return encoded

    def _vote(self, encoded: Mapping[Window, Encoded], vote: LanguageVote) -> list[Spoken]:
        detected = self._detected(list(encoded.values()))
        return [spoken for window, p in zip(encoded, detected, strict=True) for spoken in vote.languages(window, p)]

    def _languages(self, windows: Sequence[Window]) -> list[Probabilities]:
        return self._detected(self._encode(windows, self._first))

    def _detected(self, encoded: Sequence[Encoded]) -> list[Probabilities]:
        detect = self._model.model.detect_language
        found = _in_batches(list(map(len, encoded)), lambda batch: detect(_stored([encoded[i] for i in batch])))
        return [{token[2:-2]: p for token, p in ranked} for ranked in found]

    def _generate(self, encoded: Any, tokenizer: Tokenizer, count: int, effort: _Effort) -> list[Any]:
        results: list[Any] = self._model.model.generate(
            encoded,
            [tokenizer.sot_sequence] * count,
            beam_size=effort.beam_size,
            suppress_tokens=get_suppressed_tokens(tokenizer, [-1]),
            return_scores=True,
            return_no_speech_prob=True,
        )
        return results

    def _timed(
        self, encoded: Any, tokenizer: Tokenizer, found: Sequence[Sequence[Part]], windows: Sequence[Window]
    ) -> list[list[Timed]]:
        """The words of each window's parts: from the model's attention, or spread over their part."""
        if not self._word_times:
            ends = [window.span.end - window.start for window in windows]
            return [
                [word for part in one for word in spread(tokenizer.decode(part.tokens), part.start, min(part.end or end, end))]
                for one, end in zip(found, ends, strict=True)
            ]
        tokens = [[token for part in one for token in part.tokens] for one in found]
        frames = [len(window.samples) * _FRAMES_HZ // SAMPLE_RATE_HZ for window in windows]
        aligned = self._model.find_alignment(tokenizer, tokens, encoded, frames)
        for words in aligned:
            merge_punctuations(words, _PREPENDED, _APPENDED)
        return [[Timed(w["word"], float(w["start"]), float(w["end"]), float(w["probability"])) for w in ws] for ws in aligned]


def _size(window: Window, effort: _Effort) -> int:
    """Samples with the silence behind: the encoder is half of all work and its cost follows the length."""
    needed = max(len(window.samples) / SAMPLE_RATE_HZ + _QUIET_S, effort.least_s)
    return round(min(ceil(needed / _STEP_S) * _STEP_S, _MOST_S) * SAMPLE_RATE_HZ)


def _in_batches(keys: Sequence[Hashable], work: Callable[[list[int]], Sequence[_Done]]) -> list[_Done]:
    """What `work` makes of the indices of `keys`, in their order; it gets a few at a time, all with the same key."""
    done: dict[int, _Done] = {}
    for key in dict.fromkeys(keys):
        same = (i for i, other in enumerate(keys) if other == key)
        while batch := list(islice(same, _BATCH)):
            done.update(zip(batch, work(batch), strict=True))
    return [done[i] for i in range(len(keys))]


def _stored(encoded: Sequence[Encoded]) -> ctranslate2.StorageView:
    return ctranslate2.StorageView.from_array(np.stack(encoded))


def _load(folder: Path, threads: int) -> WhisperModel:
    for name in ("model.bin", "config.json", "tokenizer.json"):  # absent, the package would look for it on the network
        if not (folder / name).is_file():
            raise ModelMissing(f"this is no faster-whisper model: {name} is missing", path=folder)
    gpu = ctranslate2.get_cuda_device_count() > 0
    device, compute_type = ("cuda", "float16") if gpu else ("cpu", "int8")
    try:
        return WhisperModel(str(folder), device, compute_type=compute_type, cpu_threads=threads, local_files_only=True)
    except Exception as error:  # the packages below raise RuntimeError, ValueError and Exception itself
        raise ModelMissing(f"this is no faster-whisper model: {error}", path=folder) from error


class _Heard(NamedTuple):
    """A passage, and the time until which the model heard its window."""

    passage: Passage
    until: float


def _passage(window: Window, language: Language, words: Sequence[Timed], result: Any) -> Passage:
    length = len(result.sequences_ids[0])
    heard = placed(words, window.span)
    return Passage(
        words=heard,
        window=window.span,
        speech=window.speech,
        language=language.code,
        language_probability=language.probability,
        avg_logprob=result.scores[0] * length / (length + 1),  # the score leaves the end token out, Whisper counts it
        compression_ratio=packed(heard),
        no_speech_probability=result.no_speech_prob,
    )


def _ratio(heard: _Heard) -> float:
    return heard.passage.compression_ratio or 0.0


def _joined(a: Passage, b: Passage) -> Passage:
    """Two passages of one window, `b` behind `a`, with the worse of their figures."""
    if not b.words:
        return a
    border = b.window.start
    clipped = (replace(w, start=min(w.start, border), end=min(w.end, border)) for w in a.words)
    return replace(
        a,
        words=(*clipped, *b.words),
        avg_logprob=min(a.avg_logprob or 0.0, b.avg_logprob or 0.0),
        compression_ratio=max(a.compression_ratio or 0.0, b.compression_ratio or 0.0),
        no_speech_probability=max(a.no_speech_probability or 0.0, b.no_speech_probability or 0.0),
    )
