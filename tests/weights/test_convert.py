"""Whisper from CTranslate2's format to the reference implementation's: nothing lost, nothing guessed."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from numpy.typing import NDArray

from segmenter import weights
from segmenter.errors import BadInput, ModelMissing
from segmenter.weights import convert

CODES = {np.dtype(form).str: code for code, form in convert.TYPES.items()}
FLOATS = arrays_of.arrays(np.float16, arrays_of.array_shapes(max_dims=3, max_side=4), elements=st.floats(-9, 9, width=16))


def text(value: str) -> bytes:
    raw = value.encode() + b"\0"
    return struct.pack("<H", len(raw)) + raw


def model_bin(arrays: dict[str, NDArray[Any]], spec: str = "WhisperSpec", version: int = 6) -> bytes:
    """The bytes of a CTranslate2 file with these arrays."""
    out = struct.pack("<I", version) + text(spec) + struct.pack("<II", 3, len(arrays))
    for name, array in arrays.items():
        shape = struct.pack(f"<B{array.ndim}I", array.ndim, *array.shape)
        out += text(name) + shape + struct.pack("<BI", CODES[array.dtype.str], array.nbytes) + array.tobytes()
    return out + struct.pack("<I", 0)


@given(st.dictionaries(st.from_regex(r"[a-z_/0-9]{1,20}", fullmatch=True), FLOATS, max_size=4))
def test_arrays_come_back_as_they_were_written(tmp_path_factory: pytest.TempPathFactory, arrays: dict[str, NDArray[Any]]) -> None:
    path = tmp_path_factory.mktemp("model") / "model.bin"
    path.write_bytes(model_bin(arrays))
    back = convert.read_arrays(path)
    assert back.keys() == arrays.keys()
    assert all(np.array_equal(back[name], array) and back[name].dtype == array.dtype for name, array in arrays.items())


HALF = model_bin({"a": np.ones(1, "<f2")})[:-8]


@pytest.mark.parametrize("content", [b"", b"\6\0\0\0", HALF, model_bin({}, spec="TransformerSpec"), model_bin({}, version=3)])
def test_what_is_no_whole_whisper_model_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.bin").write_bytes(content)
    with pytest.raises(BadInput, match=r"model\.bin"):
        convert.read_arrays(tmp_path / "model.bin")


def test_stacked_projections_are_taken_apart() -> None:
    stack, bias = np.arange(12, dtype="<f2").reshape(6, 2), np.array([1, 2, 0, 0, 5, 6], dtype="<f2")
    state = convert.state({f"{LAYER}/self_attention/linear_0/{leaf}": a for leaf, a in (("weight", stack), ("bias", bias))})
    assert sorted(state) == [
        f"encoder.blocks.0.attn.{part}" for part in ("key.weight", "query.bias", "query.weight", "value.bias", "value.weight")
    ]
    assert state["encoder.blocks.0.attn.key.weight"].tolist() == [[4, 5], [6, 7]]
    assert state["encoder.blocks.0.attn.value.bias"].tolist() == [5, 6]


LAYER = "encoder/layer_0"


@pytest.mark.parametrize(
    ("name", "array", "reason"),
    [
        (f"{LAYER}/self_attention/linear_0/bias", np.ones(6, "<f2"), "bias for its keys"),
        (f"{LAYER}/ffn/linear_0/weight", np.ones((2, 2), "i1"), "quantised"),
        (f"{LAYER}/ffn/linear_9/weight", np.ones((2, 2), "<f2"), "no counterpart"),
    ],
)
def test_nothing_is_dropped_in_silence(name: str, array: NDArray[Any], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        convert.state({name: array})


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """tiny.en, converted afresh."""
    try:
        given = weights.locate("faster-whisper/tiny.en")
    except ModelMissing as error:
        pytest.skip(str(error))
    pytest.importorskip("torch")
    to = tmp_path_factory.mktemp("converted") / "tiny.en.pt"
    convert.to_checkpoint(Path(given.path), to)
    return to


def test_every_number_of_the_real_model_is_there(checkpoint: Path) -> None:
    import torch

    stored = torch.load(checkpoint, weights_only=True)
    arrays = convert.read_arrays(Path(weights.locate("faster-whisper/tiny.en").path) / "model.bin")
    floats = sum(array.size for array in arrays.values() if array.ndim)
    keys = 8 + 4  # attentions, each with a key projection whose bias of 384 zeros is left out
    assert sum(tensor.numel() for tensor in stored["model_state_dict"].values()) == floats - keys * 384
    assert all(tensor.dtype == torch.float16 for tensor in stored["model_state_dict"].values())


def test_the_alignment_heads_are_the_official_ones(checkpoint: Path) -> None:
    whisper = pytest.importorskip("whisper")
    import torch

    model = whisper.load_model(str(checkpoint))
    model.set_alignment_heads(whisper._ALIGNMENT_HEADS["tiny.en"])
    official = model.alignment_heads.to_dense().nonzero().tolist()
    assert sorted(torch.load(checkpoint, weights_only=True)["alignment_heads"]) == official


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # whisper's tokenizer leaves its vocabulary file open
def test_the_reference_implementation_hears_with_it(checkpoint: Path, shared: Path) -> None:
    whisper = pytest.importorskip("whisper")
    decode = pytest.importorskip("faster_whisper").decode_audio
    heard = whisper.load_model(str(checkpoint)).transcribe(decode(str(shared / "speech" / "jfk.flac")), fp16=False, temperature=0)
    words = "".join(c for c in heard["text"].lower() if c.isalpha() or c == " ").split()
    said = "and so my fellow americans ask not what your country can do for you ask what you can do for your country"
    assert words == said.split()
