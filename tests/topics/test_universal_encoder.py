"""The embedder for other languages: real vectors, and when it is taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from segmenter import weights
from segmenter.errors import ModelMissing, PackageMissing, SettingsError
from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics import embedder
from segmenter.topics.breaks import find
from segmenter.topics.choosing import check_names, suited, unread
from segmenter.topics.embedder import Embedder
from segmenter.topics.kind import kind_of
from segmenter.topics.material import Material

NAME = "use-multilingual-v3"
PUMP_AND_CAFETERIA = {
    "de": (
        "Die Kühlmittelpumpe XR-12 treibt das Wasser durch die Leitung der Presse.",
        "Die Dichtungen der Pumpe werden jede Woche geprüft.",
        "Ein verschlissenes Pumpenlager mahlt laut, bevor es versagt.",
        "Die Kantine öffnet jetzt um sieben Uhr zum Frühstück.",
        "Im Mai kommen vegetarische Mittagessen auf die Speisekarte der Kantine.",
    ),
    "ru": (
        "Насос XR-12 гонит охлаждающую воду по трубам пресса.",
        "Уплотнения насоса проверяют каждую неделю.",
        "Изношенный подшипник насоса громко скрежещет перед поломкой.",
        "Столовая теперь открывается к завтраку в семь часов.",
        "В мае в меню столовой появятся вегетарианские обеды.",
    ),
}


@pytest.fixture(scope="module")
def encoder() -> Embedder:
    settings = TopicSettings(embedder=NAME)
    try:
        return embedder.fresh(settings, weights.locate(NAME))
    except (ModelMissing, PackageMissing) as error:
        pytest.skip(str(error))


def said(language: str | None, texts: tuple[str, ...] = PUMP_AND_CAFETERIA["de"]) -> list[Sentence]:
    return [Sentence(text, i * 4.0, i * 4 + 3.0, language=language) for i, text in enumerate(texts)]


def test_one_meaning_has_one_place_in_every_language(encoder: Embedder) -> None:
    german, russian = (encoder.embed(texts) for texts in PUMP_AND_CAFETERIA.values())
    assert (german @ russian.T).argmax(axis=1).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("language", PUMP_AND_CAFETERIA)
def test_the_pump_and_the_cafeteria_are_two_topics_in_other_languages(encoder: Embedder, language: str) -> None:
    sentences = said(language, PUMP_AND_CAFETERIA[language])
    breaks = find(sentences, encoder.embed([s.text for s in sentences]), TopicSettings(rule="percentile"))
    assert [b.after_sentence for b in breaks] == [2]


def test_any_text_becomes_a_unit_vector(encoder: Embedder) -> None:
    texts = ["", "One.", "今天开会。", "The pump leaks. " * 2000]
    vectors = encoder.embed(texts)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert vectors[1] == pytest.approx(encoder.embed(["One."])[0], abs=1e-5)
    assert encoder.embed([]).shape == (0, 512)


@pytest.mark.usefixtures("encoder")
@pytest.mark.parametrize("language", ["de", "zh-TW"])
def test_it_is_taken_for_a_language_that_it_knows_and_the_first_does_not(language: str) -> None:
    settings = TopicSettings()
    assert suited(settings, said(language)) == replace(settings, embedder=NAME)
    assert unread(settings, said(language)) == []


@pytest.mark.parametrize("language", ["en", None, "mi"])
def test_else_the_first_stays(language: str | None) -> None:
    assert suited(TopicSettings(), said(language)) == TopicSettings()


def test_nobody_need_have_it() -> None:
    settings = TopicSettings(other_embedder="")
    assert suited(settings, said("de")) == settings
    (finding,) = unread(settings, said("de"))
    assert "pip" not in finding.message


def test_where_it_is_missing_the_warning_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (NAME, "multilingual-e5-small"):
        monkeypatch.setitem(embedder.EMBEDDERS, name, replace(embedder.EMBEDDERS[name], packages=("no_such_package",)))
    assert suited(TopicSettings(), said("de")) == TopicSettings()
    (finding,) = unread(TopicSettings(), said("de"))
    assert "pip install 'segmenter[multilingual]'" in finding.message


def test_a_language_that_none_knows_is_warned_of() -> None:
    (finding,) = unread(TopicSettings(), said("mi"))
    assert "most of the text is in mi" in finding.message
    assert "pip" not in finding.message


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(SettingsError, match="no embedder called 'e7'"):
        check_names(TopicSettings(other_embedder="e7"))


def test_in_a_language_that_it_knows_one_matter_is_of_one_cloth(encoder: Embedder) -> None:
    """Where the language is not known to the embedder, sentences that are all alike are a sign that it cannot read them."""
    texts = PUMP_AND_CAFETERIA["de"][:3] * 4
    vectors = encoder.embed(texts)
    for embedder_, language, kind in ((NAME, "de", "drift"), (NAME, None, "unread"), ("all-MiniLM-L6-v2", "de", "unread")):
        assert kind_of(Material(said(language, texts), vectors), embedder_) == kind
