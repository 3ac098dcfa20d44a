"""What runs an embedder's weights on this machine: a table, and the fastest of it."""

from __future__ import annotations

import sys
from ctypes.util import find_library
from importlib.util import find_spec

from segmenter.table import Row, load
from segmenter.topics.embedder import Embedder

ENGINES: dict[str, Row] = {
    "torch": Row(
        "segmenter.topics.sentence_transformer:SentenceTransformerEmbedder",
        "sentence-transformers, on the GPU where there is one",
        ("sentence_transformers",),
        "topics",
    ),
    "openvino": Row(
        "segmenter.topics.openvino_embedder:OpenVinoEmbedder",
        "the same vectors, faster on a CPU, and no torch to be imported",
        ("openvino", "sentence_transformers"),
        "openvino",
    ),
}


def local(folder: str, engine: str = "auto") -> Embedder:
    """The sentence-transformers folder on that engine."""
    try:
        return _made(folder, fastest() if engine == "auto" else engine)
    except OSError:  # nowhere to keep the exported model
        if engine != "auto":
            raise
        return _made(folder, "torch")


def _made(folder: str, engine: str) -> Embedder:
    made: Embedder = load("embedding engine", ENGINES, engine)(folder)
    return made


def fastest() -> str:
    """OpenVINO on a CPU where it is installed; torch knows the GPUs. Found without importing either."""
    has_gpu = sys.platform == "darwin" or find_library("cuda") is not None or find_library("nvcuda") is not None
    return "torch" if has_gpu or find_spec("openvino") is None else "openvino"
