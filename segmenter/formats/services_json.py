"""The JSON of speech services, each with names and units of its own, to segments as Whisper writes them.

The layouts follow the services' public references: AssemblyAI, Deepgram, ElevenLabs, Amazon Transcribe, Google Cloud
(v1 and v2), Azure (batch and fast transcription), Teams, Rev and Speechmatics. Most know words, not sentences: words are gathered
to a segment until the speaker changes or pauses. Whatever is missing or of another type makes a segment or a word that
the reader of segments leaves out and counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from segmenter.formats.cues import unspaced
from segmenter.formats.word_marks import marked, places
from segmenter.timeline import parse_time

Object = dict[str, Any]

_PAUSE_S = 1.0  # ends a segment, so that segments of two channels take turns
_TICKS_HZ = 1e7  # of Azure
_OPENING_MARKS = ("¿", "¡")


@dataclass(frozen=True, slots=True)
class Service:
    """One layout. `language` gives what the file says of its language, a code or a name."""

    name: str
    recognises: Callable[[Object], bool]
    segments: Callable[[Object], Iterable[Object]]
    language: Callable[[Object], Any] = lambda _: None


def service(data: Any) -> Service | None:
    """The service that wrote this, if it is a known one."""
    return next((one for one in SERVICES if isinstance(data, dict) and one.recognises(data)), None)


def at(data: Any, *path: str | int) -> Any:
    """What lies at the end of a path of keys and indices, or None."""
    for key in path:
        if isinstance(data, dict) and isinstance(key, str):
            data = data.get(key)
        elif isinstance(data, list) and isinstance(key, int) and key < len(data):
            data = data[key]
        else:
            return None
    return data


def objects(data: Any, *path: str | int) -> list[Object]:
    """The objects of the list at the end of a path."""
    found = at(data, *path)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


# --- words and segments -------------------------------------------------------------------------------------------


def _word(text: Any, start: Any, end: Any, sure: Any = None, speaker: Any = None) -> Object:
    return {"word": text, "start": start, "end": end, "probability": _number(sure), "speaker": _speaker(speaker)}


def _gathered(words: Iterable[Object]) -> Iterator[Object]:
    """Segments of one speaker without a pause in them."""
    held: list[Object] = []
    for word in words:
        if not isinstance(word["word"], str) or not word["word"].strip():
            continue
        if held and (word["speaker"] != held[-1]["speaker"] or _apart(held[-1]["end"], word["start"])):
            yield _segment(held)
            held = []
        held.append(word)
    if held:
        yield _segment(held)


def _segment(words: list[Object]) -> Object:
    joints = [("" if unspaced(a["word"], b["word"]) else " ") + b["word"].strip() for a, b in pairwise(words)]
    text = "".join([" ", words[0]["word"].strip(), *joints])
    times = [time for word in words for time in (word["start"], word["end"]) if isinstance(time, float)]
    edges = {"start": times[0], "end": times[-1]} if times else {}
    return {**edges, "text": text, "speaker": words[0]["speaker"], "words": words}


def _apart(end: Any, start: Any) -> bool:
    return isinstance(end, float) and isinstance(start, float) and not 0 <= start - end <= _PAUSE_S


def _with_marks(items: Iterable[tuple[Object, bool]]) -> list[Object]:
    """Words, with those that are marks of punctuation at the end of the word before, opening ones at the next."""
    words, opening = list[Object](), ""
    for word, is_mark in items:
        if is_mark and word["word"] in _OPENING_MARKS:
            opening += word["word"]
        elif is_mark and words and isinstance(words[-1]["word"], str) and isinstance(word["word"], str):
            words[-1] = words[-1] | {"word": words[-1]["word"].rstrip() + word["word"].strip()}
        elif not is_mark:
            words.append(word | {"word": opening + word["word"].strip()} if opening and isinstance(word["word"], str) else word)
            opening = ""
    return words


def _number(value: Any, per_second: float = 1.0) -> float | None:
    """A number, or one in a string such as `4.87` or `1.300s`."""
    if isinstance(value, str):
        try:
            value = parse_time(value)
        except ValueError:
            return None
    return value / per_second if isinstance(value, float) else None


def _span(start: Any, duration: Any, per_second: float) -> tuple[float | None, float | None]:
    first, length = _number(start, per_second), _number(duration, per_second)
    return first, None if first is None or length is None else first + length


def _speaker(value: Any) -> str | None:
    """A name as it is; a bare number is called so."""
    return f"Speaker {value:g}" if isinstance(value, float) else value if isinstance(value, str) and value else None


# --- the services -------------------------------------------------------------------------------------------------


def _assembly(data: Object) -> Iterator[Object]:
    """Milliseconds."""
    return _gathered(
        _word(w.get("text"), _number(w.get("start"), 1000), _number(w.get("end"), 1000), w.get("confidence"), w.get("speaker"))
        for w in objects(data, "words")
    )


def _deepgram(data: Object) -> Iterator[Object]:
    """Several channels are several speakers where nobody was told apart."""
    channels = objects(data, "results", "channels")
    for number, channel in enumerate(channels):
        words = objects(channel, "alternatives", 0, "words")
        name = f"Channel {number}" if len(channels) > 1 else None
        yield from _gathered(
            _word(
                w.get("punctuated_word", w.get("word")), w.get("start"), w.get("end"), w.get("confidence"), w.get("speaker", name)
            )
            for w in words
        )


def _eleven(data: Object) -> Iterator[Object]:
    """Blanks and sounds stand between the words."""
    words = (w for w in objects(data, "words") if w.get("type") == "word")
    return _gathered(_word(w.get("text"), w.get("start"), w.get("end"), None, w.get("speaker_id")) for w in words)


def _openai_words(data: Object) -> Iterator[Object]:
    """Words alone, where segments were not asked for; their punctuation stands in the text alone."""
    words, text = objects(data, "words"), str(data.get("text") or "")
    found = places([str(w.get("word") or "") for w in words], text)
    shown = marked(found, text) if len(found) == len(words) else [w.get("word") for w in words]
    return _gathered(_word(word, w.get("start"), w.get("end")) for word, w in zip(shown, words, strict=True))


def _amazon(data: Object) -> Iterator[Object]:
    """Older files name the speakers beside the words, by the words' start."""
    spoken = [item for part in objects(data, "results", "speaker_labels", "segments") for item in objects(part, "items")]
    speakers = {str(item.get("start_time")): item.get("speaker_label") for item in spoken}
    return _gathered(
        _with_marks(
            (
                _word(
                    at(item, "alternatives", 0, "content"),
                    _number(item.get("start_time")),
                    _number(item.get("end_time")),
                    at(item, "alternatives", 0, "confidence"),
                    item.get("speaker_label", speakers.get(str(item.get("start_time")))),
                ),
                item.get("type") == "punctuation",
            )
            for item in objects(data, "results", "items")
        )
    )


