"""Damaged, odd and malicious transcripts: each entry of the shared set against the reader, over its recording of 10 s."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import hostile_folder

from segmenter.errors import BadInput, InputError, TooLarge
from segmenter.formats import transcripts
from segmenter.records import Finding, Word

DURATION = 10.0  # of the recording that all of them belong to
ERRORS = {"bad_input": BadInput, "limit": TooLarge}
MADE = {"vtt_5mb_line", "json_deep", "json_million", "srt_20000_overlaps", "srt_long_number"}
MADE |= {"srt_names_files", "json_ref", "transcript_is_playlist"}


def _entries() -> list[Any]:
    folder = hostile_folder()
    if folder is None:
        return [pytest.param({}, marks=pytest.mark.skip(reason="the shared data are not here: set SEGMENTER_SHARED"))]
    entries = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return [pytest.param(e, id=e["id"]) for e in entries if "transcript" in e or e.get("make") in MADE]


@dataclass
class Outcome:
    """What reading gave, and the texts that the source holds."""

    source: list[str]
    words: tuple[Word, ...] = ()
    error: InputError | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(word.text for word in self.words)

    @property
    def messages(self) -> str:
        said = [str(self.error)] if self.error else []
        return " ".join(said + [finding.message for finding in self.findings]).lower()


def _bare(text: str) -> str:
    """Words alone, without tags, control characters and marks nobody sees: both sides compare whatever is between the words."""
    shown = re.sub(r"<rt>[^<]*</rt>|</?[^<>]*>|[\x00-\x08\x0e-\x1f\x7f\u200b\u2060\ufeff]", "", text)
    words = re.findall(r"[^\W_]+", html.unescape(shown))
    return f" {' '.join(words) or shown.strip()} "


def _source_texts(path: Path) -> list[str]:
    """The text of each cue, found without the product's help."""
    data = path.read_bytes()
    text = data.decode("utf-16" if data[:2] == b"\xff\xfe" else "utf-8-sig", "replace")
    if path.suffix == ".json":
        return [s["text"] for s in _segments(text) if isinstance(s, dict) and isinstance(s.get("text"), str)]
    blocks = re.split(r"\n\s*\n(?=\S+\n\S+ *-->|\S+ *-->)|\n(?=\d+\n\d\S+ *-->)", re.sub("\r\n?", "\n", text))
    bodies = [re.split(r"-->[^\n]*\n?", block, maxsplit=1) for block in blocks]
    return [body[1].split("\n\nNOTE")[0] for body in bodies if len(body) > 1 and body[1].strip()]


def _segments(text: str) -> list[Any]:
    try:
        data = json.loads(text)
    except RecursionError:
        return []
    except ValueError:
        return [json.loads(line) for line in text.split("\n") if re.fullmatch(r"\{[^{}]*\}", line)]
    found = data.get("segments") if isinstance(data, dict) else None
    return found if isinstance(found, list) else []


def _cues_found(out: Outcome) -> int:
    return sum(_is_found(source, out.text) for source in out.source)


def _is_found(source: str, text: str) -> bool:
    """Of a damaged source, what lies between the damaged places."""
    if "\ufffd" in source:
        return all(part.strip() in text for part in source.split("\ufffd"))
    return _bare(source) in _bare(text) or _bare(source).strip() in text


def _within(value: int, bounds: Any) -> bool:
    least, most = bounds if isinstance(bounds, list) else (bounds, bounds)
    return bool(least <= value <= most)


CHECKS: dict[str, Callable[[Outcome, Any], bool]] = {
    "message_mentions": lambda out, wanted: any(word.lower() in out.messages for word in wanted),
    "cues": lambda out, wanted: _within(_cues_found(out), wanted),
    "text_contains": lambda out, wanted: all(text in out.text for text in wanted),
    "text_absent": lambda out, wanted: not any(text in out.text for text in wanted),
    "text_once": lambda out, wanted: all(out.text.count(text) == 1 for text in wanted),
    "raw_absent": lambda out, wanted: not any(text in out.text + out.messages for text in wanted),
    "times_within": lambda out, wanted: all(wanted[0] <= t <= wanted[1] for word in out.words for t in (word.start, word.end)),
    "sorted": lambda out, _: all(a.start <= b.start for a, b in zip(out.words, out.words[1:], strict=False)),
    "valid_utf8": lambda out, _: out.text == out.text.encode("utf-8").decode("utf-8"),
}
NOT_HERE = {"html_escaped", "csv_safe", "valid_json", "valid_jsonl", "same_as_plain"}  # of writers and of whole runs


def _failures(expect: dict[str, Any], out: Outcome) -> list[str]:
    failed = [] if _outcome_is(expect, out) else [expect["outcome"]]
    checks = {name: wanted for name, wanted in expect.get("checks", {}).items() if name not in NOT_HERE}
    return failed + [name for name, wanted in checks.items() if not CHECKS[name](out, wanted)]


def _outcome_is(expect: dict[str, Any], out: Outcome) -> bool:
    if expect["outcome"] == "refused":
        return type(out.error) is ERRORS[expect["exit"]]
    warned = any(finding.level == "warning" for finding in out.findings)
    return out.error is None and warned == (expect["outcome"] == "ok_with_warning")


def _laws_hold(out: Outcome) -> bool:
    """What holds for every transcript: finite times in order, inside the recording, and text that is safe to show."""
    times = [t for word in out.words for t in (word.start, word.end)]
    in_order = all(a.start <= a.end <= b.start for a, b in zip(out.words, out.words[1:], strict=False))
    inside = all(isfinite(t) and 0 <= t <= DURATION for t in times)
    shown = out.text + out.messages
    safe = not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", shown)
    return in_order and inside and safe and len({f.code for f in out.findings}) == len(out.findings)


@pytest.mark.parametrize("entry", _entries())
def test_the_outcome_that_a_careful_user_expects(entry: dict[str, Any], maker: ModuleType, tmp_path: Path) -> None:
    folder = hostile_folder()
    assert folder is not None
    case = maker.make(entry["make"], tmp_path, 9) if "make" in entry else {"transcript": folder / entry["transcript"]}
    path = Path(case["transcript"])
    out = Outcome(_source_texts(path))
    with maker.OpenWatch(case.get("watch", [])) as others:
        try:
            out.words = transcripts.read(path, DURATION, out.findings.append)
        except InputError as error:
            out.error = error
        assert not others.opened()
    assert _laws_hold(out)
    failures = [_failures(expect, out) for expect in (entry["expect"], *entry["expect"].get("or", ()))]
    assert [] in failures, f"{failures}\n{out.text[:500]!r}\n{out.messages}"
