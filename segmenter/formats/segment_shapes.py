"""The segments of each program of the Whisper family in the form of openai-whisper: start, end, text, words.

openai-whisper, faster-whisper and WhisperX write `segments`, whisper.cpp `transcription`, Hugging Face's pipelines
`chunks`. Podcasting 2.0 transcripts (https://podcasting2.org/podcast-namespace/tags/transcript) have `segments` as well,
with names of their own inside. Whatever is missing or of another type makes a segment that the reader leaves out and counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

from segmenter.formats.cues import USUAL_HZ, unspaced
from segmenter.formats.services_json import at, objects
from segmenter.formats.word_marks import marked, places
from segmenter.timeline import parse_time

Object = dict[str, Any]

_SPECIAL = re.compile(r"\[_.*\]|<\|.*\|>")  # tokens that are no text
_CLOSING = re.compile(r"[.,;:!?…。，、！？%)\]”»]+")
_CLOSE_S = 0.1  # pieces of one word follow each other so closely
_WORDS_APART_S = 0.5  # the clocks of words and segments differ by less


def segments(data: Any) -> Any:
    """The segments of a parsed file; something else than a list where it has none."""
    if not isinstance(data, dict):
        return data
    shape = next((key for key in _SHAPES if key in data), "segments")
    found = data.get(shape)
    if not isinstance(found, list):
        return found
    return _whole(_SHAPES[shape](found, data))


def seconds(value: Any) -> float | None:
    """A number, or a number or clock time written as a string."""
    if isinstance(value, str):
        try:
            return parse_time(value)
        except ValueError:
            return None
    return value if isinstance(value, float) else None


# --- the programs ---------------------------------------------------------------------------------------------------


def _whisper(found: list[Any], data: Object) -> list[Any]:
    """Podcasting 2.0 calls the text `body`; OpenAI's answers have the words beside the segments, not in them."""
    if any(isinstance(one, dict) and "body" in one for one in found):
        return _ended([_podcasting(one) for one in found])
    beside = objects(data, "words") or objects(data, "word_segments")
    inside = any(isinstance(one, dict) and one.get("words") for one in found)
    return found if inside or not beside else list(_with_words(found, beside))


def _podcasting(segment: Any) -> Any:
    if not isinstance(segment, dict) or "body" not in segment:
        return segment
    return segment | {name: segment.get(key) for name, key in (("start", "startTime"), ("end", "endTime"), ("text", "body"))}


def _whisper_cpp(found: list[Any], _: Object) -> list[Any]:
    return [
        segment | _cpp_times(segment) | {"words": list(_cpp_words(objects(segment, "tokens")))}
        if isinstance(segment, dict)
        else segment
        for segment in found
    ]


def _cpp_times(record: Object) -> Object:
    """Milliseconds under `offsets`, clock times under `timestamps`."""
    offsets = [at(record, "offsets", edge) for edge in ("from", "to")]
    times = [
        ms / 1000 if isinstance(ms, float) else seconds(at(record, "timestamps", edge))
        for ms, edge in zip(offsets, ("from", "to"), strict=True)
    ]
    return {name: time for name, time in zip(("start", "end"), times, strict=True) if time is not None}


def _cpp_words(tokens: Iterable[Object]) -> Iterator[Object]:
    """Words from tokens: one that begins without a blank goes on with the word before, where its script has blanks."""
    word: list[Object] = []
    for token in tokens:
        text = token.get("text")
        if not isinstance(text, str) or _SPECIAL.fullmatch(text.strip()) or not text.strip():
            continue
        if word and (text.startswith(" ") or unspaced(word[-1]["text"], text)):
            yield _cpp_word(word)
            word = []
        word.append(token)
    if word:
        yield _cpp_word(word)


def _cpp_word(tokens: list[Object]) -> Object:
    """Marks do not make a word more or less sure, as in openai-whisper."""
    sure = [token["p"] for token in tokens if isinstance(token.get("p"), float) and any(c.isalnum() for c in token["text"])]
    times = {"start": _cpp_times(tokens[0]).get("start"), "end": _cpp_times(tokens[-1]).get("end")}
    text = "".join(token["text"] for token in tokens)
    return {**times, "word": text, "probability": sum(sure) / len(sure) if sure else None}