def _speechmatics(data: Object) -> Iterator[Object]:
    items = ((item, at(item, "alternatives", 0)) for item in objects(data, "results"))
    return _gathered(
        _with_marks(
            (
                _word(
                    at(best, "content"), item.get("start_time"), item.get("end_time"), at(best, "confidence"), at(best, "speaker")
                ),
                item.get("type") == "punctuation",
            )
            for item, best in items
        )
    )


def _google(data: Object) -> Iterator[Object]:
    """Results without times of words begin where the one before ends; the last of v1 tells all words again, with speakers."""
    results = _google_results(data)
    words = [objects(result, "alternatives", 0, "words") for result in results]
    told = [word.get("word") for own in words[:-1] for word in own]
    if told and told == [word.get("word") for word in words[-1]]:
        results, words = results[-1:], words[-1:]
    begin: float | None = 0.0
    for result, own in zip(results, words, strict=True):
        end = _number(result.get("resultEndTime", result.get("resultEndOffset")))
        if own:
            yield from _gathered(map(_google_word, own))
        elif at(result, "alternatives", 0, "transcript"):
            yield {"start": begin, "end": end, "text": at(result, "alternatives", 0, "transcript")}
        begin = end


def _google_results(data: Object) -> list[Object]:
    return objects(data, "response", "results") or objects(data, "results")


