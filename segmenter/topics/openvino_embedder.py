"""The same vectors by OpenVINO, on a CPU faster than by torch; imported only through the table of engines.

The model is exported once, which takes torch; after that neither torch nor sentence-transformers is imported.
"""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from segmenter.topics.long_texts import joined, parts
from segmenter.weights import store
from segmenter.weights.quiet_openvino import import_openvino

openvino = import_openvino()

_BATCH = 32  # texts of about one length; larger batches gain nothing on a CPU


class OpenVinoEmbedder:
    """A sentence-transformers folder of mean-pooled vectors, on the CPU."""

    def __init__(self, folder: str) -> None:
        longest = json.loads((Path(folder) / "sentence_bert_config.json").read_text(encoding="utf-8"))["max_seq_length"]
        self._pieces = Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
        self._pieces.no_truncation()
        self._pieces.enable_padding()
        self._room = longest - self._pieces.num_special_tokens_to_add(is_pair=False)
        core = openvino.Core()
        # Some CPUs would be given bfloat16, which changes the vectors.
        self._model = core.compile_model(exported(folder), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension); a text longer than the model takes is embedded in parts."""
        of_texts = [parts(text, self._room, self._begins) for text in texts]
        flat = [part for of_text in of_texts for part in of_text]
        vectors = np.empty((len(flat), self._model.output(0).partial_shape[1].get_length()), np.float32)
        for at in _batches(flat):
            pieces = self._pieces.encode_batch([flat[i] for i in at])
            vectors[at] = self._model([np.array([p.ids for p in pieces]), np.array([p.attention_mask for p in pieces])])[0]
        return joined(vectors, of_texts)

    def _begins(self, text: str) -> list[int]:
        return [begin for begin, _ in self._pieces.encode(text, add_special_tokens=False).offsets]


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Indices in batches of about one length: padding is computed like text."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    return (order[i : i + _BATCH] for i in range(0, len(order), _BATCH))


def exported(folder: str) -> Path:
    """The model as OpenVINO's, made once for these weights and this version, and kept in the cache.

    Raises:
        OSError: the cache cannot be written.
    """
    weights = store.main_file(Path(folder))
    identity = store.digest(weights)[:16] if weights else "none"
    place = store.cache_folder() / "engines" / f"openvino-{openvino.__version__.split('-')[0]}" / identity
    if not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as making:
            made = Path(making) / "made"
            _export(folder, made / "model.xml")
            try:
                made.rename(place)
            except OSError:  # another process was quicker
                if not place.is_dir():
                    raise
    return place / "model.xml"


def _export(folder: str, to: Path) -> None:
    import torch
    from transformers.utils import logging as transformers_logging

    from segmenter.topics.sentence_transformer import loaded

    class Vectors(torch.nn.Module):
        """Word pieces to unit vectors, what the folder's own pooling makes."""

        def __init__(self) -> None:
            super().__init__()
            self.model = loaded(folder, device="cpu").eval()

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            found = self.model({"input_ids": input_ids, "attention_mask": attention_mask})["sentence_embedding"]
            return torch.nn.functional.normalize(found, dim=1)

    example = torch.ones((2, 8), dtype=torch.int64)
    transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # what tracing touches is no news
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of torch's tracing: constants that are constant
        model = openvino.convert_model(Vectors(), example_input={"input_ids": example, "attention_mask": example})
    openvino.save_model(model, to, compress_to_fp16=False)
