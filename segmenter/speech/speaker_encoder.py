"""Voices to vectors: CAM++ on torch; imported only through the table of diarizers.

CAM++ (Wang et al. 2023, https://arxiv.org/abs/2303.00332) in the 3D-Speaker project's version for Chinese and English
(Apache-2.0): a small ResNet over the spectrogram, three densely connected blocks of time-delay layers that weigh their
channels by the context, and the mean and deviation over time. Vectors of one voice point the same way, whatever is
said, and in other languages too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as nn

from segmenter.errors import ModelMissing
from segmenter.media.audio import SAMPLE_RATE_HZ

DIMENSION = 192
_BLOCKS = ((12, 1), (24, 2), (16, 2))  # layers and dilation of each dense block
_CONTEXT_FRAMES = 100  # the stretch, 2 s, whose mean is the near context

_BANDS, _FRAME, _HOP, _FFT = 80, 400, 160, 512  # Kaldi's filter banks: 25 ms every 10 ms
_LOWEST_HZ, _EMPHASIS, _FLOOR = 20.0, 0.97, float(np.finfo(np.float32).eps)


class SpeakerEncoder:
    """The network with the weights in one file.

    Raises:
        ModelMissing: the file holds other weights, or none.
    """

    def __init__(self, path: str) -> None:
        self._network = _Network(load(path, "head.conv1.weight"))

    def embed(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """The unit vector, shape (192,), of one voice in mono 16 kHz sound of at least 25 ms, shape (n,)."""
        with torch.inference_mode():
            vector = self._network.embed(torch.from_numpy(filter_banks(samples)))
        return np.asarray(nn.normalize(vector, dim=0).numpy(), np.float32)


def load(path: str, telling: str) -> dict[str, Tensor]:
    """The weights in a file, which must hold one called `telling`; nothing in the file is run.

    Raises:
        ModelMissing: they are others, or none.
    """
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
        weights: dict[str, Tensor] = found.get("state_dict", found)
        weights[telling]
    except Exception as error:  # torch raises what its unpickler, zip and file readers raise
        raise ModelMissing(f"these are not the weights that are needed: {error}", path=path) from error
    return weights


def filter_banks(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Logarithms of 80 mel filters' energies less their means over time, shape (frames, 80), as Kaldi computes them.

    Per frame of 25 ms: mean removed, pre-emphasis, Povey's window, power spectrum, triangles on the mel scale.
    """
    frames = np.lib.stride_tricks.sliding_window_view(samples.astype(np.float64), _FRAME)[::_HOP]
    frames = frames - frames.mean(axis=1, keepdims=True)
    before = np.hstack([frames[:, :1], frames[:, :-1]])
    window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_FRAME) / (_FRAME - 1))) ** 0.85
    power = np.abs(np.fft.rfft((frames - _EMPHASIS * before) * window, _FFT)) ** 2
    energies = np.log(np.maximum(power @ _triangles().T, _FLOOR))
    return np.asarray(energies - energies.mean(axis=0), np.float32)