def _google_word(word: Object) -> Object:
    """A time of zero may be left out."""
    start, end = (_number(word.get(f"{edge}Time", word.get(f"{edge}Offset", "0s"))) for edge in ("start", "end"))
    tag = word.get("speakerTag", word.get("speakerLabel"))
    return _word(
        word.get("word"), start, end, word.get("confidence"), f"Speaker {tag}" if isinstance(tag, str) and tag.isdigit() else tag
    )


def _azure_batch(data: Object) -> Iterator[Object]:
    for phrase in objects(data, "recognizedPhrases"):
        start, end = _span(phrase.get("offsetInTicks"), phrase.get("durationInTicks"), _TICKS_HZ)
        shown = objects(phrase, "nBest", 0, "displayWords")
        words = [_word(w.get("displayText"), *_span(w.get("offsetInTicks"), w.get("durationInTicks"), _TICKS_HZ)) for w in shown]
        text = at(phrase, "nBest", 0, "display")
        yield {"start": start, "end": end, "text": text, "speaker": _speaker(phrase.get("speaker")), "words": words}


def _azure_fast(data: Object) -> Iterator[Object]:
    for phrase in objects(data, "phrases"):
        start, end = _span(phrase.get("offsetMilliseconds"), phrase.get("durationMilliseconds"), 1000)
        words = [
            _word(w.get("text"), *_span(w.get("offsetMilliseconds"), w.get("durationMilliseconds"), 1000))
            for w in objects(phrase, "words")
        ]
        yield {"start": start, "end": end, "text": phrase.get("text"), "speaker": _speaker(phrase.get("speaker")), "words": words}


def _teams(data: Object) -> Iterator[Object]:
    """Clock times with seven decimals."""
    for entry in objects(data, "entries"):
        times = {"start": _number(entry.get("startOffset")), "end": _number(entry.get("endOffset"))}
        yield {**times, "text": entry.get("text"), "speaker": _speaker(entry.get("speakerDisplayName"))}


def _rev(data: Object) -> Iterator[Object]:
    names = {one.get("id"): one.get("name") for one in objects(data, "speakers") if isinstance(one.get("id"), float)}
    for part in objects(data, "monologues"):
        number = part.get("speaker")
        speaker = names.get(number, number) if isinstance(number, float) else number
        elements = (
            (_word(e.get("value"), e.get("ts"), e.get("end_ts"), e.get("confidence"), speaker), e.get("type") != "text")
            for e in objects(part, "elements")
        )
        yield from _gathered(_with_marks(elements))


def _words_have(key: str) -> Callable[[Object], bool]:
    return lambda data: "segments" not in data and any(key in word for word in objects(data, "words")[:1])


SERVICES = (
    Service(
        "Deepgram",
        lambda d: at(d, "results", "channels") is not None,
        _deepgram,
        lambda d: at(d, "results", "channels", 0, "detected_language"),
    ),
    Service(
        "Amazon Transcribe", lambda d: at(d, "results", "items") is not None, _amazon, lambda d: at(d, "results", "language_code")
    ),
    Service("Teams", lambda d: "entries" in d, _teams, lambda d: at(d, "entries", 0, "spokenLanguageTag")),
    Service("Rev", lambda d: "monologues" in d, _rev),
    Service("Azure", lambda d: "recognizedPhrases" in d, _azure_batch, lambda d: at(d, "recognizedPhrases", 0, "locale")),
    Service("Azure, fast", lambda d: "phrases" in d, _azure_fast, lambda d: at(d, "phrases", 0, "locale")),
    Service(
        "Speechmatics",
        lambda d: any("type" in one for one in objects(d, "results")[:1]),
        _speechmatics,
        lambda d: at(d, "metadata", "transcription_config", "language"),
    ),
    Service("Google", lambda d: bool(_google_results(d)), _google, lambda d: at(_google_results(d), 0, "languageCode")),
    Service("ElevenLabs", _words_have("type"), _eleven, lambda d: d.get("language_code")),
    Service("OpenAI", _words_have("word"), _openai_words, lambda d: d.get("language")),
    Service("AssemblyAI", _words_have("confidence"), _assembly, lambda d: d.get("language_code")),
)
