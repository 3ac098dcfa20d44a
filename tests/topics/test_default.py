"""The default rule on the real embedder: true topics, one topic, hours of talk, and what it looks at."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from segmenter import weights
from segmenter.errors import ModelMissing
from segmenter.evaluate.corpus import read
from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics import embedder
from segmenter.topics.breaks import find
from segmenter.topics.gap_features import MEETING, Talk, columns, sizes
from segmenter.topics.gap_model import LOOKS, log_odds
from segmenter.topics.kind import change, kind_of, likeness
from segmenter.topics.material import Material, tokens
from segmenter.topics.partition import cheapest, cheapest_of, prefix, squared_errors

SAMPLE = Path(__file__).parent.parent.parent / "samples" / "standup.json"


@pytest.fixture(scope="module")
def embed(tmp_path_factory: pytest.TempPathFactory) -> embedder.Embedder:
    settings = TopicSettings()
    try:
        model = weights.locate(settings.embedder)
    except ModelMissing as error:
        pytest.skip(str(error))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEGMENTER_CACHE", str(tmp_path_factory.mktemp("cache")))
        return embedder.make(settings, model)


def said(texts: list[str], speakers: int = 0) -> list[Sentence]:
    return [
        Sentence(text, i * 3.0, i * 3 + 2.5, speaker=f"person {i // 4 % speakers}" if speakers else None)
        for i, text in enumerate(texts)
    ]


def cuts(sentences: list[Sentence], embed: embedder.Embedder) -> list[int]:
    vectors = embed.embed([s.text for s in sentences])
    return [b.after_sentence for b in find(sentences, vectors, TopicSettings())]


def test_the_sample_has_three_topics(embed: embedder.Embedder) -> None:
    known = json.loads(SAMPLE.read_text(encoding="utf-8"))
    sentences = [Sentence(s["text"], s["start"], s["end"], speaker=s["speaker"]) for s in known["sentences"]]
    assert cuts(sentences, embed) == [topic["first"] - 1 for topic in known["topics"][1:]]


def test_one_article_in_any_order_is_hardly_ever_cut(embed: embedder.Embedder, shared: Path) -> None:
    """Null texts: the sentences of one article shuffled, a dozen times."""
    with gzip.open(shared / "text" / "xquad_chains.jsonl.gz", "rt", encoding="utf-8") as lines:
        chain = json.loads(next(line for line in lines if json.loads(line)["language"] == "en"))
    ends = [0, *(b + 1 for b in chain["boundaries"]["coarse"]), len(chain["sentences"])]
    draw, made = np.random.default_rng(5), 0
    first, stop = max(pairwise(ends), key=lambda span: span[1] - span[0])
    for _ in range(12):
        order = first + draw.permutation(stop - first)
        made += len(cuts(said([chain["sentences"][i]["text"] for i in order]), embed))
    assert made <= 3


TALK = ["Okay, so what do you think we should do?", "I think that we are all in this.", "Yes, and you said it to me."]
MONOLOGUE = ["I will show you what we have in this update today.", "You see that it is on the left of our page."]
PROSE = ["The river is the longest in the region and rises in the hills.", "It was named in the year of the great flood."]
GERMAN = ["Wir müssen heute über den Haushalt sprechen.", "Das ist eine gute Idee, finde ich."]


@pytest.mark.parametrize(
    ("texts", "count", "speakers", "kind"),
    [
        (MONOLOGUE, 30, 0, "talk"),
        (MONOLOGUE, 30, 2, "drift"),
        (TALK, 600, 0, "drift"),
        (TALK, 600, 4, "meeting"),
        (TALK, 30, 4, "drift"),
        (PROSE, 60, 0, "drift"),
        (GERMAN, 600, 4, "other"),
    ],
)
def test_what_a_recording_is_is_read_from_it(texts: list[str], count: int, speakers: int, kind: str) -> None:
    """All sentences alike: one cloth, unless one voice speaks."""
    sentences = said([texts[i % len(texts)] for i in range(count)], speakers)
    assert kind_of(Material(sentences, np.ones((count, 2), np.float32) / np.float32(np.sqrt(12)))) == kind


def test_a_monologue_is_of_one_cloth_where_it_is_much_more_alike() -> None:
    sentences = said([MONOLOGUE[i % 2] for i in range(30)])
    for alike, kind in ((0.19, "talk"), (0.21, "drift")):
        vectors = np.hstack([np.full((30, 1), np.sqrt(alike)), np.sqrt(1 - alike) * np.eye(30)]).astype(np.float32)
        assert kind_of(Material(sentences, vectors)) == kind


@pytest.mark.parametrize(("texts", "kind"), [(TALK, "talk"), (PROSE, "prose")])
def test_sentences_unlike_each_other_are_no_one_cloth(texts: list[str], kind: str) -> None:
    assert kind_of(Material(said([texts[i % len(texts)] for i in range(60)], 2), np.eye(60, dtype=np.float32))) == kind


def test_of_an_unknown_embedder_nothing_is_taken_for_granted() -> None:
    """However alike its sentences are: only whether near ones are more alike than distant ones counts."""
    sentences = said([PROSE[i % 2] for i in range(60)])
    topics = np.repeat(np.eye(4, dtype=np.float32), 15, axis=0)
    lifted = (np.hstack([topics, np.full((60, 1), 3)]) / np.sqrt(10)).astype(np.float32)
    assert likeness(Material(sentences, lifted)) > 0.9
    assert kind_of(Material(sentences, lifted), "own") == "prose"
    assert kind_of(Material(sentences, lifted), "all-MiniLM-L6-v2") == "drift"


def test_likeness_is_the_mean_over_all_pairs() -> None:
    vectors = np.random.default_rng(2).normal(size=(12, 6)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    sentences = said(["Seven words and more count in full here."] * 12)
    pairs = (vectors @ vectors.T)[np.triu_indices(12, 1)]
    assert likeness(Material(sentences, vectors)) == pytest.approx(pairs.mean(), abs=1e-5)


@given(st.integers(3, 40), st.floats(0.1, 9), st.floats(-5, 5), st.integers(0, 9))
def test_change_does_not_hang_on_what_all_vectors_share_nor_on_their_scale(
    count: int, scale: float, part: float, seed: int
) -> None:
    vectors = np.random.default_rng(seed).normal(size=(count, 8)).astype(np.float32)
    vectors[:, 0] = 0  # the common part lies across the rest
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    shared = vectors.copy()
    shared[:, 0] = part
    sentences = said(["Seven words and more count in full here."] * count)
    alone, lifted = (change(Material(sentences, v / np.linalg.norm(v, axis=1, keepdims=True))) for v in (vectors, scale * shared))
    assert lifted == pytest.approx(alone, abs=1e-3)


def test_near_sentences_are_more_alike_where_the_matter_changes() -> None:
    one, other = np.eye(2, dtype=np.float32)
    sentences = said(["Seven words and more count in full here."] * 24)
    blocks, mixed = np.array([one] * 12 + [other] * 12), np.array([one, other] * 12)
    assert change(Material(sentences, blocks)) > 1
    assert change(Material(sentences, mixed)) < 0.15
    assert change(Material(sentences[:2], blocks[:2])) == 0


@pytest.mark.parametrize(
    ("language", "count", "speakers", "replies", "kind"),
    [
        ("de", 30, 0, 0, "other"),
        ("de", 30, 2, 0, "talk"),
        ("de", 30, 0, 10, "talk"),
        ("de", 300, 0, 30, "talk"),
        ("de", 300, 0, 120, "drift"),
        ("de", 300, 3, 0, "drift"),
        ("mi", 30, 2, 10, "other"),
    ],
)
def test_in_other_languages_speakers_and_short_replies_tell_talk(
    language: str, count: int, speakers: int, replies: int, kind: str
) -> None:
    """Long talk of one voice is cut as talk; of several, where who speaks says nothing of topics, only where a break is plain."""
    sentences = [replace(s, language=language) for s in said([GERMAN[i % 2] for i in range(count)], speakers)]
    sentences[:replies] = [replace(s, text="Ja.") for s in sentences[:replies]]
    assert kind_of(Material(sentences, np.eye(count, dtype=np.float32)), "use-multilingual-v3") == kind


@pytest.mark.parametrize(
    ("file", "recordings", "shortest", "longest"), [("xquad_chains.jsonl.gz", 3, 6, 999), ("qmsum_dev.jsonl.gz", 20, 60, 80)]
)
def test_one_topic_comes_out_whole(
    embed: embedder.Embedder, shared: Path, file: str, recordings: int, shortest: int, longest: int
) -> None:
    """Texts on one topic, in order and without speakers: articles of several paragraphs, topics of meetings."""
    made, count = 0, 0
    for one in islice(read(shared / "text" / file), recordings):
        if one.language != "en":
            continue
        ends = [0, *(b + 1 for b in one.boundaries["coarse"]), len(one.sentences)]
        for first, stop in pairwise(ends):
            if shortest <= stop - first <= longest:
                made += len(cuts(said([s.text for s in one.sentences[first:stop]]), embed))
                count += 1
    assert count > 5
    assert made <= 0.3 * count


def test_a_long_text_has_more_topics(embed: embedder.Embedder, shared: Path) -> None:
    """Eleven chains of articles joined have sixty topics; their sentences in random order are one."""
    texts: list[str] = []
    true: list[int] = []
    for one in read(shared / "text" / "xquad_chains.jsonl.gz"):
        if one.language == "en":
            true += [len(texts) + b for b in (*one.boundaries["coarse"], len(one.sentences) - 1)]
            texts += [s.text for s in one.sentences]
    made = cuts(said(texts), embed)
    assert len(set(made) & set(true)) >= 50
    assert len(made) <= 70
    draw = np.random.default_rng(5)
    shuffled = [cuts(said([texts[i] for i in draw.permutation(len(texts))]), embed) for _ in range(8)]
    assert sum(map(len, shuffled)) <= 0.3 * 8


def _lectures(count: int, topics: int, size: int) -> tuple[list[Sentence], NDArray[np.float32]]:
    """Long talk of one voice: each lecture has a direction of its own, and each of its topics another beside that."""
    draw = np.random.default_rng(8)
    rows = draw.normal(0, 0.06, (count * topics * size, 120))
    for topic in range(count * topics):
        rows[topic * size : (topic + 1) * size, [topic // topics, count + topic]] += [0.4, 0.6]
    vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return said([MONOLOGUE[i % 2] for i in range(len(rows))]), vectors.astype(np.float32)


def test_long_talk_is_cut_into_parts_and_each_part_again() -> None:
    """Parts are cut as recordings of their own; a finer level still keeps every break of a coarser one."""
    sentences, vectors = _lectures(count=18, topics=4, size=12)
    every = [TopicSettings(granularity=level) for level in ("coarse", "medium", "fine")]
    levels = [{b.after_sentence for b in find(sentences, vectors, settings)} for settings in every]
    assert levels[0] >= set(range(47, len(sentences) - 1, 48))
    assert levels[0] <= levels[1] <= levels[2]
    assert levels[2] == set(range(11, len(sentences) - 1, 12))


@pytest.mark.parametrize("texts", [TALK, PROSE])
@pytest.mark.parametrize("count", [2, 3, 9, 700])
def test_every_model_knows_every_column(texts: list[str], count: int) -> None:
    sentences = said([texts[i % len(texts)] for i in range(count)], 3)
    vectors = np.random.default_rng(1).normal(size=(count, 16)).astype(np.float32)
    talk = Talk.of(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), sentences)
    assert all(values.shape == (count - 1,) and np.isfinite(values).all() for values in columns(talk, MEETING).values())
    assert all(odds.shape == (count - 1,) for odds in log_odds(talk, list(LOOKS)).values())


def test_words_are_counted_in_scripts_without_blanks() -> None:
    assert sizes(["three words here", "今天我们开会讨论预算的问题吧", ""]).tolist() == pytest.approx([3, 14 / 1.7, 1])
    assert tokens("It is.") == 3
    assert tokens("今天开会") == 4


def test_the_programme_finds_the_best_of_all_partitions() -> None:
    """Against trying every partition of nine sentences."""
    vectors = np.random.default_rng(4).normal(size=(9, 5))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    places = np.arange(10)
    costs = squared_errors(prefix(vectors), places)
    prices = np.random.default_rng(5).uniform(0.2, 0.9, 10)

    def cost(cuts_at: list[int]) -> float:
        ends = [0, *cuts_at, 9]
        errors = sum(((vectors[a:b] - vectors[a:b].mean(axis=0)) ** 2).sum() for a, b in pairwise(ends))
        return float(errors + prices[cuts_at].sum())

    every = [[i for i in range(1, 9) if mask >> (i - 1) & 1] for mask in range(256)]
    assert cheapest(costs, prices)[1:-1] == min(every, key=cost)
    for count in (1, 2, 4, 9):
        assert cheapest_of(costs, prices, count)[1:-1] == min((p for p in every if len(p) == count - 1), key=cost)
