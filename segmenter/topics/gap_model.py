"""How likely a topic ends at each gap: log-odds of logistic models with few coefficients, trained by scripts/train_boundary."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from segmenter.topics.gap_features import MEETING, SPOKEN, TEXT, Array, Talk, columns

# What each model looks at: the words and vectors; also cue words of English talk (`nearby`: a topic ends here or one
# sentence off); also who speaks.
LOOKS = {"text": TEXT, "spoken": SPOKEN, "nearby": SPOKEN, "meeting": MEETING}


def log_odds(talk: Talk, models: Sequence[str]) -> dict[str, Array]:
    """Of each model, shape (n - 1,). What several look at is computed once."""
    found = columns(talk, max((LOOKS[model] for model in models), key=len))
    return {model: _weighed(found, _trained()[model], talk.gaps) for model in models}


def _weighed(found: Mapping[str, Array], trained: Mapping[str, Any], gaps: int) -> Array:
    odds = np.full(gaps, float(trained["intercept"]))
    for name, coefficient in trained["coefficients"].items():
        odds += coefficient * found[name]
    return odds


@cache
def _trained() -> dict[str, Any]:
    trained: dict[str, Any] = json.loads((files("segmenter.models") / "gaps.json").read_text(encoding="utf-8"))
    return trained
