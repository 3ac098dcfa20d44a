"""A picture model for tests: a CLIP of one layer with random weights, and a run whose stills it can look at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from indexed import segmentation

from segmenter.formats import segments_json, stills_json

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SMALL = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
COLOURS = {"chunk-0001.jpg": "red", "event-0001.jpg": "blue", "event-0001-track-0003.jpg": "green"}
TAKEN = {
    "chunk-0001.jpg": ("chunk-0001.jpg", 5.0),
    "chunk-0002.jpg": ("chunk-0001.jpg", 21.0),  # the same picture again
    "event-0001.jpg": ("event-0001.jpg", 61.0),
    "chunk-0003.jpg": ("event-0001.jpg", 61.0),
    "event-0001-track-0003.jpg": ("event-0001-track-0003.jpg", 61.1),
}


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> str:
    """As sentence-transformers saves it."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    pytest.importorskip("sentence_transformers")
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
    return make_run(tmp_path / "out" / "r1")


def make_run(folder: Path, recording: str = "r1") -> Path:
    """Results whose three chunks, event and track share three pictures."""
    from PIL import Image

    stills = folder / stills_json.FOLDER
    stills.mkdir(parents=True)
    segments_json.write(segmentation(recording, f"Meeting {recording}"), folder / "segments.json")
    for name, colour in COLOURS.items():
        Image.new("RGB", (64, 48), colour).save(stills / name)
    stills_json.write({name: {"file": file, "time": time} for name, (file, time) in TAKEN.items()}, stills)
    return folder
