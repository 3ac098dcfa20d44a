"""The contract that every transcriber keeps, on real sound, and what the default one does beyond it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from sounds import blocks_of, samples_of

from segmenter import weights
from segmenter.errors import ModelMissing, SettingsError
from segmenter.evaluate.speech import error_rate
from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.records import Span
from segmenter.settings import SpeechSettings
from segmenter.speech.hearing import LOOP_RATIO
from segmenter.speech.transcriber import TRANSCRIBERS, Passage, Transcriber, Window
from segmenter.speech.understanding import understand
from segmenter.speech.vad import VoiceActivity
from segmenter.speech.windows import windows
from segmenter.table import load

SETTINGS = SpeechSettings()
QUOTATION = "And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country."

# openai-whisper leaves its vocabulary file open.
pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def transcriber(name: str, model: str, settings: SpeechSettings = SETTINGS) -> Transcriber:
    try:
        found = weights.locate(f"{name}/{model}")
    except ModelMissing as error:
        pytest.skip(str(error))
    made: Transcriber = load("transcriber", TRANSCRIBERS, name)(found.path, settings, 1)
    return made


def windows_of(path: Path, start: float = 0.0) -> list[Window]:
    return list(windows(VoiceActivity().listen(blocks_of(samples_of(path), 160_000, start)), SETTINGS))


def text_of(passages: list[Passage]) -> str:
    return "".join(word.text for passage in passages for word in passage.words)


@pytest.fixture(scope="module", params=TRANSCRIBERS)
def backend(request: pytest.FixtureRequest) -> Transcriber:
    return transcriber(request.param, "tiny.en")


@pytest.fixture(scope="module")
def quoted(backend: Transcriber, shared: Path) -> list[Passage]:
    return list(backend.transcribe(windows_of(shared / "speech" / "jfk.flac"), None))


def test_the_quotation_is_heard_without_an_error(quoted: list[Passage]) -> None:
    assert error_rate(QUOTATION, text_of(quoted), "en") == 0


def test_words_are_in_order_and_inside_the_window(quoted: list[Passage], shared: Path) -> None:
    (window,) = windows_of(shared / "speech" / "jfk.flac")
    (passage,) = quoted
    assert (passage.window, passage.speech) == (window.span, window.speech)
    assert all(passage.window.start <= w.start <= w.end <= passage.window.end for w in passage.words)
    assert all(a.end <= b.start for a, b in pairwise(passage.words))
    assert {type(value) for w in passage.words for value in (w.start, w.end, w.probability)} == {float}


def test_words_have_the_times_at_which_they_are_said(quoted: list[Passage]) -> None:
    """The first `ask` follows a pause that ends at 3.3 s, the last `country` ends with the sound at 10.5 s."""
    words = quoted[0].words
    assert next(w for w in words if w.text.strip() == "ask").end == pytest.approx(3.8, abs=0.4)
    assert words[-1].end == pytest.approx(10.5, abs=0.4)


def test_an_english_model_says_english_and_has_figures(quoted: list[Passage]) -> None:
    (passage,) = quoted
    assert (passage.language, passage.language_probability) == ("en", None)
    assert passage.avg_logprob is not None
    assert -0.7 < passage.avg_logprob < 0
    assert passage.compression_ratio is not None
    assert 1 < passage.compression_ratio < LOOP_RATIO
    assert passage.no_speech_probability is not None
    assert passage.no_speech_probability < 0.2


def test_sound_that_comes_later_gives_the_same_words_later(backend: Transcriber, quoted: list[Passage], shared: Path) -> None:
    (later,) = backend.transcribe(windows_of(shared / "speech" / "jfk.flac", 100.0), "en")
    assert [w.text for w in later.words] == [w.text for w in quoted[0].words]
    assert [w.start for w in later.words] == pytest.approx([w.start + 100 for w in quoted[0].words], abs=1e-6)


def test_no_windows_give_no_passages(backend: Transcriber) -> None:
    assert list(backend.transcribe([], None)) == []


def test_the_same_sound_gives_the_same_words_and_times(backend: Transcriber, quoted: list[Passage], shared: Path) -> None:
    """Figures may differ in their last digits: where a library puts its arrays decides in which order it adds."""
    again = list(backend.transcribe(windows_of(shared / "speech" / "jfk.flac"), None))
    heard = [[(w.text, w.start, w.end) for p in passages for w in p.words] for passages in (again, quoted)]
    assert heard[0] == heard[1]
    sure = [[w.probability for p in passages for w in p.words] for passages in (again, quoted)]
    assert sure[0] == pytest.approx(sure[1], abs=1e-4)


@pytest.mark.parametrize("name", TRANSCRIBERS)
def test_without_word_times_words_share_their_phrase(name: str, shared: Path) -> None:
    """The same text; words with interpolated times have no probability."""
    quick = transcriber(name, "tiny.en", replace(SETTINGS, word_times=False))
    (passage,) = quick.transcribe(windows_of(shared / "speech" / "jfk.flac"), None)
    assert error_rate(QUOTATION, text_of([passage]), "en") == 0
    assert {word.probability for word in passage.words} == {None}
    assert all(a.end <= b.start for a, b in pairwise(passage.words))
    (sentence,) = understand([passage], SETTINGS)
    assert (sentence.start, sentence.end) == pytest.approx((0.3, 10.5), abs=0.3)
    assert sentence.doubts == ()


@pytest.mark.parametrize("name", TRANSCRIBERS)
def test_a_language_that_the_model_does_not_know_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="does not know the language 'de'"):
        transcriber(name, "tiny.en", SpeechSettings(language="de"))


@pytest.mark.parametrize("name", TRANSCRIBERS)
def test_a_file_that_is_no_model_is_refused(name: str, tmp_path: Path) -> None:
    for file in ("model.pt", "model.bin", "config.json", "tokenizer.json"):
        (tmp_path / file).write_bytes(b"not a model")
    path = tmp_path / "model.pt" if name == "openai-whisper" else tmp_path
    with pytest.raises(ModelMissing, match="this is no"):
        load("transcriber", TRANSCRIBERS, name)(path, SETTINGS)


def test_a_folder_without_all_of_a_models_files_is_refused(tmp_path: Path) -> None:
    """Whatever is missing would be looked for on the network."""
    (tmp_path / "model.bin").touch()
    with pytest.raises(ModelMissing, match=r"config\.json is missing"):
        load("transcriber", TRANSCRIBERS, "faster-whisper")(tmp_path, SETTINGS)


@pytest.fixture(scope="module")
def fast() -> Transcriber:
    return transcriber("faster-whisper", "tiny.en")


Cut = Callable[[float, float], Window]


@pytest.fixture(scope="module")
def cut(shared: Path) -> Cut:
    """Windows of a recording with long silences, with speech throughout until 248.4 s."""
    sound = samples_of(shared / "speech" / "tts_long_silences.opus")

    def window(start: float, end: float) -> Window:
        samples = sound[round(start * SAMPLE_RATE_HZ) : round(end * SAMPLE_RATE_HZ)]
        return Window(start, samples, (Span(start, min(end, 248.4)),))

    return window


def test_a_window_that_loops_is_heard_again(fast: Transcriber, cut: Cut) -> None:
    """Greedy, this window is one phrase over and over."""
    (passage,) = fast.transcribe([cut(234.0, 255.0)], None)
    assert "Does the soil freeze?" in text_of([passage])
    assert (passage.compression_ratio or 9) < LOOP_RATIO


def test_windows_of_one_batch_do_not_mix(fast: Transcriber, cut: Cut, shared: Path) -> None:
    quotation, other = windows_of(shared / "speech" / "jfk.flac")[0], cut(224.5, 234.0)
    together = list(fast.transcribe([quotation, replace(other, start=20.0, speech=(Span(20, 29),))], None))
    assert error_rate(QUOTATION, text_of(together[:1]), "en") == 0
    assert "vegetables" in text_of(together[1:])


def test_what_is_heard_in_a_window_does_not_depend_on_its_neighbours(fast: Transcriber, shared: Path) -> None:
    names = ("jfk.flac", "phone_8k_shop.flac", "librispeech_1995.flac")
    cut = [window for name in names for window in windows_of(shared / "speech" / name)]
    alone = [list(fast.transcribe([window], None)) for window in cut]
    together = list(fast.transcribe(cut, None))
    assert [[word.text for word in passage.words] for (passage,) in alone] == [[w.text for w in p.words] for p in together]
    times = [
        [time for p in passages for w in p.words for time in (w.start, w.end)] for passages in ([p for (p,) in alone], together)
    ]
    assert times[0] == pytest.approx(times[1], abs=0.021)


@pytest.mark.parametrize(
    ("name", "language"), [("de_short_read", "de"), ("ja_short_read", "ja"), ("pt_short_read", "pt"), ("ru_common_voice", "ru")]
)
def test_the_language_is_heard(shared: Path, name: str, language: str) -> None:
    (passage,) = transcriber("faster-whisper", "base").transcribe(windows_of(shared / "speech" / f"{name}.flac"), None)
    assert passage.language == language
    assert (passage.language_probability or 0) > 0.9
    reference = (shared / "speech" / f"{name}.txt").read_text(encoding="utf-8")
    assert error_rate(reference, text_of([passage]), language) < 0.5


def test_speech_that_was_passed_over_is_heard_again(fast: Transcriber, shared: Path) -> None:
    """On this telephone call the model stops at a question, and the answer follows."""
    text = text_of(list(fast.transcribe(windows_of(shared / "speech" / "phone_8k_shop.flac"), None)))
    assert text.count("the regular Chromecast? Regular Chromecast is fine.") == 1
    assert error_rate((shared / "speech" / "phone_8k_shop.txt").read_text(encoding="utf-8"), text, "en") < 0.1
