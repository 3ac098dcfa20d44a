"""Whisper weights from CTranslate2's format to the reference implementation's.

A CTranslate2 `model.bin` (binary version 5 and 6) is a list of named arrays: little-endian, names with a length and a
closing NUL, then rank, shape, type and bytes; aliases at the end. Both formats hold the same numbers under other
names; CTranslate2 stacks the projections of an attention that share their input.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import BadInput

Arrays = dict[str, NDArray[Any]]

TYPES = {0: "<f4", 1: "i1", 2: "<i2", 3: "<i4", 4: "<f2"}  # by the number in the file
LEAVES = {"weight": "weight", "bias": "bias", "gamma": "weight", "beta": "bias"}
WHOLE = {
    "encoder/conv1": "encoder.conv1",
    "encoder/conv2": "encoder.conv2",
    "encoder/layer_norm": "encoder.ln_post",
    "decoder/layer_norm": "decoder.ln",
    "decoder/embeddings": "decoder.token_embedding",
}
IN_LAYER = {
    "self_attention/layer_norm": "attn_ln",
    "self_attention/linear_1": "attn.out",
    "attention/layer_norm": "cross_attn_ln",
    "attention/linear_0": "cross_attn.query",
    "attention/linear_2": "cross_attn.out",
    "ffn/layer_norm": "mlp_ln",
    "ffn/linear_0": "mlp.0",
    "ffn/linear_1": "mlp.2",
}
STACKED = {
    "self_attention/linear_0": ("attn.query", "attn.key", "attn.value"),
    "attention/linear_1": ("cross_attn.key", "cross_attn.value"),
}


class _Reader:
    """Takes one value after the other from the bytes of a model.bin."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def number(self, form: str) -> int:
        (value,) = struct.unpack_from(f"<{form}", self.data, self.at)
        self.at += struct.calcsize(f"<{form}")
        return int(value)

    def raw(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self) -> str:
        return self.raw(self.number("H")).rstrip(b"\0").decode("utf-8")

    def array(self) -> NDArray[Any]:
        shape = [self.number("I") for _ in range(self.number("B"))]
        kind, size = self.number("B"), self.number("I")
        return np.frombuffer(self.raw(size), np.dtype(TYPES[kind])).reshape(shape)


def read_arrays(path: Path) -> Arrays:
    """The named arrays of a CTranslate2 Whisper `model.bin`, without the aliases.

    Raises:
        BadInput: not such a file.
    """
    reader = _Reader(path.read_bytes())
    try:
        version, spec = reader.number("I"), reader.text()
        if version not in (5, 6) or spec != "WhisperSpec":
            raise BadInput(f"holds {spec}, version {version}, not Whisper in CTranslate2's version 5 or 6", path=path)
        reader.number("I")  # revision of the specification
        return {reader.text(): reader.array() for _ in range(reader.number("I"))}
    except (struct.error, KeyError, ValueError) as error:
        raise BadInput(f"is not a whole CTranslate2 model: {error}", path=path) from error


def _pieces(target: str, leaf: str, array: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    """The rows of each projection in a stack. The reference has no bias for keys; here it is stored as zeros."""
    parts = STACKED[target]
    for part, rows in zip(parts, np.split(array, len(parts)), strict=True):
        if not (part.endswith("key") and leaf == "bias"):
            yield f"{part}.{leaf}", rows
        elif rows.any():
            raise BadInput(f"{target} has a bias for its keys, which the reference implementation has no place for")


def _renamed(name: str, array: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    """The reference implementation's entries for one array."""
    owner, _, leaf = name.rpartition("/")
    side, _, rest = owner.partition("/")
    layer, _, module = rest.partition("/")
    if owner.endswith("position_encodings"):
        yield f"{side}.positional_embedding", array
    elif owner in WHOLE:
        yield f"{WHOLE[owner]}.{LEAVES[leaf]}", array
    elif module in IN_LAYER:
        yield f"{side}.blocks.{layer.removeprefix('layer_')}.{IN_LAYER[module]}.{LEAVES[leaf]}", array
    elif module in STACKED:
        for target, rows in _pieces(module, leaf, array):
            yield f"{side}.blocks.{layer.removeprefix('layer_')}.{target}", rows
    else:
        raise BadInput(f"{name} has no counterpart in the reference implementation")


def state(arrays: Arrays) -> Arrays:
    """The reference implementation's state, by name; every array of the model is used.

    Raises:
        BadInput: quantised weights, or an array without a counterpart.
    """
    tensors = {name: array for name, array in arrays.items() if array.ndim}  # the rest are options of the engine
    if coarse := [name for name, array in tensors.items() if array.dtype.kind != "f"]:
        raise BadInput(f"{coarse[0]} is quantised: only float weights convert without loss")
    return dict(entry for name, array in tensors.items() for entry in _renamed(name, array))


def dimensions(arrays: Arrays, entries: Mapping[str, NDArray[Any]]) -> dict[str, int]:
    """The model's sizes under the reference implementation's names."""

    def layers(side: str) -> int:
        return 1 + max(int(name.split(".")[2]) for name in entries if name.startswith(f"{side}.blocks."))

    audio, text = entries["encoder.positional_embedding"].shape, entries["decoder.positional_embedding"].shape
    return {
        "n_mels": entries["encoder.conv1.weight"].shape[1],
        "n_audio_ctx": audio[0],
        "n_audio_state": audio[1],
        "n_audio_head": int(arrays["encoder/num_heads"]),
        "n_audio_layer": layers("encoder"),
        "n_vocab": entries["decoder.token_embedding.weight"].shape[0],
        "n_text_ctx": text[0],
        "n_text_state": text[1],
        "n_text_head": int(arrays["decoder/num_heads"]),
        "n_text_layer": layers("decoder"),
    }


def to_checkpoint(folder: Path, to: Path) -> None:
    """Write the model in the CTranslate2 `folder` as a checkpoint that `whisper.load_model(path)` reads.

    Beside the dimensions and weights it holds `alignment_heads`, a list of [layer, head]: which attention heads
    follow the sound. The reference implementation knows them only for models that it downloaded by name.
    """
    import torch

    arrays = read_arrays(folder / "model.bin")
    entries = state(arrays)
    heads = json.loads((folder / "config.json").read_text(encoding="utf-8"))["alignment_heads"]
    tensors = {name: torch.from_numpy(array.copy()) for name, array in entries.items()}
    torch.save({"dims": dimensions(arrays, entries), "model_state_dict": tensors, "alignment_heads": heads}, to)