@cache
def _triangles() -> NDArray[np.float64]:
    """The filters, shape (80, 257): equally wide in mel from 20 Hz to half of the sample rate."""
    edges = np.linspace(_mel(np.array(_LOWEST_HZ)), _mel(np.array(SAMPLE_RATE_HZ / 2)), _BANDS + 2)
    at = _mel(np.arange(_FFT // 2 + 1) * SAMPLE_RATE_HZ / _FFT)
    low, middle, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    return np.maximum(0.0, np.minimum((at - low) / (middle - low), (high - at) / (high - middle)))


def _mel(hertz: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1127.0 * np.log1p(hertz / 700.0)


class _Network:
    """The layers as functions of their weights, which keep the names that the authors gave them."""

    def __init__(self, weights: Mapping[str, Tensor]) -> None:
        self._weights = weights

    def embed(self, features: Tensor) -> Tensor:
        """Shape (192,) from filter banks of shape (frames, 80)."""
        x = self._front(features.T[None, None])
        x = self._norm(self._convolve(x, "xvector.tdnn.linear", stride=2, padding=2), "xvector.tdnn.nonlinear.batchnorm")
        for number, (layers, dilation) in enumerate(_BLOCKS, 1):
            for layer in range(1, layers + 1):
                x = torch.cat([x, self._layer(x, f"xvector.block{number}.tdnnd{layer}", dilation)], dim=1)
            x = self._convolve(self._norm(x, f"xvector.transit{number}.nonlinear.batchnorm"), f"xvector.transit{number}.linear")
        x = self._norm(x, "xvector.out_nonlinear.batchnorm")
        deviation = x.std(dim=2, correction=min(1, x.shape[2] - 1))  # of a single frame: none
        pooled = torch.cat([x.mean(dim=2), deviation], dim=1)[..., None]
        return self._norm(self._convolve(pooled, "xvector.dense.linear"), "xvector.dense.nonlinear.batchnorm", rectify=False)[
            0, :, 0
        ]

    def _front(self, x: Tensor) -> Tensor:
        """The ResNet: an eighth of the bands, all frames; shape (1, 320, frames)."""
        x = self._norm(self._convolve(x, "head.conv1", padding=1), "head.bn1")
        for layer in ("head.layer1", "head.layer2"):
            x = self._residual(x, f"{layer}.0", stride=2)
            x = self._residual(x, f"{layer}.1", stride=1)
        x = self._norm(self._convolve(x, "head.conv2", stride=(2, 1), padding=1), "head.bn2")
        return x.flatten(1, 2)

    def _residual(self, x: Tensor, name: str, stride: int) -> Tensor:
        y = self._norm(self._convolve(x, f"{name}.conv1", stride=(stride, 1), padding=1), f"{name}.bn1")
        y = self._norm(self._convolve(y, f"{name}.conv2", padding=1), f"{name}.bn2", rectify=False)
        if stride > 1:
            shorter = self._convolve(x, f"{name}.shortcut.0", stride=(stride, 1))
            x = self._norm(shorter, f"{name}.shortcut.1", rectify=False)
        return torch.relu(x + y)

    def _layer(self, x: Tensor, name: str, dilation: int) -> Tensor:
        """One layer of a dense block, its channels masked by what the whole sound and the nearest 2 s are like."""
        x = self._convolve(self._norm(x, f"{name}.nonlinear1.batchnorm"), f"{name}.linear1")
        x = self._norm(x, f"{name}.nonlinear2.batchnorm")
        near = nn.avg_pool1d(x, _CONTEXT_FRAMES, ceil_mode=True).repeat_interleave(_CONTEXT_FRAMES, dim=2)[..., : x.shape[2]]
        context = torch.relu(self._convolve(x.mean(dim=2, keepdim=True) + near, f"{name}.cam_layer.linear1"))
        mask = torch.sigmoid(self._convolve(context, f"{name}.cam_layer.linear2"))
        return mask * self._convolve(x, f"{name}.cam_layer.linear_local", padding=dilation, dilation=dilation)

    def _convolve(self, x: Tensor, name: str, **shape: int | tuple[int, int]) -> Tensor:
        weight, bias = self._weights[f"{name}.weight"], self._weights.get(f"{name}.bias")
        convolve = nn.conv2d if weight.ndim == 4 else nn.conv1d
        return convolve(x, weight, bias, **shape)  # type: ignore[arg-type]

    def _norm(self, x: Tensor, name: str, rectify: bool = True) -> Tensor:
        mean, variance = self._weights[f"{name}.running_mean"], self._weights[f"{name}.running_var"]
        y = nn.batch_norm(x, mean, variance, self._weights.get(f"{name}.weight"), self._weights.get(f"{name}.bias"))
        return torch.relu(y) if rectify else y
