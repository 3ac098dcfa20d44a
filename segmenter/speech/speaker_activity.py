"""Who of up to three speakers speaks when, within ten seconds: pyannote's segmentation network on torch.

segmentation-3.0 (Bredin 2023, https://doi.org/10.21437/Interspeech.2023-105; Plaquet and Bredin 2023,
https://doi.org/10.21437/Interspeech.2023-205; MIT) hears speakers change, and two at once, to a sixtieth of a second:
band filters with learned edges (SincNet), a bidirectional LSTM, and one answer a frame, which set of speakers speaks.
Its speakers have no identity beyond their window.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import LSTM
from torch.nn import functional as nn

from segmenter.media.audio import SAMPLE_RATE_HZ
from segmenter.speech.speaker_encoder import load

WINDOW_S = 10.0  # what the network was trained on

# The seven answers: nobody, one of three, two of three.
_SETS = torch.tensor([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]], dtype=torch.bool)
_FILTER_SAMPLES, _STRIDE, _LOWEST_HZ, _NARROWEST_HZ = 251, 10, 50.0, 50.0
LEAST_SAMPLES = 991  # the sound that one frame is made from; the next one's begins 270 samples later
FIRST_FRAME_SAMPLE = (LEAST_SAMPLES - _STRIDE * 3**3) // 2  # so that a frame stands for the 270 samples in its middle


class SpeakerActivity:
    """The network with the weights in one file.

    Raises:
        ModelMissing: the file holds other weights, or none.
    """

    def __init__(self, path: str) -> None:
        self._weights = load(path, "sincnet.wav_norm1d.weight")
        self._filters = _band_filters(self._weights)
        self._lstm = _lstm(self._weights)

    def hear(self, samples: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Whether each of three speakers speaks, shape (frames, 3), in mono 16 kHz sound of up to ten seconds.

        Frame i stands for 270 samples from 360 + 270 i on.
        """
        with torch.inference_mode():
            x = self._features(torch.from_numpy(samples)[None, None]).transpose(1, 2)
            x = self._lstm(x)[0]
            for name in ("linear.0", "linear.1"):
                x = nn.leaky_relu(self._linear(x, name))
            return np.asarray(_SETS[self._linear(x, "classifier")[0].argmax(dim=1)].numpy())

    def _features(self, x: Tensor) -> Tensor:
        """Shape (1, 60, frames)."""
        x = self._norm(x, "sincnet.wav_norm1d")
        x = nn.conv1d(x, self._filters, stride=_STRIDE).abs()
        x = nn.leaky_relu(self._norm(nn.max_pool1d(x, 3), "sincnet.norm1d.0"))
        for i in (1, 2):
            x = nn.conv1d(x, self._weights[f"sincnet.conv1d.{i}.weight"], self._weights[f"sincnet.conv1d.{i}.bias"])
            x = nn.leaky_relu(self._norm(nn.max_pool1d(x, 3), f"sincnet.norm1d.{i}"))
        return x

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return nn.instance_norm(x, weight=self._weights[f"{name}.weight"], bias=self._weights[f"{name}.bias"])

    def _linear(self, x: Tensor, name: str) -> Tensor:
        return nn.linear(x, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])


def _band_filters(weights: Mapping[str, Tensor]) -> Tensor:
    """Band passes between learned edges, 40 even and 40 odd, shape (80, 1, 251) (Ravanelli and Bengio 2018).

    The ideal band pass is the difference of two low passes; a Hamming window makes it finite.
    """
    low = _LOWEST_HZ + weights["sincnet.conv1d.0.filterbank.low_hz_"].abs()
    width = _NARROWEST_HZ + weights["sincnet.conv1d.0.filterbank.band_hz_"].abs()
    high = (low + width).clamp(_LOWEST_HZ, SAMPLE_RATE_HZ / 2)
    half = _FILTER_SAMPLES // 2
    turn = 2 * pi * torch.arange(-half, 0).float()[None] / SAMPLE_RATE_HZ
    window = torch.from_numpy(np.hamming(_FILTER_SAMPLES)[:half]).float() / (turn / 2)
    even, odd = (
        (torch.sin(high * turn) - torch.sin(low * turn)) * window,
        (torch.cos(low * turn) - torch.cos(high * turn)) * window,
    )
    band = 2 * (high - low)
    evens = torch.cat([even, band, even.flip(1)], dim=1)
    odds = torch.cat([odd, torch.zeros_like(band), -odd.flip(1)], dim=1)
    return (torch.cat([evens, odds]) / torch.cat([band, band]))[:, None]


def _lstm(weights: Mapping[str, Tensor]) -> LSTM:
    lstm = LSTM(60, 128, num_layers=4, bidirectional=True, batch_first=True)
    lstm.load_state_dict({name.removeprefix("lstm."): w for name, w in weights.items() if name.startswith("lstm.")})
    return lstm.eval()
