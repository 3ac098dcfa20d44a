"""Models that are extras, loaded for real: tiny ones, built here with random weights."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from indexed import segmentation

from segmenter.errors import ModelMissing
from segmenter.retrieval.pictures import PictureEmbedder, index_stills, stills
from segmenter.retrieval.records import Where
from segmenter.retrieval.representations import REPRESENTATIONS, Late
from segmenter.retrieval.rerank import CrossEncoderReranker
from segmenter.retrieval.stores import Stamp, writing
from segmenter.table import load

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("sentence_transformers")
Image = pytest.importorskip("PIL.Image")

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SMALL = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A CLIP of one layer, saved as sentence-transformers saves it."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import CLIPModel

    parts, folder = tmp_path_factory.mktemp("parts"), tmp_path_factory.mktemp("clip")
    names = ["<|startoftext|>", "<|endoftext|>", *LETTERS, *(letter + "</w>" for letter in LETTERS)]
    (parts / "vocab.json").write_text(json.dumps({name: i for i, name in enumerate(names)}), encoding="utf-8")
    (parts / "merges.txt").write_text("#version: 0.2\n", encoding="utf-8")
    ends = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1}
    text = transformers.CLIPTextConfig(vocab_size=len(names), projection_dim=16, **ends, **SMALL)
    vision = transformers.CLIPVisionConfig(image_size=32, patch_size=16, projection_dim=16, **SMALL)
    torch.manual_seed(0)
    config = transformers.CLIPConfig(text_config=text.to_dict(), vision_config=vision.to_dict(), projection_dim=16)
    transformers.CLIPModel(config).save_pretrained(parts)
    tokenizer = transformers.CLIPTokenizerFast(vocab=str(parts / "vocab.json"), merges=str(parts / "merges.txt"))
    pictures = transformers.CLIPImageProcessor(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    transformers.CLIPProcessor(pictures, tokenizer).save_pretrained(parts)
    SentenceTransformer(modules=[CLIPModel(str(parts))]).save(str(folder))
    return str(folder)


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """A run with stills for two of its three chunks."""
    (tmp_path / "stills").mkdir()
    for number, colour in ((1, "red"), (3, "blue")):
        Image.new("RGB", (64, 48), colour).save(tmp_path / "stills" / f"chunk-{number:04}.jpg")
    return tmp_path


def test_words_and_pictures_lie_in_one_space(clip: str, run_folder: Path) -> None:
    embedder = PictureEmbedder(clip)
    texts = embedder.texts(["a cat", "a dog"])
    pictures = embedder.pictures(sorted((run_folder / "stills").iterdir()))
    assert texts.shape == pictures.shape == (2, 16)
    assert np.linalg.norm([*texts, *pictures], axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert not np.allclose(pictures[0], pictures[1])
    assert embedder.pictures([]).shape == (0, 16)


def test_stills_are_found_by_words_and_by_what_is_in_view(clip: str, run_folder: Path) -> None:
    pytest.importorskip("faiss")
    embedder = PictureEmbedder(clip)
    with writing(run_folder / "store", Stamp("faiss", clip, "1", 16)) as store:
        assert index_stills(segmentation(), run_folder, store, embedder) == 2
        found = stills(store, "a cat", embedder)
        expected = embedder.pictures(sorted((run_folder / "stills").iterdir())) @ embedder.texts(["a cat"])[0]
        assert [one.score for one in found] == pytest.approx(sorted(expected, reverse=True), abs=1e-5)
        seen = stills(store, "a cat", embedder, Where(labels=("car",)))
        assert [one.unit.extra["chunk"] for one in seen] == ["r1-30000"]


def test_a_still_that_is_gone_leaves_the_store(clip: str, run_folder: Path) -> None:
    pytest.importorskip("faiss")
    embedder = PictureEmbedder(clip)
    with writing(run_folder / "store", Stamp("faiss", clip, "1", 16)) as store:
        index_stills(segmentation(), run_folder, store, embedder)
        (run_folder / "stills" / "chunk-0001.jpg").unlink()
        assert index_stills(segmentation(), run_folder, store, embedder) == 1
        assert store.count() == 1
        assert index_stills(replace(segmentation(), chunks=()), run_folder, store, embedder) == 0
        assert store.count() == 0


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A BERT of one layer that gives one number for a pair of texts."""
    folder = tmp_path_factory.mktemp("cross")
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "pump", "budget", "the", "is", "new"]
    (folder / "vocab.txt").write_text("\n".join(names), encoding="utf-8")
    torch.manual_seed(0)
    config = transformers.BertConfig(vocab_size=len(names), num_labels=1, max_position_embeddings=64, **SMALL)
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return str(folder)


def test_a_cross_encoder_scores_each_pair_alone(cross_encoder: str) -> None:
    rerank = CrossEncoderReranker(cross_encoder)
    together = rerank("the pump", ["the pump is new", "the budget"])
    alone = [rerank("the pump", [text])[0] for text in ("the pump is new", "the budget")]
    assert together == pytest.approx(alone, abs=1e-5)
    assert together[0] != together[1]
    assert rerank("the pump", []).shape == (0,)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A sentence-transformers folder of one layer that reads sixteen word-pieces at once."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    parts, folder = tmp_path_factory.mktemp("parts"), tmp_path_factory.mktemp("bert")
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "pump", "budget", "the", "is", "new", "."]
    (parts / "vocab.txt").write_text("\n".join(names), encoding="utf-8")
    torch.manual_seed(0)
    transformers.BertModel(transformers.BertConfig(vocab_size=len(names), max_position_embeddings=64, **SMALL)).save_pretrained(
        parts
    )
    transformers.BertTokenizerFast(vocab=str(parts / "vocab.txt")).save_pretrained(parts)
    reads = Transformer(str(parts), max_seq_length=16)
    SentenceTransformer(modules=[reads, Pooling(32)]).save(str(folder))
    return str(folder)


def test_a_late_passage_has_read_what_stands_around_it(bert: str) -> None:
    late: Late = load("representation", REPRESENTATIONS, "late")(bert)
    lines = ["The pump is new.", "The budget is new."]
    first, second, both = late.embed(lines, [(0, 0), (1, 1), (0, 1)])
    alone = late.embed(lines[:1], [(0, 0)])[0]
    assert np.linalg.norm([first, second, both], axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert not np.allclose(first, alone, atol=1e-3)
    assert both @ (first + second) > both @ first


def test_late_passages_of_a_text_longer_than_the_model_reads(bert: str) -> None:
    late: Late = load("representation", REPRESENTATIONS, "late")(bert)
    lines = ["The pump is new."] * 30
    found = late.embed(lines, [(i, i) for i in range(30)])
    assert np.isfinite(found).all()
    assert found[0] == pytest.approx(found[2], abs=1e-5)  # two lines are read at once, again and again alike


@pytest.mark.parametrize("model", [PictureEmbedder, CrossEncoderReranker])
def test_a_folder_without_a_model_says_what_belongs_there(model: type, tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="folder"):
        model(str(tmp_path))