def _hugging_face(found: list[Any], _: Object) -> list[Any]:
    """The end of the last one may be null."""
    return _ended([{"start": at(one, "timestamp", 0), "end": at(one, "timestamp", 1), "text": at(one, "text")} for one in found])


_SHAPES: dict[str, Callable[[list[Any], Object], list[Any]]] = {
    "segments": _whisper,
    "transcription": _whisper_cpp,
    "chunks": _hugging_face,
}


# --- what several of them leave out ---------------------------------------------------------------------------------


def _ended(found: list[Any]) -> list[Any]:
    """Where no end is told, a segment lasts until the next one starts, the last one as long as people need for it."""
    starts = [seconds(at(one, "start")) for one in found]
    ended = []
    for one, start, following in zip(found, starts, [*starts[1:], None], strict=True):
        text = at(one, "text")
        if start is not None and isinstance(text, str) and one.get("end") is None:
            spoken = start + len(text.strip()) / USUAL_HZ
            one = one | {"end": spoken if following is None or following < start else following}
        ended.append(one)
    return ended


def _with_words(found: list[Any], words: list[Object]) -> Iterator[Any]:
    """Each segment with those of the words that its text tells, in order."""
    at_word = 0
    for segment in found:
        start, text = seconds(at(segment, "start")), at(segment, "text")
        if start is None or not isinstance(text, str):
            yield segment
            continue
        while at_word < len(words) and _is_over(words[at_word], start, text):
            at_word += 1
        ahead = words[at_word : at_word + len(text)]
        own = places([_word(word) for word in ahead], text)
        at_word += len(own)
        all_told = own and not any(c.isalnum() for c in text[own[-1][1] :])
        shown = marked(own, text) if all_told else map(_word, ahead[: len(own)])
        yield segment | {"words": [word | {"word": one} for word, one in zip(ahead, shown, strict=False)]}


def _word(record: Object) -> str:
    return str(record.get("word") or "")


def _is_over(word: Object, start: float, text: str) -> bool:
    """Whether the word was said before the segment, and is not what it begins with."""
    end = seconds(word.get("end"))
    if end is None or end > start:
        return False
    return end <= start - _WORDS_APART_S or not places([_word(word)], text)


def _whole(found: list[Any]) -> list[Any]:
    """Segments that are pieces of one word, or its punctuation, as one: some programs write a segment a token."""
    texts = [text if isinstance(text := at(one, "text"), str) else " " for one in found]
    told = [text for text in texts if text.strip() and not _CLOSING.fullmatch(text)]
    spaced = sum(b.startswith(" ") or a.endswith(" ") for a, b in pairwise(["", *told]))
    by_blanks = 2 * spaced >= len(told) > 0
    joined: list[Any] = []
    for segment, text in zip(found, texts, strict=True):
        if joined and _goes_on(joined[-1], segment, text, by_blanks):
            joined[-1] = _together(joined[-1], segment)
        else:
            joined.append(segment)
    return joined


def _goes_on(before: Any, segment: Any, text: str, by_blanks: bool) -> bool:
    ended, begins, said = seconds(at(before, "end")), seconds(at(segment, "start")), at(before, "text")
    if ended is None or begins is None or not isinstance(said, str) or not 0 <= begins - ended <= _CLOSE_S:
        return False
    if at(segment, "speaker") not in (None, at(before, "speaker")) or len(text.split()) != 1 or not said.strip():
        return False
    joint = not said.endswith(" ") and not text.startswith(" ")
    return bool(_CLOSING.fullmatch(text.strip())) or (by_blanks and joint and not unspaced(said, text))


def _together(before: Object, segment: Object) -> Object:
    words = [*before["words"], *segment["words"]] if before.get("words") and segment.get("words") else []
    return before | {"text": before["text"].rstrip() + segment["text"].lstrip(), "end": segment.get("end"), "words": words}
