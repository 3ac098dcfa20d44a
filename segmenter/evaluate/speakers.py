"""How well found speaker turns agree with true ones: the diarization error rate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from segmenter.records import Turn


@dataclass(frozen=True, slots=True)
class DiarizationError:
    """Seconds of speech that was missed, invented, or given to the wrong speaker, of `total` true seconds.

    Two speakers at once count as two.
    """

    missed: float
    invented: float
    confused: float
    total: float

    @property
    def rate(self) -> float:
        """The diarization error rate: 0 is perfect, and it may exceed 1."""
        wrong = self.missed + self.invented + self.confused
        return wrong / self.total if self.total else float(wrong > 0)


def diarization_error(truth: Sequence[Turn], found: Sequence[Turn]) -> DiarizationError:
    """The error under the best one-to-one mapping of found speakers to true ones, without a collar, overlaps included.

    As NIST defined it (The 2009 Rich Transcription Evaluation Plan), and as pyannote.metrics computes it.
    """
    together: Counter[tuple[str, str]] = Counter()
    missed = invented = both = total = 0.0
    for seconds, true, made in _stretches(truth, found):
        missed += seconds * max(0, len(true) - len(made))
        invented += seconds * max(0, len(made) - len(true))
        both += seconds * min(len(true), len(made))
        total += seconds * len(true)
        for pair in product(true, made):
            together[pair] += seconds  # type: ignore[assignment]  # a Counter of seconds
    return DiarizationError(missed, invented, both - _best(together), total)


def _stretches(truth: Sequence[Turn], found: Sequence[Turn]) -> Iterator[tuple[float, set[str], set[str]]]:
    """Seconds, true speakers and found speakers of each stretch in which nobody begins or ends."""
    edges = sorted({edge for turn in (*truth, *found) for edge in (turn.start, turn.end)})
    for start, end in pairwise(edges):
        true, made = ({turn.speaker for turn in turns if turn.start <= start and end <= turn.end} for turns in (truth, found))
        yield end - start, true, made


def _best(together: Counter[tuple[str, str]]) -> float:
    """The most seconds in common that a one-to-one mapping can reach."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    true, made = ({name: i for i, name in enumerate(sorted({pair[side] for pair in together}))} for side in (0, 1))
    seconds = np.zeros((len(true), len(made)))
    for (a, b), shared in together.items():
        seconds[true[a], made[b]] = shared
    return float(seconds[linear_sum_assignment(seconds, maximize=True)].sum())
