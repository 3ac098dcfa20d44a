"""A user's own questions and cuts: a line a recording, which is named by its folder of results; places are times.

Lines of the corpora's own form, with the sentences in them, are taken as well.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from segmenter.evaluate import corpus, questions
from segmenter.evaluate.corpus import Known
from segmenter.evaluate.lines import rows
from segmenter.evaluate.questions import Asked, Question
from segmenter.formats import segments_json
from segmenter.records import Segmentation, Sentence, Span
from segmenter.timeline import overlap, parse_time

_QUERIES = '{"recording": "OUT/lecture", "queries": [{"text": "When is the exam?", "evidence": [["1:30", "1:42"]]}]}'
_CUTS = '{"recording": "OUT/lecture", "cuts": ["5:12", 724.5]}'


def asked(path: Path) -> list[Asked]:
    """Transcripts with questions.

    Raises:
        BadInput: a line is neither form, a folder has no results, or nothing is said where the evidence should be.
    """
    return list(rows(path, "recording with queries", _QUERIES, partial(_asked, path.parent)))


def known(path: Path) -> list[Known]:
    """Transcripts with cuts. See `asked`."""
    return list(rows(path, "recording with cuts", f"{_CUTS} or {corpus.FORM}", partial(_known, path.parent)))


def _asked(folder: Path, row: dict[str, Any]) -> Asked:
    if "recording" not in row:
        return questions.asked_of(row)
    found = _results(folder, row)
    own = tuple(
        Question(
            str(query["text"]),
            str(query.get("kind", "")),
            tuple(_sentences(found.sentences, *e) for e in query["evidence"]),
            str(query.get("answer") or ""),
        )
        for query in row["queries"]
    )
    return Asked(str(row["recording"]), _language(found.sentences), found.sentences, own)


def _known(folder: Path, row: dict[str, Any]) -> Known:
    if "recording" not in row:
        return corpus.known_of(row)
    said = _results(folder, row).sentences
    breaks = {_after(said, _seconds(cut)) for cut in row["cuts"]}
    inside = tuple(sorted(b for b in breaks if 0 <= b < len(said) - 1))
    return Known(str(row["recording"]), _language(said), said, {"coarse": inside}, timed=True)


def _results(folder: Path, row: dict[str, Any]) -> Segmentation:
    return segments_json.read(folder / str(row["recording"]) / "segments.json")


def _seconds(time: float | str) -> float:
    return parse_time(time) if isinstance(time, str) else float(time)


def _sentences(said: tuple[Sentence, ...], start: float | str, end: float | str) -> tuple[int, int]:
    """The sentences that are spoken in that time."""
    span = Span(_seconds(start), _seconds(end))
    inside = [i for i, sentence in enumerate(said) if overlap(sentence, span)]
    if not inside:
        raise ValueError(f"nothing is said from {start} to {end}")
    return inside[0], inside[-1]


def _after(said: tuple[Sentence, ...], time: float) -> int:
    """The sentence that ends a topic where somebody cuts: the next one begins nearest to the cut."""
    starts = [abs(sentence.start - time) for sentence in said]
    return starts.index(min(starts)) - 1 if starts else -1


def _language(said: tuple[Sentence, ...]) -> str:
    spoken = Counter(sentence.language for sentence in said if sentence.language)
    return (spoken.most_common(1)[0][0] or "") if spoken else ""
