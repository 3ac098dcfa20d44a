"""The language of a ready transcript: given, named by its file, or taken for English, which is told where it is not."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from segmenter.errors import SettingsError
from segmenter.evaluate.corpus import read
from segmenter.formats.transcripts import Transcript
from segmenter.records import Sentence
from segmenter.speech.written_language import language_of, taken_for_english

_NAMED = {"de", "el", "es", "ro", "ru", "tr", "vi"}  # their own stop words fit best by far
_CORPORA = ("augmend_dev", "choi_dev", "qmsum_dev", "spacelog_dev", "vtssum_dev")


@pytest.mark.parametrize(
    ("named", "given", "language"),
    [(None, None, None), ("de", None, "de"), ("de", "es", "es"), (None, "German", "de"), (None, "pt-BR", "pt")],
)
def test_what_is_given_wins_over_what_the_file_names(named: str | None, given: str | None, language: str | None) -> None:
    assert language_of(Transcript((), named), given) == language


def test_what_is_no_language_is_refused() -> None:
    with pytest.raises(SettingsError, match="no language 'gibberish'"):
        language_of(Transcript(()), "gibberish")


def said(*texts: str, language: str | None = None) -> list[Sentence]:
    return [Sentence(text, i, i + 1, language=language) for i, text in enumerate(texts)]


GERMAN = (
    "Guten Abend, hier sind die Nachrichten des Tages.",
    "Die Regierung hat sich gestern auf einen neuen Haushalt geeinigt, und die Opposition ist nicht damit zufrieden.",
)


def test_german_without_a_name_is_told_as_what_it_looks_like() -> None:
    (finding,) = taken_for_english(said(*GERMAN))
    assert (finding.level, finding.code) == ("note", "language_assumed")
    assert finding.message.endswith("--language de says otherwise")


def test_a_known_language_needs_no_guess() -> None:
    assert taken_for_english(said(*GERMAN, language="en")) == []


@pytest.mark.parametrize("texts", [(), ("Guten Morgen.",), ("Oh!", "Eagle, Houston.", "Roger."), ("1 2 3",)])
def test_a_few_words_say_nothing(texts: tuple[str, ...]) -> None:
    assert taken_for_english(said(*texts)) == []


def test_other_letters_are_not_english_however_few_the_words() -> None:
    (finding,) = taken_for_english(said("今天的会议讨论三个问题，首先是预算，然后是新的办公室。"))
    assert "its letters are not" in finding.message


def stretches(shared: Path, name: str, size: int = 10) -> dict[str, list[list[Sentence]]]:
    found = defaultdict(list)
    for one in read(shared / "text" / f"{name}.jsonl.gz"):
        for first in range(0, min(len(one.sentences), 200) - size + 1, size):
            found[one.language].append(said(*(s.text for s in one.sentences[first : first + size])))
    return found


def test_eleven_languages_are_not_english_and_none_is_called_by_anothers_name(shared: Path) -> None:
    by_language = stretches(shared, "xquad_chains")
    assert not any(taken_for_english(one) for one in by_language.pop("en"))
    for language, several in by_language.items():
        found = [taken_for_english(one) for one in several]
        told = [findings[0] for findings in found if findings]
        assert len(told) >= 0.98 * len(found), language
        named = [finding.message.split("--language ")[1].split()[0] for finding in told]
        assert set(named) <= {language, "CODE"}
        if language in _NAMED:
            assert named.count(language) > 0.75 * len(named), language


@pytest.mark.parametrize("name", _CORPORA)
def test_english_of_every_kind_is_left_alone(shared: Path, name: str) -> None:
    assert not [one for one in stretches(shared, name)["en"] if taken_for_english(one)]
