"""Settings chosen on a user's own questions or cuts, and an honest estimate of what the choice brings.

The choice is made on all recordings; what it is worth is estimated by cross-validation: for each part of the
recordings the candidate is chosen that is best on the others, so no recording judges a choice that it helped to make.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import SettingsError
from segmenter.evaluate.topics import interval
from segmenter.settings import Granularity
from segmenter.topics.breaks import RULES

_FOLDS = 5
DEFAULT = "default"
Scores = Mapping[str, Sequence[float]]  # candidate -> one score a recording

# One change at a time around the default, and a few that go together: with few questions, more would only fit noise.
RETRIEVAL: dict[str, dict[str, Any]] = {
    DEFAULT: {},
    "parents of 128": {"parent_tokens": 128},
    "parents of 128, smoothed wider": {"parent_tokens": 128, "sigma_tokens": 400.0},
    "smoothed less": {"sigma_tokens": 100.0},
    "smoothed more": {"sigma_tokens": 600.0},
    "contextual": {"representation": "contextual"},
    "no words": {"wide_words": 0.0, "narrow_words": 0.0},
    "more words": {"wide_words": 0.4, "narrow_words": 1.0},
    "words above all": {"wide_words": 1.0, "narrow_words": 3.0},
    "no single sentences": {"seats": 0},
    "more single sentences": {"seats": 20, "seat_least": 1.5},
    "pointed": {"sigma_tokens": 20.0, "seats": 20, "seat_least": 1.5},
}  # fmt: skip

_LEVELS: tuple[Granularity, ...] = ("coarse", "medium", "fine")
TOPICS: dict[str, dict[str, Any]] = {
    DEFAULT: {},
    **{f"default, {level}": {"granularity": level} for level in _LEVELS[1:]},
    **{rule: {"rule": rule} for rule, row in RULES.items() if row.needs != "server" and rule not in (DEFAULT, "hierarchical")},
}


@dataclass(frozen=True, slots=True)
class Choice:
    """`best` of all candidates; what choosing so brings over the default on recordings not chosen on, with 95 % interval."""

    best: str
    gain: float
    low: float
    high: float

    @property
    def worth_it(self) -> bool:
        return self.best != DEFAULT and self.low > 0


def choose(scores: Scores) -> Choice:
    """The candidate of the greatest mean; of equals, the one that stands first.

    Raises:
        SettingsError: fewer than two recordings, so that none is left to judge the choice.
    """
    names = list(scores)
    table = np.array([scores[name] for name in names], float)
    count = table.shape[1]
    if count < 2:
        raise SettingsError("one recording is not enough to tune on", hint="give questions or cuts of two at least")
    gains = np.empty(count)
    for fold in range(min(_FOLDS, count)):
        held = np.arange(count) % min(_FOLDS, count) == fold
        gains[held] = table[_best(table[:, ~held])][held] - table[0][held]
    low, high = interval(gains.tolist())
    return Choice(names[_best(table)], float(gains.mean()), low, high)


def _best(table: NDArray[np.float64]) -> int:
    return int(np.argmax(table.mean(axis=1)))


def toml(stage: str, changes: Mapping[str, Any]) -> str:
    """A settings file that `run` and `index` take with --config."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in changes.items()]
    return "\n".join([f"[{stage}]", *lines, ""])
