"""Models that are extras, loaded for real: tiny ones, built here with random weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from segmenter.errors import ModelMissing
from segmenter.retrieval.pictures import PictureEmbedder
from segmenter.retrieval.representations import REPRESENTATIONS, Late
from segmenter.retrieval.rerank import CrossEncoderReranker
from segmenter.table import load

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("sentence_transformers")

SMALL = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}


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
