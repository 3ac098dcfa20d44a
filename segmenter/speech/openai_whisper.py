"""Whisper in its reference implementation, on torch: slower, for comparison and for its own checkpoint files."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
import whisper

from segmenter.errors import ModelMissing
from segmenter.settings import SpeechSettings
from segmenter.speech.hearing import LOOP_RATIO, Language, Timed, check_language, placed, spread
from segmenter.speech.languages import LanguageVote, Probabilities
from segmenter.speech.loops import packed, unlooped
from segmenter.speech.transcriber import Passage, Window
from segmenter.speech.unheard import filled

_HARDER_BEAM = 5  # for another try where the model looped; it is deterministic, as higher temperatures are not


class OpenAIWhisper:
    """A Whisper model from a checkpoint file of openai-whisper (`.pt`).

    The number of threads is torch's own: it belongs to the whole process and is left as it is.

    Raises:
        ModelMissing: the file is not there, or is no such checkpoint.
        SettingsError: the model does not know the language asked for.
    """

    def __init__(self, model_path: str | Path, settings: SpeechSettings, _threads: int = 0) -> None:
        self._model = _load(Path(model_path))
        self._beam_size, self._word_times = settings.beam_size, settings.word_times
        check_language(settings.language, whisper.tokenizer.LANGUAGES if self._model.is_multilingual else ("en",))

    def transcribe(self, windows: Iterable[Window], language: str | None) -> Iterator[Passage]:
        given = Language(language) if language else None if self._model.is_multilingual else Language("en")
        vote = LanguageVote(self._languages)
        for window in windows:
            spoken = [(window, given)] if given else vote.languages(window, *self._languages([window]))
            yield from (self._hear(part, language) for part, language in spoken)

    def _hear(self, window: Window, language: Language) -> Passage:
        return filled(window, self._mended(window, language), lambda part: self._mended(part, language))

    def _mended(self, window: Window, language: Language) -> Passage:
        """The passage, after another try where the model looped."""
        passage = self._passage(window, language, self._beam_size)
        if _ratio(passage) > LOOP_RATIO:
            passage = min(passage, self._passage(window, language, max(_HARDER_BEAM, self._beam_size)), key=_ratio)
        return unlooped(passage)

    def _passage(self, window: Window, language: Language, beam_size: int) -> Passage:
        segments = self._segments(window, language, beam_size)
        words = placed((word for segment in segments for word in _timed(segment)), window.span)
        return Passage(
            words=words,
            window=window.span,
            speech=window.speech,
            language=language.code,
            language_probability=language.probability,
            avg_logprob=min((segment["avg_logprob"] for segment in segments), default=None),
            compression_ratio=packed(words),
            no_speech_probability=max((segment["no_speech_prob"] for segment in segments), default=None),
        )

    def _segments(self, window: Window, language: Language, beam_size: int) -> list[dict[str, Any]]:
        heard = self._model.transcribe(
            window.samples,
            language=language.code,
            beam_size=beam_size if beam_size > 1 else None,
            temperature=0.0,
            condition_on_previous_text=False,  # else a loop goes on in the next window
            word_timestamps=self._word_times,
            fp16=self._model.device.type == "cuda",
        )
        segments: list[dict[str, Any]] = heard["segments"]
        return segments

    def _languages(self, windows: Sequence[Window]) -> list[Probabilities]:
        mels = (whisper.log_mel_spectrogram(whisper.pad_or_trim(w.samples), self._model.dims.n_mels) for w in windows)
        return [self._model.detect_language(mel.to(self._model.device))[1] for mel in mels]


def _timed(segment: dict[str, Any]) -> list[Timed]:
    if "words" not in segment:
        return spread(segment["text"], segment["start"], segment["end"])
    return [Timed(word["word"], word["start"], word["end"], word["probability"]) for word in segment["words"]]


def _ratio(passage: Passage) -> float:
    return passage.compression_ratio or 0.0


def _load(path: Path) -> whisper.Whisper:
    """The model, with the alignment heads that word times need: `whisper.load_model` knows them by official name only.

    They come from the checkpoint's key `alignment_heads` ([layer, head] pairs), or by the file's name.
    """
    try:
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        model = whisper.Whisper(whisper.ModelDimensions(**checkpoint["dims"]))
        model.load_state_dict(checkpoint["model_state_dict"])
    except (OSError, RuntimeError, KeyError, TypeError, pickle.UnpicklingError) as error:
        raise ModelMissing(f"this is no openai-whisper checkpoint: {error}", path=path) from error
    if heads := checkpoint.get("alignment_heads"):
        mask = torch.zeros(model.dims.n_text_layer, model.dims.n_text_head, dtype=torch.bool)
        mask[tuple(torch.tensor(heads).T)] = True
        model.register_buffer("alignment_heads", mask.to_sparse(), persistent=False)
    elif path.stem in whisper._ALIGNMENT_HEADS:
        model.set_alignment_heads(whisper._ALIGNMENT_HEADS[path.stem])
    return model.to("cuda" if torch.cuda.is_available() else "cpu")
